import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleCounterexample, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { refusal, testFile, tryMain } from '../try-main.fixture.ts';

const WORDS = ['--owner', 'the shop', '--reason', 'a plugin', '--expires', '2027-01-31'];
const FAILED = sampleCheck({ id: 'posts.list/order/enum', verdict: 'fail', message: 'wider' });
const SEARCHED = sampleCheck({
  id: 'posts.list/fuzz/accepted',
  verdict: 'fail',
  fuzz: true,
  replay: { sets: [sampleCounterexample()] },
});

function resultsOf(checks: CheckResult[], changes: Partial<RunResult> = {}): string {
  return testFolder({ 'results.json': sampleResult(checks, changes) });
}

function fileOf(...waivers: object[]): string {
  return testFile(
    'waivers.json',
    `${JSON.stringify({ format: 1, 'x-team': 'web', waivers }, undefined, 2)}\n`,
  );
}

function waiversIn(path: string): object[] {
  return JSON.parse(readFileSync(path, 'utf8')).waivers;
}

const WAIVER = { check: 'posts.list/order/enum', reason: 'r', owner: 'o', expires: '2027-01-31', 'x-id': 7 };

describe('waivers make', () => {
  it('makes one also for each check whose failure another one reports, unless that is waived', async () => {
    const waived = { waiver: '**', reason: 'r', owner: 'o', expires: '2027-01-31' };
    const same = (id: string, by: string): CheckResult =>
      sampleCheck({ id, verdict: 'skip', skip: { kind: 'blocked', by, same: true } });
    const known = sampleCheck({ id: 'a', verdict: 'fail', waived });
    const blocked = sampleCheck({ id: 'd', verdict: 'skip', skip: { kind: 'blocked', by: FAILED.id } });
    const results = resultsOf([known, same('b', 'a'), FAILED, same('c', FAILED.id), blocked]);
    const { stdout } = await tryMain('waivers', 'make', results, ...WORDS);

    expect(JSON.parse(stdout).waivers.map((one: { check: string }) => one.check)).toEqual(['c', FAILED.id]);
  });

  it('makes sorted waivers for failures and findings without one, with the same bytes each time', async () => {
    const waived = { waiver: '**', reason: 'r', owner: 'o', expires: '2027-01-31' };
    const covered = sampleCheck({ id: 'a/b', verdict: 'fail', waived });
    const results = resultsOf([FAILED, sampleCheck({}), covered, SEARCHED]);
    const [first, second] = [
      await tryMain('waivers', 'make', results, ...WORDS),
      await tryMain('waivers', 'make', results, ...WORDS),
    ];
    const words = { reason: 'a plugin', owner: 'the shop', expires: '2027-01-31' };
    const seen = { firstSeen: '2025-03-04', lastSeen: '2025-03-04' };

    expect(first.stdout).toBe(second.stdout);
    expect(JSON.parse(first.stdout)).toEqual({
      format: 1,
      waivers: [
        {
          check: 'posts.list/fuzz/accepted',
          finding: 'posts.list/fuzz/accepted#after+before:refused',
          ...words,
          ...seen,
          seenWith: { tool: '0.1.0', contract: expect.stringMatching(/^sha256:/) },
        },
        { check: 'posts.list/order/enum', ...words, ...seen, seenWith: expect.anything() },
      ],
    });
  });

  it('is limited to the software of the run', async () => {
    const result = sampleResult([FAILED]);
    const results = resultsOf([FAILED], { target: { ...result.target, software: 'Cms 2.1' } });
    const { stdout } = await tryMain('waivers', 'make', results, ...WORDS);

    expect(JSON.parse(stdout).waivers).toMatchObject([{ versions: ['Cms 2.1'] }]);
  });

  it('replaces a file only with --force', async () => {
    const path = fileOf(WAIVER);
    const before = readFileSync(path, 'utf8');
    const refused = await tryMain('waivers', 'make', resultsOf([FAILED]), ...WORDS, '--out', path);

    expect(refused).toMatchObject(
      refusal(`--out ${path}: is there already; name another, or add --force to replace it`),
    );
    expect(readFileSync(path, 'utf8')).toBe(before);
    await tryMain('waivers', 'make', resultsOf([FAILED]), ...WORDS, '--out', path, '--force');
    expect(waiversIn(path)).toMatchObject([{ owner: 'the shop' }]);
  });

  it.each([
    ['a day that there is not', ['--expires', '2027-02-30'], /--expires: expected a valid day/],
    ['a day before the run', ['--expires', '2024-01-01'], /--expires 2024-01-01: is before the run/],
    ['no owner', ['--owner', ' '], /--owner: expected a text with content/],
  ])('refuses %s', async (_case, given, line) => {
    expect(await tryMain('waivers', 'make', resultsOf([FAILED]), ...WORDS, ...given)).toMatchObject(
      refusal(line),
    );
  });
});

