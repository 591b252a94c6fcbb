import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import type { SiteRecord } from '../../../probing/records/reading/record.ts';
import { SORT_KEYS } from '../rules/compare-values.ts';
import { wholeList } from '../rules/snapshot.fixture.ts';
import { evaluateAnswer, type Prediction } from './prediction.ts';

const record = (id: number): SiteRecord => ({ id, json: { id } });
const recordsOf = (ids: readonly number[]): SiteRecord[] => ids.map(record);
/** The even ids, descending. */
const EVEN: Prediction = {
  args: {},
  isOfEvery: false,
  population: {},
  keeps: ({ id }) => id % 2 === 0,
  compare: (one, other) => one.id - other.id,
  direction: 'desc',
  offset: 0,
  size: 100,
};
const SORTED_BY_ID = SORT_KEYS.id && { compare: SORT_KEYS.id };

const messageOf = (
  ids: readonly number[],
  prediction: Partial<Prediction> = {},
  snapshot: Partial<Snapshot> = {},
): string | undefined =>
  evaluateAnswer(recordsOf(ids), wholeList(recordsOf([6, 5, 4, 3, 2, 1]), snapshot), {
    ...EVEN,
    ...prediction,
  })?.message;

describe('an answer of a list', () => {
  it.each<[string, number[], Partial<Prediction>]>([
    ['returns records', [6, 5, 4, 2], {}],
    ['leaves out', [6, 4], {}],
    ['repeats', [6, 4, 4, 2], {}],
    ['not sorted', [4, 6, 2], {}],
    ['not sorted', [6, 4, 2], { direction: 'asc' }],
    // What a set without arguments is sorted by is sent beside it.
    ['orderby=id', [4, 6, 2], SORTED_BY_ID ?? {}],
    ['returns more records', [6, 4, 2], { size: 2 }],
    ['another place', [6, 4], { offset: 1, size: 2 }],
    ['another place', [4, 2], { size: 2 }],
    ['leaves out', [4], { offset: 1 }],
    ['returns records', [6, 4, 2, 7], {}],
  ])('differs where it %s', (words, ids, prediction) => {
    expect(messageOf(ids, prediction)).toContain(words);
  });

  it.each<[string, number[], Partial<Prediction>, Partial<Snapshot>]>([
    ['whole', [6, 4, 2], {}, {}],
    ['cut as asked', [4], { offset: 1, size: 1 }, {}],
    ['of either of two records that none sorts', [2, 6], { size: 2, compare: () => 0 }, {}],
    [
      'with or without what is not known',
      [6, 5, 4],
      { keeps: ({ id }) => (id > 4 ? undefined : id === 4) },
      {},
    ],
    ['longer than what was read', [10, 8, 6, 4, 2], {}, { complete: false }],
    ['short of records that the site hides', [4], { size: 2 }, { hides: true }],
  ])('agrees where it is %s', (_case, ids, prediction, snapshot) => {
    expect(messageOf(ids, prediction, snapshot)).toBeUndefined();
  });
});
