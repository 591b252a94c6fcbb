import { expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import { badgeOf } from './badge.ts';

const PARTIAL = { planned: 2, asked: 1, share: 0.5 };
const WAIVED = { waiver: 'x', reason: 'r', owner: 'o', expires: '2030-01-01' };

it.each<[string, Partial<CheckResult>[], object, string, string]>([
  ['that passes', [{}], {}, 'conformant', 'brightgreen'],
  ['that was narrowed', [{}], { partial: PARTIAL }, 'conformant, partial', 'yellow'],
  [
    'with an accepted deviation',
    [{}, { verdict: 'fail', waived: WAIVED }],
    {},
    'conformant, 1 waived',
    'brightgreen',
  ],
  ['that evaluated little', [{}, { verdict: 'inconclusive' }], {}, '50.0 % evaluated, conformant', 'yellow'],
  ['that fails', [{ verdict: 'fail' }, { verdict: 'fail' }], {}, '2 failing', 'red'],
  ['that strict mode does not accept', [{}], { conclusion: 'nonconformant' }, 'not conformant', 'red'],
  ['that was inconclusive', [{ verdict: 'inconclusive' }], {}, 'inconclusive', 'lightgrey'],
])('is green only where all was asked and conforms: a run %s', (_what, checks, changes, message, color) => {
  const result = sampleResult(
    checks.map((one, at) => sampleCheck({ id: `a/${at}`, ...one })),
    changes,
  );

  expect(badgeOf(result)).toEqual({ schemaVersion: 1, label: 'conformance a', message, color });
});
