import { expect, it } from 'vitest';
import { kill } from './kill.ts';

/** Deviations that sites were seen to have, each with the check that is there for it. */
const NOTICED: readonly string[] = [
  'posts.list/page/filters/beyond~first-again',
  'media.list/page/filters/beyond~last-again',
  'posts.list/categories/properties/include_children/default/applied~another',
  'posts.list/tags/properties/operator/default/applied~another',
  'posts.list/per_page/maximum~declared-and-capped',
  'batch/types/requests~repaired',
  'batch/types/body~repaired',
  'posts.update/featured_media/unset~keeps',
  'posts.update/tags/unset~keeps',
  'pages.update/parent/unset~keeps',
  'media.update/alt_text/unset~keeps',
];

it('a page that repeats, a default of a member, a batch of wrong types and a field that stays set are noticed', async () => {
  const outcomes = await kill('core', NOTICED);

  expect(outcomes.map(({ mutant }) => mutant).toSorted()).toEqual(NOTICED.toSorted());
  expect(outcomes.filter(({ end }) => end !== 'killed')).toEqual([]);
}, 60_000);
