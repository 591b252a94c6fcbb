import { expect, it } from 'vitest';
import { readBase } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { fetchIndex } from '../../client/site-index.ts';
import type { TourLevel } from '../../engine/run-options.ts';
import { createSession } from '../../engine/session.ts';
import { versioned } from '../../sites/alterations/observed/lists.ts';
import { proxiedSite } from '../../sites/proxied-site.fixture.ts';
import { forward, type ProxyRequest } from '../../sites/proxy.ts';
import { type ServeOptions, serve } from '../../sites/reference/serve.ts';
import { unpretty } from '../../sites/unpretty.fixture.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { textsOf } from '../../specs/texts.ts';
import { type Recorded, recorder } from '../../suites/recorder.fixture.ts';
import { MOST_STOPS } from './stops.ts';
import { mostRequests, tour } from './tour.ts';

const OF_NOBODY = 3;
const OF_SHORT = 6 + OF_NOBODY;
/** What is asked of the site as a whole: an unknown route, and the index as two callers. */
const OF_SITE = 3;

interface Toured {
  readonly seen: readonly Recorded[];
  /** How many requests were sent twice. */
  readonly again: number;
}

/** The requests of a tour of the reference deployment. */
async function toured(
  level: TourLevel,
  more: {
    user?: boolean;
    most?: number;
    contract?: (contract: Contract) => Contract;
    left?: number;
    callers?: readonly string[];
    behaviour?: ServeOptions['behaviour'];
    /** Whether the site also serves addresses below /wp-json/. */
    pretty?: boolean;
  } = {},
): Promise<Toured> {
  const { user = true, most = 1000, contract = (one) => one, left = Number.POSITIVE_INFINITY } = more;
  const { callers = [], pretty = false } = more;
  await using site = await served(pretty, more.behaviour);
  const { url, seen } = await recorder(site.url);
  const client = new Client({
    base: readBase(url),
    mode: 'read',
    concurrency: 4,
    timeout: 5,
    ...(user && { user: site.user, password: site.password }),
    callers: callers.map((name) =>
      name === 'anonymous' ? { name } : { name, user: name, password: site.password },
    ),
  });
  const { index } = await fetchIndex(client);
  const before = seen.length;
  const loaded = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const session = createSession({ contract: contract(loaded), index, client, seed: 1 });
  let again = 0;
  await tour(session, {
    level,
    names: textsOf('observed'),
    most,
    callers,
    isOver: () => seen.length - before >= left,
    again: () => {
      again += 1;
    },
  });
  await client.close();
  return { seen: seen.slice(before), again };
}

const usual = new Map<TourLevel, Promise<Toured>>();

/** The usual tour of a level, which several tests look at. */
function usualTour(level: TourLevel): Promise<Toured> {
  const made = usual.get(level) ?? toured(level);
  usual.set(level, made);
  return made;
}

async function served(
  pretty: boolean,
  behaviour: ServeOptions['behaviour'] = {},
): Promise<Pick<Awaited<ReturnType<typeof serve>>, 'url' | 'user' | 'password'> & AsyncDisposable> {
  const both = (asked: ProxyRequest): ProxyRequest =>
    asked.url.pathname.startsWith('/wp-json/') ? unpretty(asked) : asked;
  const site = pretty
    ? await proxiedSite({ deployment: 'core' }, (asked) => forward(both(asked)))
    : await serve({ deployment: 'core', behaviour });
  return { ...site, [Symbol.asyncDispose]: () => site.close() };
}

/** The list that a request is about. */
function listOf({ route }: Recorded): string {
  return route.split('/').slice(0, 4).join('/');
}

it('sends nothing where no tour is wanted', async () => {
  expect((await toured('none')).seen).toEqual([]);
});

