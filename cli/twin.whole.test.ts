import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { closedAfter } from '../client/server.fixture.ts';
import type { Comparison } from '../compare/comparison.ts';
import { causesSaid } from '../prove/exhibits.ts';
import { together } from '../sites/alterations/alteration.ts';
import { findMutant } from '../sites/alterations/catalogue.ts';
import { sending } from '../sites/alterations/handling.ts';
import { EXHIBITS } from '../sites/alterations/observed/exhibits.ts';
import { loadContract } from '../sites/reference/load-contract.ts';
import { type Served, type ServeOptions, serve } from '../sites/reference/serve.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import { validatorOf } from '../specs/validators.ts';
import { testFile, tryMain, tryMainAs } from './try-main.fixture.ts';

type Behaviour = NonNullable<ServeOptions['behaviour']>;

/** Posts alone: enough for all that is no matter of what is compared. */
const SMALL = smallDeployment(afterAll);

function behaving(behaviour: Behaviour, deployment: string = SMALL): Promise<Served> {
  return closedAfter(serve({ deployment, behaviour }));
}

function asking({ user }: Served, deployment: string = SMALL): string[] {
  return [
    '--user',
    user,
    '--deployment',
    deployment,
    '--vocabulary',
    'neutral',
    '--concurrency',
    '8',
    '--examples',
    '1',
  ];
}

/** Two sites; default: healthy ones with posts alone. */
interface TwoSites {
  readonly before?: Behaviour;
  readonly after?: Behaviour;
  readonly deployment?: string;
}

async function tryTwin(
  { before = {}, after = {}, deployment }: TwoSites,
  ...more: string[]
): Promise<Awaited<ReturnType<typeof tryMain>>> {
  const first = await behaving(before, deployment);
  const { url } = await behaving(after, deployment);
  return tryMainAs(first, 'twin', first.url, url, ...asking(first, deployment), ...more);
}

async function twin(
  sites: TwoSites,
  ...more: string[]
): Promise<Awaited<ReturnType<typeof tryMain>> & { readonly comparison: Comparison }> {
  const out = testFolder();
  const tried = await tryTwin(sites, '--out', out, ...more);
  const comparison: unknown = JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'));
  const validate = validatorOf<Comparison>('comparison.schema.json');
  if (!validate(comparison)) throw new Error(JSON.stringify(validate.errors));
  return { ...tried, comparison };
}

function requestsOf({ lines }: Awaited<ReturnType<typeof tryMain>>): number {
  return Number(/(\d+) requests?/.exec(lines.join(' '))?.[1]);
}

/** Milliseconds. */
const SLOW = 120;

async function queriesOf(...more: string[]): Promise<{ queries: readonly string[]; sets: number }> {
  const queries = new Set<string>();
  const after: Behaviour = ({ send }) => ({
    send: (message, response, answer) => {
      const { searchParams } = new URL(message.url ?? '', 'http://127.0.0.1');
      if (searchParams.get('rest_route') === '/cms/v2/posts') queries.add(searchParams.toString());
      return send(message, response, answer);
    },
  });
  const { comparison } = await twin({ after }, ...more);
  return { queries: [...queries].sort(), sets: comparison.looked.sets ?? 0 };
}

const SEEDED: readonly (readonly [mutant: string, cause: string])[] = [
  ['posts.list/search/filters~only-alone', 'breaking list-records `search` beside other arguments'],
  ['posts.list/page/filters~skips-one', 'unknown list-records `page`'],
  ['posts.list/page/default~another', 'breaking default page default'],
];

const SHOWN = EXHIBITS.filter(({ id }) =>
  ['head-without-total', 'terms-exposed', 'order-fraction', 'record-as-list', 'denied-as-absent'].includes(
    id,
  ),
);

const ignoringAuthors = (): Behaviour =>
  findMutant(loadContract('core'), 'posts.list/author/filters~ignored').behaviour;

