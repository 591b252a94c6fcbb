import { describe, expect, it } from 'vitest';
import { sampleCheck } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import { RELEASE } from './certificate.fixture.ts';
import { basisOf, evaluateRequired, releaseOf, requiredBy } from './evaluate.ts';

const WAIVED = { waiver: '**', reason: 'a plugin', owner: 'the shop', expires: '2027-01-31' };

function planOf(...required: string[]): Parameters<typeof evaluateRequired>[0] {
  return { required, changed: [] };
}

function evaluated(changes: Partial<CheckResult>): ReturnType<typeof evaluateRequired> {
  return evaluateRequired(planOf('a/b'), [sampleCheck({ id: 'a/b', ...changes })], RELEASE);
}

describe('a required check', () => {
  it.each<[string, Partial<CheckResult>]>([
    ['passes', {}],
    ['warns', { verdict: 'warn' }],
    ['has nothing to be applied to', { verdict: 'skip', skip: { kind: 'not-applicable', why: 'none' } }],
    ['is doubtful and waived', { verdict: 'fail', basis: 'doubtful', waived: WAIVED }],
    ['is doubtful and was inconclusive', { verdict: 'inconclusive', basis: 'doubtful' }],
    ['is doubtful and blocked', { verdict: 'skip', basis: 'doubtful', skip: { kind: 'blocked', by: 'c/d' } }],
  ])('is met where it %s', (_what, changes) => {
    expect(evaluated(changes)).toMatchObject({ conclusion: 'conformant', met: 1, unmet: [] });
  });

  it.each<[string, Partial<CheckResult>]>([
    ['fails', { verdict: 'fail' }],
    ['is waived, and not doubtful', { verdict: 'fail', waived: WAIVED }],
    ['was inconclusive', { verdict: 'inconclusive' }],
    ['stopped at a fault', { verdict: 'error' }],
    ['was blocked', { verdict: 'skip', skip: { kind: 'blocked', by: 'c/d' } }],
    ['was left out', { verdict: 'skip', skip: { kind: 'selection', option: '--only' } }],
    ['is doubtful and was not asked', { verdict: 'skip', basis: 'doubtful', skip: { kind: 'credentials' } }],
    ['is doubtful and stopped at a fault', { verdict: 'error', basis: 'doubtful' }],
    ['had no credentials', { verdict: 'skip', skip: { kind: 'credentials' } }],
  ])('is not met where it %s', (_what, changes) => {
    expect(evaluated(changes)).toMatchObject({
      conclusion: 'partial',
      met: 0,
      unmet: [{ id: 'a/b', verdict: changes.verdict }],
    });
  });

  it('is not met without a result', () => {
    expect(evaluateRequired(planOf('a/b'), [], RELEASE).unmet).toEqual([{ id: 'a/b', verdict: 'absent' }]);
  });
});

it('certifies nothing if nothing is required', () => {
  expect(evaluateRequired({ required: [], changed: [] }, [], RELEASE).conclusion).toBe('partial');
});

it('is met by an inconclusive result only if a conforming site may cause it, and never by an unstable one', () => {
  const [[id, row] = ['', undefined]] = RELEASE.checks;
  const release = { ...RELEASE, checks: new Map(row && [[id, { ...row, untold: true as const }]]) };
  const inconclusive = sampleCheck({ id, verdict: 'inconclusive' });
  const unstable = { ...inconclusive, unstable: { failed: 1, asked: 2 } };

  expect(evaluateRequired(planOf(id), [inconclusive], release)).toMatchObject({
    conclusion: 'conformant',
    untold: [id],
  });
  const beside = sampleCheck({ id: 'a/z', verdict: 'skip', skip: { kind: 'blocked', by: id } });
  expect(evaluateRequired({ required: ['a/z'], changed: [] }, [inconclusive, beside], release)).toMatchObject(
    {
      untold: ['a/z'],
    },
  );
  expect(evaluateRequired(planOf(id), [inconclusive], RELEASE).conclusion).toBe('partial');
  expect(evaluateRequired(planOf(id), [unstable], release).conclusion).toBe('partial');
  expect(evaluateRequired(planOf(id), [sampleCheck({ id, verdict: 'fail' })], release).conclusion).toBe(
    'partial',
  );
});

