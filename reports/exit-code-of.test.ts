import { describe, expect, it } from 'vitest';
import type { Verdict } from '../engine/result.ts';
import { exitCodeOf } from './exit-code-of.ts';
import { sampleCheck, sampleResult } from './result.fixture.ts';

function run(...verdicts: Verdict[]): ReturnType<typeof sampleResult> {
  return sampleResult(verdicts.map((verdict, index) => sampleCheck({ id: `a/${index}`, verdict })));
}

describe('exitCodeOf', () => {
  it.each<[number, string, ReturnType<typeof run>[]]>([
    [0, 'all deployments conform', [run('pass'), run('pass', 'warn')]],
    [1, 'one deployment fails', [run('pass'), run('fail')]],
    [1, 'one fails and another allows no conclusion', [run('skip'), run('fail')]],
    [3, 'one allows no conclusion', [run('pass'), run('skip')]],
    [3, 'there is no result at all', []],
    [4, 'the suite was at fault', [run('error'), run('pass')]],
    [4, 'the suite was at fault and a check failed', [run('error', 'fail')]],
  ])('is %i when %s', (code, _case, results) => {
    expect(exitCodeOf(results)).toBe(code);
  });
});