it.each([true, false])(
  'only reads, and asks at most thirteen things of a list as one caller (user: %s)',
  async (user) => {
    const { seen, again } = await (user ? usualTour('full') : toured('full', { user }));
    const counts = Map.groupBy(
      seen.filter(({ route }) => route !== '/'),
      (one) => `${listOf(one)} ${one.headers.authorization === undefined ? 'anonymous' : 'user'}`,
    );

    expect([...new Set(seen.map(({ method }) => method))].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect([...counts.values()].filter((all) => all.length > MOST_STOPS + OF_NOBODY)).toEqual([]);
    expect(counts.size).toBeGreaterThan(3);
    expect(again).toBeGreaterThan(2);
  },
);

it('reads what clients read', async () => {
  const { seen } = await usualTour('full');
  const posts = seen.filter((one) => listOf(one) === '/cms/v2/posts');
  const shown = posts.map(({ method, route, query, headers, status }) => {
    const asked = [...query]
      .filter(([name]) => name !== 'rest_route')
      .map(([name, value]) => `${name}=${value}`);
    const caller = headers.authorization === undefined ? 'anonymous' : 'user';
    const origin = headers.origin === undefined ? [] : ['preflight'];
    return [
      caller,
      method,
      route.replace(/\d+$/, (id) => (id.length > 5 ? 'unknown' : 'first')),
      ...asked,
      ...origin,
      status,
    ].join(' ');
  });

  expect(shown).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^user GET \/cms\/v2\/posts 200$/),
      expect.stringMatching(/^user GET \/cms\/v2\/posts context=edit 200$/),
      expect.stringMatching(/^user HEAD \/cms\/v2\/posts 200$/),
      expect.stringMatching(/^user OPTIONS \/cms\/v2\/posts 200$/),
      expect.stringMatching(/^anonymous OPTIONS \/cms\/v2\/posts preflight 200$/),
      expect.stringMatching(/^user GET \/cms\/v2\/posts\/first 200$/),
      expect.stringMatching(/^user GET \/cms\/v2\/posts\/unknown 404$/),
      expect.stringMatching(/^anonymous OPTIONS \/cms\/v2\/posts\/first 200$/),
      expect.stringMatching(/^anonymous GET \/cms\/v2\/posts per_page=\d+ page=2 200$/),
      expect.stringMatching(/^user GET \/cms\/v2\/posts _fields=id,\w+\.\w+ 200$/),
      expect.stringMatching(/^user GET \/cms\/v2\/posts _embed=1 200$/),
      expect.stringMatching(/^user GET \/cms\/v2\/posts _envelope=1 200$/),
      expect.stringMatching(/^anonymous GET \/cms\/v2\/posts search=site-conformance-no-such-value 200$/),
      expect.stringMatching(/^anonymous GET \/cms\/v2\/posts per_page=100 200$/),
      expect.stringMatching(/^user GET \/cms\/v2\/posts \w+=site-conformance-no-such-value 400$/),
    ]),
  );
});

it('sends conditional requests once for a first page and a record that have validators', async () => {
  const versions = { id: 'versions', title: '', behaviour: versioned(['ETag', '"a"'], 'if-none-match') };
  const { seen } = await toured('full', { behaviour: versions.behaviour });
  const conditional = seen.filter(({ headers }) => headers['if-none-match'] !== undefined);
  const posts = conditional.filter((one) => listOf(one) === '/cms/v2/posts');

  expect(conditional.filter(({ method, status }) => method !== 'GET' || status !== 304)).toEqual([]);
  expect(
    posts.map(({ headers, route }) => `${headers.authorization === undefined} ${route.split('/').length}`),
  ).toEqual([...['false 4', 'false 5', 'true 4', 'true 5']]);
});

it('sends few requests in a short tour, and no more than a share of the run', async () => {
  const { seen } = await usualTour('short');
  const counts = Map.groupBy(seen, listOf);
  const most = OF_SITE + OF_SHORT;

  expect(counts.size).toBeGreaterThan(2);
  expect([...counts.values()].filter((all) => all.length > OF_SHORT)).toEqual([]);
  expect((await toured('short', { most: most + 1 })).seen).toHaveLength(most);
  expect((await toured('short', { most: most - 1 })).seen).toHaveLength(OF_SITE);
  expect((await toured('short', { most: 0 })).seen).toEqual([]);
});

it.each(['short', 'full'] as const)('asks as nobody for what is not public in a %s tour', async (level) => {
  const rights = (seen: Toured['seen']): string[] =>
    seen.flatMap(({ headers, query }) => {
      const asked = [...query]
        .filter(([name]) => ['context', 'status'].includes(name))
        .map((pair) => pair.join('='));
      return headers.authorization === undefined ? asked : [];
    });

  expect(new Set(rights((await usualTour(level)).seen))).toEqual(
    new Set(['context=edit', 'status=private', 'status=draft']),
  );
});

it('leaves out no list of a short tour for further callers', async () => {
  const listsFor = async (...callers: readonly string[]): Promise<Set<string>> =>
    new Set((await toured('short', { most: OF_SITE + 3 * OF_SHORT, callers })).seen.map(listOf));

  expect(await listsFor('editor', 'reader')).toEqual(await listsFor());
});