describe('a check that the tool asks differently than the release did', () => {
  const plan = { required: ['a/b', 'a/c', 'a/d'], changed: ['a/b'] };
  const hanging = [
    sampleCheck({ id: 'a/c', verdict: 'skip', skip: { kind: 'blocked', by: 'a/b' } }),
    sampleCheck({ id: 'a/d', verdict: 'skip', skip: { kind: 'blocked', by: 'a/c' } }),
  ];

  it('contradicts no requirement of the release, nor do its dependents, and both are listed', () => {
    expect(
      evaluateRequired(plan, [sampleCheck({ id: 'a/b', verdict: 'fail' }), ...hanging], RELEASE),
    ).toMatchObject({
      conclusion: 'conformant',
      met: 3,
      otherwise: ['a/b', 'a/c', 'a/d'],
    });
  });

  it('is met without a remark where it passes, and not met where it was not run', () => {
    const passing = ['a/b', 'a/c', 'a/d'].map((id) => sampleCheck({ id }));
    const unasked = sampleCheck({ id: 'a/b', verdict: 'skip', skip: { kind: 'credentials' } });

    expect(evaluateRequired(plan, passing, RELEASE)).not.toHaveProperty('otherwise');
    expect(evaluateRequired(plan, [unasked, ...hanging], RELEASE).unmet.map(({ id }) => id)).toEqual(
      plan.required,
    );
  });

  it('excuses no check that did not change, and no checks that block each other', () => {
    const failing = evaluateRequired(
      { ...plan, changed: [] },
      [sampleCheck({ id: 'a/b', verdict: 'fail' }), ...hanging],
      RELEASE,
    );
    const circle = ['a/c', 'a/d'].map((id, at) =>
      sampleCheck({ id, verdict: 'skip', skip: { kind: 'blocked', by: ['a/d', 'a/c'][at] ?? '' } }),
    );

    expect(failing).toMatchObject({ conclusion: 'partial', met: 0 });
    expect(evaluateRequired(plan, [sampleCheck({ id: 'a/b' }), ...circle], RELEASE).met).toBe(1);
  });
});

it('requires the checks of a level and of all lower levels, for the deployments that have them', () => {
  expect(requiredBy('index', RELEASE, RELEASE, 'core').required).toEqual(['index/name/type']);
  expect(requiredBy('full', RELEASE, RELEASE, 'core').required).toHaveLength(3);
  expect(requiredBy('full', RELEASE, RELEASE, 'b').required).toEqual([]);
});

it('reports what a later release dropped or asks differently, and requires no dropped checks', () => {
  const rows = [...RELEASE.checks].filter(([id]) => id !== 'index/name/type');
  const checks = new Map(rows.map(([id, row]) => [id, { ...row, asks: '1'.repeat(12) }]));

  expect(requiredBy('read', RELEASE, { ...RELEASE, version: '1.1', checks }, 'core')).toEqual({
    required: ['posts.list/page/minimum'],
    dropped: ['index/name/type'],
    changed: ['posts.list/page/minimum'],
  });
});

it('does not require additions of later releases', () => {
  const [[id, row] = ['', undefined]] = RELEASE.checks;
  const older = { ...RELEASE, checks: new Map(row && [[id, row]]) };

  expect(requiredBy('full', older, RELEASE, 'core').required).toEqual([id]);
});

it('names the known releases when asked for an unknown one', () => {
  expect(() => releaseOf([RELEASE], '9.9')).toThrow(/contract 9\.9 is not known.*expected one of 1\.0/);
});

it('knows where the words of a vocabulary make a requirement doubtful', () => {
  const [[id, row] = ['', undefined]] = RELEASE.checks;
  const checks = new Map(row && [[id, { ...row, basisIn: { 'core wordpress': 'doubtful' as const } }]]);
  const basis = (vocabulary: string): unknown =>
    basisOf({ ...RELEASE, checks }, id, { deployment: 'core', vocabulary });

  expect([basis('neutral'), basis('wordpress')]).toEqual(['stated', 'doubtful']);
});
