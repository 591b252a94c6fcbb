import { assert, expect, it } from 'vitest';
import { isFinding } from '../../../engine/aborted.ts';
import { subsetTrial } from '../../../probing/records/reading/trials.ts';
import { byMember, keepsMembers, pickValues, shows } from './member-rules.ts';
import { postsSite, wholeList } from './snapshot.fixture.ts';

it('tries a filter on records that are all alike with their value, and with a stated one that none has', async () => {
  const records = [2, 1].map((id) => ({ id, json: { id, format: 'aside' } }));
  const snapshot = wholeList(records);

  const trials = await byMember('format', { what: 'format', values: shows('format') }).rule(
    snapshot,
    postsSite(),
  );

  assert(!isFinding(trials));
  const [all, none] = trials;
  expect([all?.requests, none?.requests]).toEqual([[{ format: ['aside'] }], [{ format: ['standard'] }]]);
  expect(all?.evaluate([records], snapshot)).toBeUndefined();
  expect(none?.evaluate([[]], snapshot)).toBeUndefined();
  expect(all?.evaluate([[]], snapshot)?.message).toContain('leaves out records that match');
  expect(none?.evaluate([records], snapshot)?.message).toContain('returns records that do not match');
});

it('says of a matching record that only the whole list leaves out that it is missing there', () => {
  const [hidden, shown, other] = [3, 2, 1].map((id) => ({ id, json: { id, sticky: id > 1 } }));
  assert(hidden !== undefined && shown !== undefined && other !== undefined);
  const snapshot = wholeList([shown, other]);
  const trial = subsetTrial({ sticky: true }, keepsMembers(shows('sticky'), [true]));

  expect(trial.evaluate([[hidden, shown]], snapshot)).toEqual({
    message: 'sticky=true returns records that the whole list lacks',
    expected: '1 record (2)',
    observed: '2 records (3, 2); not listed: 3',
  });
  expect(trial.evaluate([[hidden, shown, other]], snapshot)).toMatchObject({
    message: 'sticky=true returns records that do not match',
    observed: '3 records (3, 2, 1); not matching: 1',
  });
});

it('tries values that more records have than a page holds, and evaluates what the page shows', async () => {
  const records = Array.from({ length: 300 }, (_, at) => {
    const id = 300 - at;
    return { id, json: { id, author: 1 + (id % 2) } };
  });
  const snapshot = wholeList(records, { page: records.slice(0, 100), complete: false, total: 3000 });
  const rule = byMember('author', { what: 'author', values: shows('author') }).rule;

  const trials = await rule(snapshot, postsSite());

  assert(!isFinding(trials));
  const [trial] = trials;
  expect(trial?.requests).toEqual([{ author: [1] }]);
  const ofOne = records.filter(({ json }) => json.author === 1).slice(0, 100);
  expect(trial?.evaluate([ofOne], snapshot)).toBeUndefined();
  expect(trial?.evaluate([records.slice(0, 100)], snapshot)?.message).toContain('do not match');
  expect(trial?.evaluate([ofOne.toSpliced(3, 1)], snapshot)?.message).toContain('leaves out records');
});

it('knows nothing of a record that shows the member in another type', () => {
  const { keeps } = byMember('author', { what: 'author', values: shows('author') }).predicted;
  const showing = (author: unknown) => keeps([2])?.({ id: 1, json: { id: 1, author } });

  expect([showing(2), showing(3), showing('2')]).toEqual([true, false, undefined]);
});

it('reads the values of each record a few times, however many values there are', () => {
  const tagsOf = (id: number): number[] => Array.from({ length: 60 }, (_, at) => (id * 7 + at) % 200);
  const records = Array.from({ length: 20 }, (_, id) => ({ id, json: { id, tags: tagsOf(id) } }));
  let reads = 0;

  const picked = pickValues(
    wholeList(records),
    (record) => {
      reads += 1;
      return shows('tags')(record);
    },
    'tags',
  );

  expect(picked).toEqual({ values: [0, 1] });
  expect(reads).toBeLessThanOrEqual(3 * records.length);
});
