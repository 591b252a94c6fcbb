import { expect, it } from 'vitest';
import { isFinding } from '../../../engine/aborted.ts';
import type { Trial } from '../../../probing/records/reading/trials.ts';
import { keepsTheSize, partitionsIntoPages } from './paging-rules.ts';
import { postsSite, wholeList } from './snapshot.fixture.ts';

const RECORDS = ['Dot', 'Cal', 'Bea', 'Ada'].map((raw, at) => ({
  id: 4 - at,
  json: { id: 4 - at, title: { raw, rendered: raw } },
}));

async function trialsWith(hides: boolean): Promise<readonly Trial[]> {
  const trials = await partitionsIntoPages(wholeList(RECORDS, { hides }), postsSite());
  return isFinding(trials) ? [] : trials;
}

it('asks for the later pages alone where the records say what is on the first, and for all if that is not so', async () => {
  const [, , sorted] = await trialsWith(false);

  expect(sorted?.requests).toEqual([{ orderby: 'title', per_page: 3, page: 2 }]);
  expect(sorted?.alone?.requests).toHaveLength(2);
});

it('asks for the first page where hidden records take places', async () => {
  const [, , sorted] = await trialsWith(true);

  expect(sorted?.requests).toHaveLength(2);
});

it('does not take a search that finds too little, with a size too, for a page of another size', async () => {
  const records = RECORDS.map((one) => ({ ...one, json: { ...one.json, content: { raw: 'lantern' } } }));
  const snapshot = wholeList(records);
  const trials = await keepsTheSize(snapshot, postsSite());
  const searched = isFinding(trials) ? undefined : trials.at(-1);
  const [one, all] = [records.slice(1, 2), records.slice(1)];

  expect(searched?.requests).toMatchObject([{ search: 'lantern' }, { search: 'lantern', per_page: 10 }]);
  expect(searched?.evaluate([one, one], snapshot)).toBeUndefined();
  expect(searched?.evaluate([one, all], snapshot)?.message).toContain('is a page of another size');
});
