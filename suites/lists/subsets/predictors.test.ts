import { expect, it } from 'vitest';
import { PREDICTORS } from '../filter-table.ts';

const predicts = (name: string, value: unknown): boolean =>
  PREDICTORS.find(({ parameter }) => parameter === name)?.keeps(value) !== undefined;

it.each([
  // Real software does not filter by unknown file types, and changes their slugs.
  ['mime_type', ['image/png'], ['l', 'mkqqo']],
  ['slug', ['a-word'], ['A word, or two']],
])('predicts what %s keeps of plain values, and nothing of others', (name, plain, other) => {
  expect(predicts(name, plain)).toBe(true);
  expect(predicts(name, other)).toBe(false);
  expect(predicts(name, [...plain, ...other])).toBe(false);
});
