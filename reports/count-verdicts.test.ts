import { expect, it } from 'vitest';
import { VERDICTS } from '../engine/result.ts';
import { countVerdicts } from './count-verdicts.ts';
import { sampleCheck } from './result.fixture.ts';

it('counts each verdict apart, and has every verdict even without checks', () => {
  const checks = VERDICTS.flatMap((verdict, index) =>
    Array.from({ length: index + 1 }, () => sampleCheck({ verdict })),
  );

  expect(countVerdicts(checks)).toEqual({ fail: 1, error: 2, warn: 3, inconclusive: 4, skip: 5, pass: 6 });
  expect(Object.keys(countVerdicts([])).sort()).toEqual([...VERDICTS].sort());
});
