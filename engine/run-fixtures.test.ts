import { describe, expect, it } from 'vitest';
import type { Check, Finding } from './check.ts';
import { type CreateFixtures, Engine } from './engine.ts';
import { inconclusive } from './findings.ts';
import { plan } from './plan.ts';
import type { CheckResult, FixtureReport } from './result.ts';
import { resultsOf, testCheck, testSession } from './session.fixture.ts';
import { fixture } from './session.ts';

const REPORT: FixtureReport = { made: { posts: 2 }, requests: 3, missing: [] };
const LACKS = inconclusive('no record is visible');

/** A site that is empty until its fixtures are created, with its requests. */
function emptySite(report: FixtureReport | undefined = REPORT, always = false) {
  const lacking: string[][] = [];
  const site = { isSet: false, lacking };
  const fixtures: CreateFixtures = async (_session, checks, isFirst) => {
    if (isFirst && !always) return undefined;
    lacking.push(checks.map(({ id }) => id));
    site.isSet = report !== undefined;
    return report;
  };
  return { site, fixtures };
}

async function run(checks: readonly Check[], fixtures: CreateFixtures | undefined) {
  const planned = plan(checks, { only: [], skip: [], mode: 'full', hasUser: true });
  const engine = new Engine(testSession(), planned, { fixtures });
  const results = new Map((await resultsOf(engine, planned)).map((result) => [result.id, result] as const));
  return { results, report: engine.stage };
}

function verdicts(results: ReadonlyMap<string, CheckResult>): Record<string, string> {
  return Object.fromEntries([...results].map(([id, { verdict }]) => [id, verdict]));
}

function counting(id: string, site: { isSet: boolean }, more: Partial<Check> = {}) {
  const times = { count: 0 };
  const ask = (): Finding[] => {
    times.count += 1;
    return site.isSet ? [] : [LACKS];
  };
  const check = testCheck(id, ask, more);
  return { check, times };
}

describe('fixtures of a run', () => {
  it('are the current activity while they are created, and not afterwards', async () => {
    const { site, fixtures } = emptySite();
    const seen: (string | undefined)[] = [];
    const watched: CreateFixtures = (session, checks, isFirst) => {
      seen.push(engine.activity);
      return fixtures(session, checks, isFirst);
    };
    const lacks = testCheck('posts.list/a', () => {
      seen.push(engine.activity);
      return site.isSet ? [] : [LACKS];
    });
    const planned = plan([lacks], { only: [], skip: [], mode: 'full', hasUser: true });
    const engine: Engine = new Engine(testSession(), planned, { fixtures: watched });
    await resultsOf(engine, planned);

    expect(seen).toEqual(['stage', undefined, 'stage', undefined]);
  });

  it('are created for inconclusive checks only, which are then evaluated again', async () => {
    const { site, fixtures } = emptySite();
    const lacks = counting('posts.list/a', site);
    const tells = counting('posts.list/b', { isSet: true });
    const { results, report } = await run([lacks.check, tells.check], fixtures);

    expect(verdicts(results)).toEqual({ 'posts.list/a': 'pass', 'posts.list/b': 'pass' });
    expect(site.lacking).toEqual([['posts.list/a']]);
    expect([lacks.times.count, tells.times.count]).toEqual([2, 1]);
    expect(report).toEqual(REPORT);
  });

  it('cause dependents of an inconclusive check to be evaluated again', async () => {
    const { site, fixtures } = emptySite();
    const root = counting('posts.list/a', site);
    const hangs = testCheck('posts.list/b', [], { dependsOn: ['posts.list/a'] });
    const { results } = await run([root.check, hangs], fixtures);

    expect(verdicts(results)).toEqual({ 'posts.list/a': 'pass', 'posts.list/b': 'pass' });
  });

  it('are used in the order of the first evaluation: what looks at all answers comes last', async () => {
    const { site, fixtures } = emptySite();
    const order: string[] = [];
    const kinds = ['shown', 'defaults', 'accepted'] as const;
    const checks = kinds.map((kind) => {
      const evaluate = (): Finding[] => {
        if (site.isSet) order.push(kind);
        return site.isSet ? [] : [LACKS];
      };
      return testCheck(`posts.list/${kind}`, evaluate, { kind });
    });
    await run(checks, fixtures);

    expect(order).toEqual(kinds.toReversed());
  });

  it('make the run forget remembered answers', async () => {
    const { site, fixtures } = emptySite();
    const seen = fixture('seen', async () => site.isSet);
    const check = testCheck('posts.list/a', async (session) => ((await seen(session)) ? [] : [LACKS]));

    expect(verdicts((await run([check], fixtures)).results)).toEqual({ 'posts.list/a': 'pass' });
  });

  it('leave verdicts unchanged if there is nothing to create', async () => {
    const { site } = emptySite();
    const nothing: CreateFixtures = async () => undefined;
    const lacks = counting('posts.list/a', site);
    const { results, report } = await run([lacks.check], nothing);

    expect(results.get('posts.list/a')).toMatchObject({ verdict: 'inconclusive', message: LACKS.message });
    expect(lacks.times.count).toBe(1);
    expect(report).toBeUndefined();
  });

  it('are created once, even if checks are inconclusive afterwards', async () => {
    const { site, fixtures } = emptySite();
    const never = testCheck('posts.list/a', [LACKS]);
    const later = testCheck('posts.update/a', [LACKS], { effect: 'writes' });
    const { results } = await run([never, later], fixtures);

    expect(verdicts(results)).toEqual({ 'posts.list/a': 'inconclusive', 'posts.update/a': 'inconclusive' });
    expect(site.lacking).toHaveLength(1);
  });

  it('never repeat what may alter the site', async () => {
    const { site, fixtures } = emptySite();
    const alters = counting('settings.update/a', site, { effect: 'alters-site' });
    await run([alters.check], fixtures);

    expect(alters.times.count).toBe(1);
    expect(site.lacking).toEqual([]);
  });

  it('are created first if the run says so', async () => {
    const { site, fixtures } = emptySite(REPORT, true);
    const lacks = counting('posts.list/a', site);
    await run([lacks.check], fixtures);

    expect([lacks.times.count, site.lacking]).toEqual([1, [['posts.list/a']]]);
  });

  it('report why they could not be created, and checks are evaluated anyway', async () => {
    const { site } = emptySite();
    const lacks = counting('posts.list/a', site);
    const { results, report } = await run([lacks.check], () => Promise.reject(new Error('no room')));

    expect(verdicts(results)).toEqual({ 'posts.list/a': 'inconclusive' });
    expect(report?.missing).toMatchObject([{ why: 'no room' }]);
  });
});