describe('waivers refresh', () => {
  it('notes when and on which version a failure was seen, and keeps the members of the user', async () => {
    const path = fileOf({
      ...WAIVER,
      firstSeen: '2025-01-01',
      lastSeen: '2025-02-01',
      versions: ['Cms 2.0'],
    });
    const { target } = sampleResult([]);
    const results = resultsOf([FAILED], { target: { ...target, software: 'Cms 2.1' } });
    const { code, stdout } = await tryMain('waivers', 'refresh', path, results);

    expect(code).toBe(0);
    expect(stdout).toContain('~ posts.list/order/enum: lastSeen 2025-02-01 → 2025-03-04');
    expect(waiversIn(path)).toEqual([
      {
        ...WAIVER,
        firstSeen: '2025-01-01',
        lastSeen: '2025-03-04',
        seenWith: expect.anything(),
        versions: ['Cms 2.0', 'Cms 2.1'],
      },
    ]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveProperty('x-team', 'web');
  });

  it('adds nothing, and does not change a waiver whose failure the run does not show', async () => {
    const path = fileOf({ ...WAIVER, check: 'pages.list/order/enum' });
    const before = readFileSync(path, 'utf8');
    const { code, stdout } = await tryMain('waivers', 'refresh', path, resultsOf([FAILED]));

    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path}: nothing to change\n` });
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('with --check reports what would change, writes nothing and ends with 1', async () => {
    const path = fileOf(WAIVER);
    const before = readFileSync(path, 'utf8');
    const { code, stdout } = await tryMain('waivers', 'refresh', path, resultsOf([FAILED]), '--check');

    expect(code).toBe(1);
    expect(stdout).toContain('firstSeen not there → 2025-03-04');
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

describe('waivers prune', () => {
  const PASSES = { ...FAILED, verdict: 'pass' } as const;

  it('removes waivers of passing checks and of none, and reports which and why', async () => {
    const kept = { ...WAIVER, check: 'posts.list/fuzz/accepted' };
    const path = fileOf(WAIVER, { ...WAIVER, check: 'posts.lst/**' }, kept);
    const { code, stdout } = await tryMain('waivers', 'prune', path, resultsOf([PASSES, SEARCHED]));

    expect(code).toBe(0);
    expect(stdout).toContain('removes posts.list/order/enum: all of its checks pass\n');
    expect(stdout).toContain('removes posts.lst/**: it matches no check\n');
    expect(waiversIn(path)).toEqual([kept]);
  });

  it('keeps an expired waiver whose failure persists, and says so', async () => {
    const path = fileOf({ ...WAIVER, expires: '2025-01-01' });
    const { stdout } = await tryMain('waivers', 'prune', path, resultsOf([FAILED]));

    expect(stdout).toContain('keeps posts.list/order/enum: it expired, and its failure is not gone\n');
    expect(waiversIn(path)).toHaveLength(1);
  });

  it('removes the waiver of a search that finds nothing only once it has expired', async () => {
    const missed = sampleCheck({ id: SEARCHED.id, fuzz: true });
    const about = { ...WAIVER, check: SEARCHED.id };
    const [early, late] = [fileOf(about), fileOf({ ...about, expires: '2025-03-03' })];
    for (const path of [early, late]) await tryMain('waivers', 'prune', path, resultsOf([missed]));

    expect([waiversIn(early), waiversIn(late)]).toEqual([[about], []]);
  });

  it('keeps waivers for checks that an interrupted run did not reach', async () => {
    const path = fileOf({ ...WAIVER, check: 'pages.list/order/enum' });
    const partial = { planned: 9, asked: 1, share: 1 / 9 };
    const { stdout } = await tryMain('waivers', 'prune', path, resultsOf([PASSES], { partial }));

    expect(stdout).toBe(`${path}: nothing to change\n`);
  });

  it('with --check writes nothing and ends with 1', async () => {
    const path = fileOf(WAIVER);
    const { code, stdout } = await tryMain('waivers', 'prune', path, resultsOf([PASSES]), '--check');

    expect(code).toBe(1);
    expect(stdout).toContain('would remove posts.list/order/enum: all of its checks pass\n');
    expect(waiversIn(path)).toHaveLength(1);
  });
});

it('waivers list lists waivers by expiry day, with their owners', async () => {
  const past = { ...WAIVER, check: 'a/b', expires: '2020-01-01' };
  expect(await tryMain('waivers', 'list', fileOf({ ...WAIVER, expires: '2999-12-31' }, past))).toMatchObject({
    stdout: expect.stringMatching(
      /^2020-01-01 {2}expired \d+ days ago +a\/b {2}o: r\n2999-12-31 {2}\d+ days left /,
    ),
  });
});
