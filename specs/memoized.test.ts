import { expect, it, vi } from 'vitest';
import { memoized, once } from './memoized.ts';

it('computes a value once for each argument, also for one that gives nothing', () => {
  const compute = vi.fn((key: unknown) => (key === 'none' ? undefined : { key }));
  const known = memoized(compute);
  const object = {};

  expect(known(object)).toBe(known(object));
  expect(known({})).not.toBe(known(object));
  expect(known('a')).toBe(known('a'));
  expect([known('none'), known('none')]).toEqual([undefined, undefined]);
  expect(compute).toHaveBeenCalledTimes(4);
});

it('computes again after an error', () => {
  const compute = vi
    .fn(() => 1)
    .mockImplementationOnce(() => {
      throw new Error('not yet');
    });
  const known = once(compute);

  expect(known).toThrow('not yet');
  expect([known(), known()]).toEqual([1, 1]);
  expect(compute).toHaveBeenCalledTimes(2);
});
