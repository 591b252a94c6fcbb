import { expect, it } from 'vitest';
import { isFinding } from '../../../engine/aborted.ts';
import type { Trial } from '../../../probing/records/reading/trials.ts';
import { partitionsIntoPages } from './paging-rules.ts';
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
