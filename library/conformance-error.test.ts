import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../engine/result.ts';
import { ConformanceError } from './add-tests.ts';

const RESULT: CheckResult = {
  id: 'posts.list/per_page/maximum',
  title: 'declares maximum 100',
  area: 'posts',
  section: '4.6',
  basis: 'stated',
  verdict: 'fail',
  message: 'per_page has a narrower maximum',
  expected: '100',
  observed: '50',
  reproduce: ['curl -sS http://127.0.0.1/'],
  seconds: 0,
};

describe('ConformanceError', () => {
  it('is an assertion error for test runners, with both sides and how to reproduce it', () => {
    const error = new ConformanceError(RESULT);

    expect(error).toMatchObject({ name: 'AssertionError', expected: '100', actual: '50' });
    expect(error.message).toBe(
      'per_page has a narrower maximum (§4.6, posts.list/per_page/maximum)\ncurl -sS http://127.0.0.1/',
    );
  });

  it('has no stack of the suite', () => {
    expect(new ConformanceError(RESULT).stack).not.toMatch(/\.ts:\d/);
  });

  it('has the title if there is no message', () => {
    const { message: _, expected: _e, observed: _o, reproduce: _r, ...bare } = RESULT;

    expect(new ConformanceError(bare)).toMatchObject({
      message: 'declares maximum 100 (§4.6, posts.list/per_page/maximum)',
      expected: '',
      actual: '',
    });
  });
});
