import { expect, it } from 'vitest';
import { asObject } from '../../client/json.ts';
import { idsWith, ignoring, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { faultyLists } from './faulty-lists.fixture.ts';

const { resultsOf, failing } = faultyLists('beside');
const LONG = 'long '.repeat(2700);

/** Every record has a long text; `sizes` collects the sizes of the pages that are asked for. */
function heavy(sizes: (string | null)[] = [], more: Mutant = {}): Mutant {
  return {
    ...more,
    answers(json, query) {
      sizes.push(query.get('per_page'));
      return Array.isArray(json) ? json.map((record: unknown) => ({ ...asObject(record), LONG })) : json;
    },
  };
}

it('a list of long texts is asked for small pages, and gets the verdicts of other lists', async () => {
  const sizes: (string | null)[] = [];
  const results = await resultsOf('posts.list', heavy(sizes));
  const verdicts = [...results.values()].map(({ id, verdict }) => [id, verdict]);

  expect(verdicts).toEqual(
    [...(await resultsOf('posts.list', {})).values()].map(({ id, verdict }) => [id, verdict]),
  );
  expect(idsWith(results, 'inconclusive', 'error')).toEqual([]);
  expect(sizes.filter((size) => size === '20').length).toBeGreaterThan(
    10 * sizes.filter((size) => size === '100').length,
  );
});

it.each(['author', 'order'])('a list of long texts that ignores %s fails as others do', async (name) => {
  expect(await failing('posts.list', heavy([], ignoring(name)))).toEqual(
    await failing('posts.list', ignoring(name)),
  );
});

/** Two of these in a page are more than is read of one answer. */
const EXHAUSTING = 'long '.repeat(2_000_000);

it.each<[string, Mutant]>([
  [
    'is too large to be read',
    { answers: (json, query) => (isLargest(query) && Array.isArray(json) ? [EXHAUSTING, EXHAUSTING] : json) },
  ],
  ['makes the server fail', { status: (query) => (isLargest(query) ? 500 : undefined) }],
])('a list whose largest page %s is read in smaller ones', async (_case, mutant) => {
  const results = await resultsOf('posts.list', mutant, { about: /\/(?:author|slug|after)\// });

  expect(results.size).toBeGreaterThan(3);
  expect(idsWith(results, 'fail', 'warn', 'inconclusive', 'skip', 'error')).toEqual([]);
});

function isLargest(query: URLSearchParams): boolean {
  return query.get('per_page') === '100';
}
