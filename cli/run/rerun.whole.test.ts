import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../engine/check.ts';
import { sampleCheck, sampleCounterexample, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { refusal, resultIn, testFile, tryMain, tryRun } from '../try-main.fixture.ts';
import { chooseTargets, resolveTargets } from './configure.ts';
import { leftOut, onlyOpen, withRerun } from './repeat.ts';
import { wrongDefault } from './wrong-site.fixture.ts';

function check(id: string, more: Partial<Check> = {}): Check {
  return { id, area: id, title: id, section: '1', basis: 'stated', effect: 'reads', run: () => [], ...more };
}

const CHECKS = [
  check('root'),
  check('list/answers/user'),
  check('a', { dependsOn: ['middle'] }),
  check('middle', { dependsOn: ['root'] }),
  check('b', { buildsOn: ['list/answers/{caller}'] }),
  check('b/below'),
  check('c'),
];

const target = { url: '', deployment: 'core', vocabulary: 'neutral', index: '' };

const SITES = resolveTargets({ target: 'http://127.0.0.1:9' }, {}, {});

function again(checks: CheckResult[], only: string[] = [], skip: string[] = []): string[] {
  const results = testFolder({ 'results.json': sampleResult(checks, { target }) });
  const sites = SITES.map((site) => ({ ...site, own: CHECKS, user: 'admin', only, skip }));
  return withRerun(sites, results).flatMap((site) => [...(site.again ?? [])].toSorted());
}

const failing = (id: string): CheckResult => sampleCheck({ id, verdict: 'fail' });

describe('what is run again', () => {
  it('is every check that failed, stopped at a fault or was unstable, with all its dependencies', () => {
    expect(again([failing('a'), sampleCheck({ id: 'c' })])).toEqual(['a', 'middle', 'root']);
    expect(again([sampleCheck({ id: 'b', verdict: 'error' })])).toEqual(['b', 'list/answers/user']);
    expect(
      again([sampleCheck({ id: 'c', verdict: 'inconclusive', unstable: { failed: 1, asked: 3 } })]),
    ).toEqual(['c']);
    expect(() => again([sampleCheck({ id: 'c', verdict: 'inconclusive' })])).toThrow('nothing failed there');
  });

  it('leaves out checks that the contract no longer has', () => {
    expect(() => again([failing('gone')])).toThrow('nothing failed there');
  });

  it('is the failures that --only selects, with their dependencies, and nothing that --skip names', () => {
    expect(again([failing('a'), failing('b')], ['a'])).toEqual(['a', 'middle', 'root']);
    expect(again([failing('a'), failing('b')], [], ['b', 'root'])).toEqual(['a', 'middle']);
  });
});

it('runs the calls of a client again that did not pass', () => {
  const uses = [{ method: 'GET', route: '/cms/v2/posts', caller: 'anonymous', parameters: {}, members: [] }];
  const file = testFile('app.client.json', { format: 1, kind: 'client', uses });
  const before = new Map([['core', { checks: [failing('client/app/cms/v2/posts/anonymous')] }]]);
  const open = SITES.map((site) => onlyOpen({ ...site, asClient: [file] }, before)?.again);

  expect(open).toEqual([['client/app/cms/v2/posts/anonymous']]);
});

describe('run --rerun', () => {
  it('tries earlier findings of searches first, whatever the seed', () => {
    const id = 'posts.list/fuzz/accepted';
    const sets = [sampleCounterexample(), sampleCounterexample({ masked: true })];
    const results = sampleResult([sampleCheck({ id, verdict: 'fail', replay: { sets } })], { target });
    const folder = testFolder({ 'results.json': results });
    const [narrowed] = withRerun(SITES, folder);

    expect(narrowed?.fuzz.kept).toEqual([{ check: id, args: sampleCounterexample().args }]);
    expect(narrowed?.again).toContain(id);
  });

  it('reports the writing checks that mode read leaves out, and the option that includes them', () => {
    const checks = ['posts.list/per_page/maximum', 'lifecycle/posts'].map((id) =>
      sampleCheck({ id, verdict: 'fail' }),
    );
    const folder = testFolder({ 'results.json': sampleResult(checks, { target }) });
    const narrowed = withRerun(SITES, folder);

    expect(leftOut(chooseTargets(narrowed, {}))).toEqual([
      expect.stringMatching(
        /^--rerun: \d+ of \d+ checks of core are left out: (\d+ need --user NAME, )?\d+ need --mode write/,
      ),
    ]);
  });

  it('runs only what failed, and reports a partial run', async () => {
    const out = testFolder();
    const { deployment, ...site } = await wrongDefault();
    const about = ['run', '--target', site.url, '--deployment', deployment, '--out', out];
    await tryMain(...about, '--only', 'posts.list/per_page', 'index/name');
    const before = readFileSync(join(out, 'results.json'), 'utf8');
    const { code, stdout } = await tryMain(...about, '--rerun', out);
    const { checks, partial } = resultIn(out, 'rerun');
    const asked = checks.filter(({ skip }) => skip?.kind !== 'selection').map(({ id }) => id);

    expect(asked).toContain('posts.list/per_page/default');
    expect(asked).toContain('posts.list/per_page/declared');
    expect(asked).not.toContain('posts.list/per_page/maximum');
    expect(checks.find(({ skip }) => skip?.kind === 'selection')?.message).toBe('not selected by --rerun');
    expect(partial).toMatchObject({ asked: asked.length, planned: checks.length });
    expect(stdout).toContain('NOT CONFORMANT (PARTIAL)');
    expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(before);
    expect(code).toBe(1);
  }, 60_000);

  it('prints one line if nothing failed, and concludes nothing', async () => {
    const folder = testFolder({ 'results.json': sampleResult([sampleCheck({})], { target }) });
    const { code, lines } = await tryRun(
      ...['--target', 'http://127.0.0.1:9', '--deployment', 'core', '--rerun', folder],
    );

    expect(lines).toEqual([
      `site-conformance: --rerun ${folder}: nothing failed there: nothing to run again`,
    ]);
    expect(code).toBe(3);
    expect(readdirSync(folder)).toEqual(['results.json']);
  });

  it('cannot be combined with a replay', async () => {
    expect(await tryRun('--rerun', 'x', '--replay', 'y')).toMatchObject(
      refusal(/--rerun and --replay .* leave one of them out/),
    );
  });
});