describe('two sites that are asked at once', { timeout: 120_000 }, () => {
  it.each(SEEDED)('are distinguished once by %s, with the fewest arguments', async (id, cause) => {
    const { behaviour: after } = findMutant(loadContract('core'), id);
    const { comparison } = await twin({ after }, '--examples', '6');
    expect(causesSaid(comparison)).toEqual([cause]);
  });

  it('are distinguished once by each of several differences', async () => {
    const ordered = findMutant(loadContract('core'), 'pages.list/order/filters~ignored').behaviour;
    const before = together(...SHOWN.flatMap((one) => one.before ?? []));
    const after = together(ordered, ...SHOWN.map((one) => one.behaviour));
    const { comparison } = await twin({ before, after, deployment: 'core' });

    const causes = SHOWN.map(({ shows }) => `${shows.class} ${shows.kind} ${shows.subject}`);
    expect(causesSaid(comparison).toSorted()).toEqual(
      [...causes, 'unknown list-order `order=asc`'].toSorted(),
    );
  });

  it('are distinguished if only single records are slow', async () => {
    const after = sending(async (shown, { route }) => {
      if (/^\/cms\/v2\/posts\/\d+$/.test(route)) await sleep(SLOW);
      return shown;
    });
    const { comparison } = await twin({ after });

    expect(causesSaid(comparison)).toEqual(['unknown answer-slower the route']);
    expect(comparison.changes[0]?.place).toBe('/cms/v2/posts/{id}');
    expect(comparison.changes[0]?.evidence).toMatch(
      /^\d+ ms before, \d+ ms after, the fastest of 8 by turns$/,
    );
  });

  it('get other sets for another --seed, and more for more --examples', async () => {
    const [one, again, other, more] = [
      await queriesOf('--seed', '1', '--examples', '2'),
      await queriesOf('--seed', '1', '--examples', '2'),
      await queriesOf('--seed', '2', '--examples', '2'),
      await queriesOf('--seed', '1', '--examples', '4'),
    ];

    expect(again).toEqual(one);
    expect(other.queries).not.toEqual(one.queries);
    expect(more.sets).toBeGreaterThan(one.sets);
    expect(more.queries).toEqual(expect.arrayContaining([...one.queries]));
  });

  it('are equal if only the address differs, and only read, whatever the configuration says', async () => {
    const methods = new Set<string>();
    const after: Behaviour = ({ send }) => ({
      send: (message, response, answer) => {
        methods.add(message.method ?? '');
        return send(message, response, answer);
      },
    });
    const config = testFile('config.json', { mode: 'full' });
    const { code, stdout, comparison } = await twin(
      { after, deployment: 'core' },
      ...['--config', config, '--examples', '6'],
    );

    expect([code, comparison.origin, comparison.changes, comparison.notes]).toEqual([0, 'twin', [], []]);
    expect(stdout).toContain('Nothing changed');
    expect(comparison.looked.sets).toBeGreaterThan(200);
    expect([...methods].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
  });

  it('are one document on standard output with --json', async () => {
    const { stdout, comparison } = await twin({}, '--json');

    expect(JSON.parse(stdout)).toEqual(comparison);
  });

  it('exit like a run if one is down, and say which', async () => {
    const { url } = await behaving({});
    const { code, lines } = await tryMain('twin', url, 'http://127.0.0.1:9', '--vocabulary', 'neutral');

    expect(code).toBe(3);
    expect(lines.join(' ')).toContain('after, http://127.0.0.1:9');
  });

  it('allow no conclusion if the time is over before all requests', async () => {
    const { code, comparison } = await twin({}, '--rate', '40', '--budget', '3');

    expect([code, comparison.inconclusive?.length, comparison.changes]).toEqual([3, 1, []]);
  });

  it('allow no conclusion if somebody interrupts them, and show what was asked', async () => {
    let requests = 0;
    const before = sending((shown) => {
      requests += 1;
      if (requests === 40) process.emit('SIGINT');
      return shown;
    });
    const { code, comparison } = await twin({ before });

    expect([code, comparison.inconclusive]).toEqual([3, ['not all was asked: interrupted']]);
    expect(comparison.changes).toEqual([]);
  });

  it('are checked again for one change, which persists or is fixed', async () => {
    const after = ignoringAuthors();
    const { comparison } = await twin({ after });
    const out = testFolder({ 'comparison.json': comparison });
    const id = comparison.changes.find(({ kind }) => kind === 'list-records')?.digest ?? '';
    const asked = ['--rerun', id, '--out', out];
    const [still, gone] = [await tryTwin({ after }, ...asked), await tryTwin({}, ...asked)];

    expect([still.code, still.stdout]).toEqual([
      1,
      expect.stringContaining(`${id} is still there: \`author\``),
    ]);
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining(`${id} is gone`)]);
    expect(requestsOf(still)).toBeLessThan(60);
    expect((await tryTwin({}, '--rerun', 'chg-none', '--out', out)).code).toBe(2);
  });

  it('fail on changes that --fail-on names, and not on accepted ones', async () => {
    const after = ignoringAuthors();
    const path = join(testFolder(), 'accepted.json');
    const words = ['--reason', 'wanted', '--owner', 'somebody', '--expires', '2099-01-01'];
    const codes = [
      (await twin({ after }, '--fail-on', 'none')).code,
      (await twin({ after }, '--write-accept', path, ...words)).code,
      (await twin({ after }, '--accept', path)).code,
    ];

    expect(codes).toEqual([0, 0, 0]);
  });

  it('report which calls of a client break', async () => {
    const uses = ['author', 'search', 'order'].map((name) => ({
      method: 'GET',
      route: '/cms/v2/posts',
      caller: 'user',
      parameters: { [name]: { kinds: [] } },
      members: ['id'],
    }));
    const path = testFile('client.json', { format: 1, kind: 'client', uses });
    const { code, comparison } = await twin({ after: ignoringAuthors() }, '--as-client', path);

    expect([code, comparison.clients?.map(({ calls, breaking }) => [calls, breaking.length])]).toEqual([
      1,
      [[3, 1]],
    ]);
  });

  it('may be more than two: one table names the sites that differ from the first, and in what', async () => {
    const first = await behaving({});
    const others = [await behaving({}), await behaving(ignoringAuthors())].map(({ url }) => url);
    const out = testFolder();
    const { code, stdout } = await tryMainAs(
      first,
      ...['twin', first.url, ...others, ...asking(first), '--out', out],
    );

    expect(code).toBe(1);
    expect(stdout).toContain('1 of 2 sites differs from');
    expect(stdout).toMatch(/author.*breaking/);
    expect(readdirSync(out)).toHaveLength(2);
  });
});
