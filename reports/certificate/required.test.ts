import { expect, it } from 'vitest';
import { RELEASE } from './certificate.fixture.ts';
import { basisOf, releaseOf, requiredBy } from './evaluate.ts';

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
