import { expect, it } from 'vitest';
import { progressLine } from './progress-line.ts';

it.each([
  [
    'the start',
    { done: 0, total: 9, failed: 0, requests: 0, seconds: 0 },
    '0/9 checks, 0 failed, 0 requests',
  ],
  [
    'the way',
    { done: 30, total: 90, failed: 2, requests: 820, seconds: 20 },
    '30/90 checks, 2 failed, 820 requests, 41/s, 40 s left',
  ],
  [
    'a slow target',
    { done: 1, total: 2, failed: 0, requests: 1, seconds: 4 },
    '1/2 checks, 0 failed, 1 request, 0.3/s, 4.0 s left',
  ],
  [
    'the end',
    { done: 9, total: 9, failed: 0, requests: 20, seconds: 2 },
    '9/9 checks, 0 failed, 20 requests, 10/s',
  ],
  [
    'an empty plan',
    { done: 0, total: 0, failed: 0, requests: 3, seconds: 1 },
    '0/0 checks, 0 failed, 3 requests, 3.0/s',
  ],
])('describes %s', (_case, state, text) => {
  expect(progressLine(state)).toBe(text);
});
