import { describe, expect, it } from 'vitest';
import { compareFailures } from './known-failures.ts';

const results = (verdicts: Record<string, string>): unknown => ({
  checks: Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict })),
});

describe('compareFailures', () => {
  it('is content with exactly the known failures', () => {
    expect(compareFailures(results({ a: 'fail', b: 'pass' }), [{ check: 'a', reason: 'because' }])).toEqual(
      [],
    );
  });

  it('names a failure that is not known', () => {
    expect(compareFailures(results({ a: 'fail' }), [])).toEqual(['a fails, and is not a known failure']);
  });

  it('names a known failure that passes, so that the list stays true', () => {
    expect(compareFailures(results({ a: 'pass' }), [{ check: 'a', reason: 'because' }])).toEqual([
      'a is a known failure, but passes: because',
    ]);
  });

  it('ignores a known failure that a search has missed', () => {
    const searched = { checks: [{ id: 'a/fuzz/robust', verdict: 'pass', fuzz: true }] };

    expect(compareFailures(searched, [{ check: 'a/fuzz/*', reason: 'because' }])).toEqual([]);
  });

  it('ignores a known failure that was not tested', () => {
    expect(compareFailures(results({ a: 'skip', b: 'pass' }), [{ check: 'a', reason: 'because' }])).toEqual(
      [],
    );
  });

  it('does not take a run without checks for a good one', () => {
    expect(compareFailures({}, [])).toEqual(['the results hold no checks']);
  });
});
