import { expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { PageNotes } from './pages.ts';

type Page = readonly [ids: readonly number[], total: number, asked: Readonly<Record<string, string>>];

function recordsOf(ids: readonly number[]): object[] {
  return ids.map((id) => ({ id }));
}

function totalsOf(...pages: readonly Page[]): PageNotes['totals'] {
  const notes = new PageNotes(textsOf('observed'));
  for (const [ids, total, asked] of pages) {
    const size = Number(asked.per_page ?? 10);
    const headers = { 'x-wp-total': String(total), 'x-wp-totalpages': String(Math.ceil(total / size)) };
    notes.note(recordsOf(ids), asked, headers, {});
  }
  return notes.totals;
}

const read = (...page: Page): Page => page;
const at = (page: number, more = {}): Page[2] => ({ per_page: '2', page: String(page), ...more });

it.each<[string, readonly Page[], number]>([
  ['none of pages that share no record', [read([1, 2], 4, at(1)), read([3, 4], 4, at(2))], 0],
  ['none of a page that is read twice, in any order', [read([1, 2], 4, at(1)), read([2, 1], 4, at(1))], 0],
  ['none of pages of other sizes', [read([1, 2, 3, 4], 4, {}), read([3, 4], 4, at(2))], 0],
  ['one of another size that begins as the first', [read([1, 2, 3, 4], 4, {}), read([1, 2], 4, at(2))], 1],
  [
    'one of another size with a record of the first',
    [read([1, 2, 3, 4], 6, { per_page: '4' }), read([2, 3], 6, at(2))],
    1,
  ],
  ['none of pages of an unknown size', [read([1, 2], 4, {}), read([3, 4], 4, at(2))], 0],
  ['none of other lists', [read([1, 2], 4, at(1)), read([2, 3], 4, at(2, { search: 'a' }))], 0],
  ['none where a record came in between', [read([1, 2], 4, at(1)), read([2, 3], 5, at(2))], 0],
  ['a page with a record of the one before', [read([1, 2], 4, at(1)), read([2, 3], 4, at(2))], 1],
  ['each such page', [read([1, 2], 6, at(1)), read([1, 3], 6, at(2)), read([1, 4], 6, at(3))], 2],
])('counts %s', (_, pages, repeated) => {
  expect(totalsOf(...pages)?.repeated).toBe(repeated);
});

it('counts pages that have a record twice', () => {
  expect(totalsOf(read([1, 2, 1], 3, {}), read([1, 2, 3], 3, {}))?.twice).toBe(1);
});

it.each<[string, readonly Page[], number | undefined]>([
  ['of large pages of one length', [read([1, 2, 3, 4], 9, { per_page: '10' }), read([1, 2], 9, at(1))], 4],
  ['not if longer ones are whole', [read([1, 2], 9, { per_page: '5' }), read([1, 2, 3], 3, {})], undefined],
  [
    'not of pages that end at several',
    [read([1, 2, 3, 4], 9, { per_page: '10' }), read([1, 2], 9, { per_page: '5' })],
    undefined,
  ],
  ['not of pages of a size that nobody asked for', [read([1, 2, 3, 4], 9, {})], undefined],
  ['not of a page that lacks one record', [read([1, 2, 3, 4], 5, { per_page: '10' })], undefined],
  ['not of pages that are empty', [read([], 9, { per_page: '10' })], undefined],
])('notes a bound %s', (_, pages, cap) => {
  expect(totalsOf(...pages)?.cap).toBe(cap);
});

it('notes nothing of a list without totals', () => {
  const notes = new PageNotes(textsOf('observed'));
  notes.note([{ id: 1 }], {}, {}, {});

  expect(notes.totals).toBeUndefined();
});

it('notes the size of pages whose size is not named, if all other pages are complete', () => {
  const usualOf = (length: number, total: number, pages: number, ...more: readonly Page[]): unknown => {
    const notes = new PageNotes(textsOf('observed'));
    const headers = { 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) };
    notes.note(recordsOf([...Array(length).keys()]), {}, headers, {});
    notes.note([{ id: 1 }], { search: 'a' }, { 'x-wp-total': '1', 'x-wp-totalpages': '1' }, {});
    for (const [ids, all, asked] of more) {
      const sized = { 'x-wp-total': String(all), 'x-wp-totalpages': '1' };
      notes.note(recordsOf(ids), asked, sized, {});
    }
    return notes.totals?.usual;
  };

  expect([usualOf(5, 5, 1), usualOf(10, 24, 3), usualOf(3, 5, 2)]).toEqual([10, 10, 3]);
  // One record is missing, which its total counts.
  expect([usualOf(4, 5, 1), usualOf(3, 5, 2, [[1], 2, { per_page: '2' }])]).toEqual([undefined, undefined]);
});

