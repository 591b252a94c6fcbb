import { expect, it } from 'vitest';
import { Pace } from './spread.ts';

function paceOfSlow(asked: number): number | undefined {
  const pace = new Pace();
  for (let at = 0; at < 80; at += 1) pace.note(`/x/v1/${at % 8}`, 0.01);
  let last: number | undefined;
  for (let at = 0; at < asked; at += 1) last = pace.note('/x/v1/slow', 0.2);
  return last;
}

it.each([1, 100])('measures a slow route by others, where it is asked %i times at once', (asked) => {
  expect(paceOfSlow(asked)).toBeCloseTo(20);
});

it('knows no pace before there are answers around', () => {
  expect(new Pace().note('/x/v1/notes', 0.01)).toBeUndefined();
});
