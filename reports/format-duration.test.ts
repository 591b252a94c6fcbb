import { expect, it } from 'vitest';
import { formatDuration } from './format-duration.ts';

it.each([
  [0, '0.0 s'],
  [0.44, '0.4 s'],
  [9.96, '10 s'],
  [59.6, '1 min 00 s'],
  [185, '3 min 05 s'],
  [3599.9, '1 h 00 min'],
  [7620, '2 h 07 min'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
