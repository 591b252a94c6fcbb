import { expect, it } from 'vitest';
import { isSameButIds, pairRecords, type ReadRecords, unchangedBetween } from './records.ts';

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

it.each([
  ['the same date, which holds both ids', '"2024-03-15T10:22:00"', '"2024-03-15T10:22:00"', true],
  ['ids of one record', '[15,7]', '[22,7]', true],
  ['an address with the id of one record', '"/?p=15"', '"/?p=22"', true],
  ['ids of different records', '[15,7]', '[23,7]', false],
  ['more ids', '[15]', '[22,7]', false],
  ['another text beside an id', '"a 15"', '"b 22"', false],
])('takes %s for what it is', (_, one, other, expected) => {
  expect(isSameButIds(one, other, (id, its) => id === '15' && its === '22')).toBe(expected);
});