it('notes links to the page before or after that lead to another page', () => {
  const astray = (
    asked: Page[2],
    ...links: readonly (readonly [relation: string, query: string])[]
  ): unknown => {
    const notes = new PageNotes(textsOf('observed'));
    const link = links
      .map(([relation, query]) => `<http://127.0.0.1/?${query}>; rel="${relation}"`)
      .join(', ');
    notes.note([{ id: 1 }, { id: 2 }], asked, { 'x-wp-total': '6', 'x-wp-totalpages': '3', link }, {});
    return notes.totals?.astray;
  };
  const next = (query: string): readonly [string, string] => ['next', query];

  expect([
    astray(at(2), ['prev', 'per_page=2&page=1'], next('per_page=2&page=3')),
    astray(at(2), ['prev', 'per_page=2'], ['up', 'page=9']),
    astray(at(3)),
  ]).toEqual([0, 0, 0]);
  expect([
    astray(at(1), next('per_page=2&page=1')),
    astray(at(1), next('page=2')),
    astray(at(1), next('per_page=2')),
    astray(at(3), next('per_page=2&page=4')),
    astray(at(3), ['prev', 'per_page=2&page=3']),
  ]).toEqual([1, 1, 1, 1, 1]);
});

it('counts links to pages of no route, or of another one, as astray', () => {
  const astray = (address: string): unknown => {
    const notes = new PageNotes(textsOf('observed'));
    const headers = { 'x-wp-total': '6', 'x-wp-totalpages': '3', link: `<${address}>; rel="next"` };
    notes.note([{ id: 1 }, { id: 2 }], { per_page: '2' }, headers, {}, '/x/v1/notes');
    return notes.totals?.astray;
  };
  const page = 'per_page=2&page=2';

  expect(astray(`https://site.example/index.php?rest_route=%2Fx%2Fv1%2Fnotes&${page}`)).toBe(0);
  expect(astray(`https://site.example/wp-json/x/v1/notes?${page}`)).toBe(0);
  expect(astray(`/wp-json/x/v1/notes?${page}`)).toBe(0);
  expect(astray(`https://site.example/index.php?${page}`)).toBe(1);
  expect(astray(`https://site.example/wp-json/x/v1/terms?${page}`)).toBe(1);
});

it('notes whether links to other pages keep the declared arguments of the request', () => {
  const chosen = (query: string, tag = '7'): unknown => {
    const notes = new PageNotes(textsOf('observed'));
    const link = `<http://127.0.0.1/?${query}>; rel="next"`;
    const headers = { 'x-wp-total': '6', 'x-wp-totalpages': '3', link };
    const args = { tags: { type: 'array' }, per_page: { type: 'integer' } };
    notes.note([{ id: 1 }, { id: 2 }], { ...at(1), 'tags[0]': tag, other: 'a' }, headers, args);
    return notes.totals?.chosen;
  };

  expect(chosen('per_page=2&tags%5B%5D=7&page=2')).toEqual({ kept: 1, lost: 0 });
  // It leads to a page of all records.
  expect(chosen('per_page=2&page=2')).toEqual({ kept: 0, lost: 1 });
  // Software leaves out what is empty.
  expect(chosen('per_page=2&page=2', '')).toBeUndefined();
});
