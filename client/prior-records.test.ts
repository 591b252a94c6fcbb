import { describe, expect, it } from 'vitest';
import { PriorRecords } from './ownership.ts';

describe('the records from before a run', () => {
  const prior = new PriorRecords({
    posts: { ids: [3, 7] },
    pages: { ids: [], upTo: 100 },
    media: { reason: 'the list is denied' },
  });

  it('are the listed ones', () => {
    expect([3, 7, 8].map((id) => prior.has('posts', id))).toEqual([true, true, false]);
    expect(prior.whyUnknown('posts')).toBeUndefined();
  });

  it('are all up to the highest id if there are too many to list', () => {
    expect([1, 100, 101].map((id) => prior.has('pages', id))).toEqual([true, true, false]);
  });

  it('are all records of a collection that was not listed', () => {
    expect(prior.has('media', 1_000_000)).toBe(true);
    expect(prior.whyUnknown('media')).toBe('media could not be counted before the run: the list is denied');
    expect(new PriorRecords({}).has('posts', 1)).toBe(true);
    expect(new PriorRecords({}).whyUnknown('posts')).toBe('posts were not counted before the run');
  });
});
