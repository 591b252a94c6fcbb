import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult, RunResult, Verdict } from '../../engine/result.ts';

const VERDICTS: Readonly<Record<string, Verdict>> = {
  p: 'pass',
  f: 'fail',
  a: 'fail',
  w: 'warn',
  u: 'inconclusive',
  i: 'inconclusive',
  e: 'error',
};

/** The result of a run, days after the first one. @param word one letter of `VERDICT_LETTERS` for each check */
export function seriesRun(at: number, word: string): RunResult {
  const checks = [...word].flatMap((letter, number) => (letter === ' ' ? [] : [checkOf(letter, number)]));
  return sampleResult(checks, {
    run: {
      id: `run-${at}`,
      started: new Date(Date.UTC(2025, 0, 1 + at, 2)).toISOString(),
      seconds: 60 + at,
      mode: 'write',
      seed: 1,
      requests: 1000 + at,
      retries: 0,
    },
  });
}

function checkOf(letter: string, number: number): CheckResult {
  return sampleCheck({
    id: `check-${number}`,
    title: `does what it should (${number})`,
    section: '2',
    operation: 'posts.list',
    verdict: VERDICTS[letter] ?? 'skip',
    ...(letter === '.' && { skip: { kind: 'selection', option: '--only' } as const }),
    ...(letter === 'a' && {
      waived: { waiver: `check-${number}`, reason: 'known', owner: 'us', expires: '2099-01-01' },
    }),
    ...(letter === 'u' && { unstable: { failed: 1, asked: 3 } }),
  });
}
