import { describe, expect, it, vi } from 'vitest';
import { closedAfter } from '../client/server.fixture.ts';
import { compareSides } from '../compare/comparison.ts';
import { readSide, type Side } from '../compare/side.ts';
import { causesSaid, EXHIBIT_RUN } from '../prove/exhibits.ts';
import { ofToday } from '../prove/todays-share.fixture.ts';
import type { Twin } from '../sites/alterations/observed/exhibit.ts';
import { EXHIBITS } from '../sites/alterations/observed/exhibits.ts';
import { TWINS } from '../sites/alterations/observed/twins.ts';
import { type ServeOptions, serve } from '../sites/reference/serve.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { targetOf, testFile, type tryMain, tryMainAs } from './try-main.fixture.ts';

type Behaviour = NonNullable<ServeOptions['behaviour']>;

const SHARES = 24;
const TOUR = ['--only', 'index/**', '--tour', 'full'];

async function ran(
  behaviour: Behaviour,
  asked: readonly string[],
): Promise<Awaited<ReturnType<typeof tryMain>> & { readonly out: string }> {
  const site = await closedAfter(serve({ deployment: 'core', behaviour }));
  const out = testFolder();
  vi.stubEnv('SITE_CONFORMANCE_EDITOR', 'open sesame editor');
  const how = ['--mode', 'read', '--seed', '1', '--reporter', 'json', '--out', out];
  return { ...(await tryMainAs(site, 'run', ...targetOf(site), ...how, ...asked)), out };
}

async function seen(behaviour: Behaviour = {}): Promise<Side> {
  const { only, tour, callers } = EXHIBIT_RUN;
  const config = testFile('config.json', { callers });
  const { out } = await ran(behaviour, ['--only', ...only, '--tour', tour, '--config', config, '--quiet']);
  return readSide(out);
}

function expectSaid(was: Side, is: Side, said: readonly string[]): void {
  const comparison = compareSides(was, is);
  expect(causesSaid(comparison)).toEqual(said);
  expect(
    comparison.groups.filter(({ headline }) => headline.length > 120 || headline.includes('(?P<')),
  ).toEqual([]);
}

describe('a comparison of two runs', () => {
  let usual: Promise<Side> | undefined;
  const earlier = (before: Twin['before']): Promise<Side> => {
    if (before !== undefined) return seen(before);
    usual ??= seen();
    return usual;
  };

  it.each(ofToday(EXHIBITS, SHARES))(
    'names the change of $id once',
    async ({ shows, before, ...alteration }) => {
      const said = `${shows.class} ${shows.kind} ${shows.subject}`;
      expectSaid(await earlier(before), await seen(alteration.behaviour), [said]);
    },
  );

  it.each(ofToday(TWINS, SHARES))('reports no breaking change for $id', async ({ before, ...twin }) => {
    expectSaid(await earlier(before), await seen(twin.behaviour), []);
  });

  it('reports nothing that only one of two tours requested', async () => {
    const [none, full] = [await ran({}, [...TOUR.slice(0, 2), '--tour', 'none']), await ran({}, TOUR)];
    const { counts } = compareSides(readSide(full.out), readSide(none.out));

    expect(counts).toEqual({ exposed: 0, breaking: 0, unknown: 0, compatible: 0 });
  });

  it('reports nothing for the same site under another address', async () => {
    const { counts } = compareSides(await earlier(undefined), await seen());

    expect(counts).toEqual({ exposed: 0, breaking: 0, unknown: 0, compatible: 0 });
  });

  it('reports nothing where a header of one run is a word of the contract', async () => {
    const [plain, other] = [await ran({}, TOUR), await ran({}, [...TOUR, '--header', 'X-Env: categories'])];
    const { changes } = compareSides(readSide(plain.out), readSide(other.out));

    expect(changes).toEqual([]);
  });

  it('covers enough alterations and twins', () => {
    const ids = [...EXHIBITS, ...TWINS].map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    expect(EXHIBITS.length).toBeGreaterThanOrEqual(200);
    expect(TWINS.length).toBeGreaterThanOrEqual(60);
  });
});

it('a run beside a baseline reports changes in answers, and fails for them only if configured', async () => {
  const exhibit = EXHIBITS.find(({ id }) => id === 'terms-count-text');
  if (exhibit === undefined) throw new Error('no exhibit');
  const { out } = await ran(exhibit.before ?? {}, TOUR);
  const beside = (...more: readonly string[]): ReturnType<typeof ran> =>
    ran(exhibit.behaviour, [...TOUR, '--baseline', out, ...more]);
  const [green, red] = [await beside(), await beside('--fail-on', 'changes')];

  expect([green.code, red.code]).toEqual([0, 1]);
  expect(green.stdout).toContain('nothing new, 1 change in answers');
  expect(green.stdout).toContain('breaking: ');
});
