import { describe, expect, it } from 'vitest';
import type { Conclusion, RunResult } from '../engine/result.ts';
import { sampleCheck, sampleResult } from './result.fixture.ts';
import { summarise } from './summarise.ts';

function concluded(conclusion: Conclusion): { folder: string; result: RunResult } {
  return { folder: conclusion, result: { ...sampleResult([sampleCheck({})]), conclusion } };
}

describe('summarise', () => {
  it('lists each deployment with its folder, conclusion, reason and counts', () => {
    const result = sampleResult([sampleCheck({ verdict: 'pass' })]);

    expect(summarise([{ folder: 'a', result }])).toEqual({
      format: 1,
      conclusion: 'conformant',
      deployments: [
        {
          deployment: 'a',
          folder: 'a',
          conclusion: 'conformant',
          reason: '1 check passed, 0 of 1 (0 %) could not tell',
          counts: { pass: 1, fail: 0, warn: 0, inconclusive: 0, skip: 0, error: 0 },
        },
      ],
    });
  });

  it.each<[Conclusion, Conclusion[]]>([
    ['nonconformant', ['conformant', 'inconclusive', 'nonconformant']],
    ['inconclusive', ['conformant', 'inconclusive']],
    ['conformant', ['conformant', 'conformant']],
    ['inconclusive', []],
  ])('is %s for %j', (whole, parts) => {
    expect(summarise(parts.map(concluded)).conclusion).toBe(whole);
  });
});
