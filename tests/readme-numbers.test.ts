import { expect, it } from 'vitest';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { readText } from './project-files.ts';

it('the README shows a run of B with every check of B', () => {
  const [, passed = '', inconclusive = '', all = ''] =
    /^CONFORMANT {2}([\d,]+) checks passed, ([\d,]+) of ([\d,]+) \(.*\) inconclusive$/m.exec(
      readText('README.md'),
    ) ?? [];
  const checks = allChecks(loadContract({ deployment: 'b', vocabulary: 'neutral' }));

  const numberOf = (digits: string): number => Number(digits.replaceAll(',', ''));

  expect(numberOf(all)).toBe(checks.length);
  expect(numberOf(passed) + numberOf(inconclusive)).toBe(checks.length);
});
