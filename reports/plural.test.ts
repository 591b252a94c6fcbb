import { expect, it } from 'vitest';
import { plural } from './plural.ts';

it('uses the singular for one only', () => {
  expect([0, 1, 2].map((count) => plural(count, 'check'))).toEqual(['0 checks', '1 check', '2 checks']);
});