it('reads only the first page of lists outside the contract in a short tour, as the user and as nobody', async () => {
  const without = (contract: Contract): Contract => ({
    ...contract,
    operations: contract.operations.filter(({ route }) => route.wire !== '/cms/v2/pages'),
  });
  const { seen } = await toured('short', { contract: without });
  const asked = (list: string): string[] =>
    seen
      .filter((one) => listOf(one) === list)
      .map(({ method, headers }) => `${method} ${headers.authorization === undefined ? 'nobody' : 'user'}`);

  expect(asked('/cms/v2/pages')).toEqual(['GET user', 'GET nobody']);
  expect(asked('/cms/v2/posts')).toEqual([
    ...['GET user', 'GET nobody', 'HEAD user', 'OPTIONS nobody', 'GET nobody', 'GET user'],
    ...['GET nobody', 'GET nobody', 'GET nobody'],
  ]);
});

it('sees in a short tour what the lists of the contract embed, and some members of their records alone', async () => {
  const { seen } = await usualTour('short');
  const asked = seen
    .filter((one) => listOf(one) === '/cms/v2/posts')
    .flatMap(({ query }) => [...query.keys()]);

  expect(asked.filter((name) => name.startsWith('_'))).toEqual(['_embed', '_fields']);
});

it('leaves out routes with a marked effect, and their records', async () => {
  const marked = (contract: Contract): Contract => ({
    ...contract,
    operations: contract.operations.map((one) =>
      ['posts.list', 'pages.read'].includes(one.id) ? { ...one, effect: 'alters-site' } : one,
    ),
  });
  const { seen } = await toured('full', { contract: marked });
  const routes = seen.filter(({ method }) => method === 'GET').map(({ route }) => route);

  expect(routes).toContain('/cms/v2/pages');
  expect(routes.filter((route) => route === '/cms/v2/posts' || route.startsWith('/cms/v2/pages/'))).toEqual(
    [],
  );
});

it('asks once for a route that no site has', async () => {
  const { seen } = await usualTour('short');
  const unknown = seen.filter(({ route }) => route.includes('no-such-route'));

  expect(unknown.map(({ status }) => status)).toEqual([404]);
});

it.each([
  [true, ['user', 'nobody']],
  [false, []],
])('asks for the index as the user and as nobody, if there is a user (%s)', async (user, expected) => {
  const { seen } = await toured('short', { user });
  const callers = seen.flatMap(({ route, headers: { authorization } }) =>
    route === '/' ? [authorization === undefined ? 'nobody' : 'user'] : [],
  );

  expect(callers).toEqual(expected);
});

it('ends with the run', async () => {
  expect((await toured('full', { left: 10 })).seen.length).toBeLessThan(20);
});

it('sends, as each caller, requests that show its rights: the list, one record, the edit context and records that are not public', async () => {
  const { seen } = await toured('short', { callers: ['anonymous', 'editor', 'reader'] });
  const rights = seen.filter((one) => listOf(one) === '/cms/v2/posts').slice(OF_SHORT - OF_NOBODY - 1);
  const shown = rights.map(({ route, query, headers: { authorization = '' } }) => {
    const [user] = Buffer.from(String(authorization).replace('Basic ', ''), 'base64').toString().split(':');
    const asked = [...query].filter(([name]) => name !== 'rest_route').map((pair) => pair.join('='));
    return [user, route.split('/').length === 4 ? 'list' : 'record', ...asked].join(' ').trim();
  });
  const each = ['list', 'record', 'list context=edit', 'list status=private', 'list status=draft'];

  expect(shown.slice(0, each.length).map((one) => one.replace(/^\S+ /, ''))).toEqual(each);
  expect(shown.slice(each.length)).toEqual([
    ...each,
    ...each.map((one) => `editor ${one}`),
    ...each.map((one) => `reader ${one}`),
  ]);
  expect(mostRequests('short', 1, 2, ['anonymous', 'editor', 'reader'])).toBe(OF_SHORT + 4 * each.length);
});

it('reads lists under the other form of their address, if the site serves it and the limit allows', async () => {
  const [both, one] = [await toured('full', { pretty: true }), await toured('full')];
  const others = ({ seen }: Toured): number => seen.filter(({ path }) => path.startsWith('/wp-json/')).length;

  expect(others(both)).toBeGreaterThan(1);
  expect(both.seen.filter(({ path, status }) => path.startsWith('/wp-json/') && status !== 200)).toEqual([]);
  // One request finds out whether the site serves the other form.
  expect(others(one)).toBe(1);
});
