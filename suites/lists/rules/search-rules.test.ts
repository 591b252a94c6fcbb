import { expect, it } from 'vitest';
import { commonWords } from './search-rules.ts';

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

  expect(commonWords(records)).toEqual(['harvest', 'lantern', 'meadow', 'secret']);
});

it('takes no word of the description of an upload, which a search need not read', () => {
  const upload = { id: 5, json: { id: 5, title: { raw: 'Harvest' }, description: { raw: 'lantern' } } };

  expect(commonWords([upload])).toEqual(['harvest']);
});

it('reads each of thousands of records once', () => {
  const words = Array.from(
    { length: 4000 },
    (_, at) => `word${[...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`,
  );
  const records = words.map((word, at) => record(at, word, `${words[(at * 7) % 4000]} ${words[at % 10]}`));
  const begun = performance.now();

  expect(commonWords(records)).toHaveLength(4000);
  expect(performance.now() - begun).toBeLessThan(2000);
});
