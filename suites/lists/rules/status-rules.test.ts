import { expect, it } from 'vitest';
import { keepsStatuses } from './status-rules.ts';

const record = (status: string) => ({ id: 1, json: { id: 1, status } });

it.each([
  [['inherit'], 'inherit', true],
  [['inherit'], 'publish', undefined],
  [['inherit'], 'private', false],
  [['publish'], 'publish', true],
  [['private'], 'publish', false],
])('a list of %j keeps a record that shows %j: %j', (statuses, status, kept) => {
  expect(keepsStatuses(statuses)(record(status))).toBe(kept);
});
