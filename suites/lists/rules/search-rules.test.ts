import { expect, it } from 'vitest';
import { isFinding } from '../../../engine/aborted.ts';
import { bySearch, commonWords, searchesColumn } from './search-rules.ts';
import { postsSite, wholeList } from './snapshot.fixture.ts';

const record = (id: number, title: string, content: string, password = '') => ({
  id,
  json: { id, title: { raw: title }, content: { raw: content }, password },
});

it('sorts words by how many records a search certainly finds with them', () => {
  const records = [
    record(1, 'Harvest lantern', 'lantern lantern lantern'),
    record(2, 'Harvest', '<p class="hidden">meadow, lantern</p>'),
    record(3, 'Harvest', 'meadow'),
    record(4, 'Secret', 'secret', 'a password hides it'),
  ];

  expect(commonWords(records)).toEqual(['Harvest', 'lantern', 'meadow', 'Secret', 'secret']);
});

it('takes no word of the description of an upload, which a search need not read', () => {
  const upload = { id: 5, json: { id: 5, title: { raw: 'Harvest' }, description: { raw: 'lantern' } } };

  expect(commonWords([upload])).toEqual(['Harvest']);
});

it('searches two columns for a word that another record has in the third one alone', async () => {
  const records = [
    record(3, 'Quiet', 'meadow of foxgloves'),
    record(2, 'Harvest lantern', 'meadow'),
    { id: 1, json: { ...record(1, 'Quiet', 'meadow').json, excerpt: { raw: 'by lantern' } } },
  ];
  const snapshot = wholeList(records);
  const trials = await searchesColumn('post_title')(snapshot, postsSite());
  const trial = isFinding(trials) ? undefined : trials.at(-1);

  expect(trial?.requests).toEqual([{ search: 'lantern', search_columns: ['post_title', 'post_content'] }]);
  expect(trial?.evaluate([[2].map((id) => ({ id, json: { id } }))], snapshot)).toBeUndefined();
  expect(trial?.evaluate([[2, 1].map((id) => ({ id, json: { id } }))], snapshot)?.observed).toContain(
    'not matching: 1',
  );
});

const words = Array.from(
  { length: 4000 },
  (_, at) => `word${[...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`,
);

it('reads each of thousands of records once', () => {
  const records = words.map((word, at) => record(at, word, `${words[(at * 7) % 4000]} ${words[at % 10]}`));
  const begun = performance.now();

  expect(commonWords(records)).toHaveLength(4000);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

it('reads a text of thousands of words once, however many words are looked up in it', async () => {
  const long = Array.from({ length: 20 }, () => words.join(' ')).join(' ');
  const snapshot = wholeList([record(3, 'Quiet', long), record(2, 'Harvest', long), record(1, 'Quiet', '')]);
  const begun = performance.now();

  expect(isFinding(await searchesColumn('post_content')(snapshot, postsSite()))).toBe(false);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

it('knows nothing of a record that does not show all texts that a search reads', () => {
  const shown = record(1, 'Quiet', 'meadow');
  const whole = { id: 2, json: { ...shown.json, excerpt: { raw: '' } } };
  const keeps = bySearch.predicted.keeps('lantern');

  expect(keeps?.(shown)).toBeUndefined();
  expect(keeps?.(whole)).toBe(false);
});
