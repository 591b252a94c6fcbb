import { expect, it } from 'vitest';
import { pairRecords, type ReadRecords, unchangedBetween } from './records.ts';

const RECORDS = [
  { id: 1, slug: 'a' },
  { id: 2, slug: 'b' },
];

function reading(before: string, after: string): ReadRecords {
  const states = new Map([
    ['before 1', new Map([['sticky', before]])],
    ['after 1', new Map([['sticky', after]])],
    ['before 2', new Map([['sticky', 'false']])],
    ['after 2', new Map([['sticky', 'false']])],
  ]);
  return { pairs: pairRecords(RECORDS, RECORDS, false), records: RECORDS, states };
}

it('does not compare a record that somebody changed before the last readings', () => {
  const stopped = reading('true', 'false');
  const { pairs, changed } = unchangedBetween([reading('false', 'false'), stopped, stopped], []);

  expect([...changed]).toEqual(['1']);
  expect([...pairs.steady]).toEqual(['2']);
  expect(pairs.isEqual).toBe(false);
});

it('leaves out what changes by itself', () => {
  const { changed } = unchangedBetween([reading('1', '1'), reading('2', '2'), reading('3', '3')], ['sticky']);

  expect([...changed]).toEqual([]);
});
