import { expect, it } from 'vitest';
import { loadObservedNames } from '../../specs/texts.ts';
import { PageNotes } from './pages.ts';

/** A page: its records, how many there are in all, and what was asked. */
type Page = readonly [ids: readonly number[], total: number, asked: Readonly<Record<string, string>>];

function repeatedIn(...pages: readonly Page[]): number | undefined {
  const notes = new PageNotes(loadObservedNames());
  for (const [ids, total, asked] of pages) {
    const size = Number(asked.per_page ?? 10);
    const headers = { 'x-wp-total': String(total), 'x-wp-totalpages': String(Math.ceil(total / size)) };
    notes.note(
      ids.map((id) => ({ id })),
      asked,
      headers,
      {},
    );
  }
  return notes.totals?.repeated;
}

const at = (page: number, more = {}): Page[2] => ({ per_page: '2', page: String(page), ...more });

it.each<[string, readonly Page[], number]>([
  [
    'none of pages that share no record',
    [
      [[1, 2], 4, at(1)],
      [[3, 4], 4, at(2)],
    ],
    0,
  ],
  [
    'none of a page that is read twice, in whatever order',
    [
      [[1, 2], 4, at(1)],
      [[2, 1], 4, at(1)],
    ],
    0,
  ],
  [
    'none of pages of other sizes',
    [
      [[1, 2, 3, 4], 4, {}],
      [[3, 4], 4, at(2)],
    ],
    0,
  ],
  [
    'none of other lists',
    [
      [[1, 2], 4, at(1)],
      [[2, 3], 4, at(2, { search: 'a' })],
    ],
    0,
  ],
  [
    'none where a record came in between',
    [
      [[1, 2], 4, at(1)],
      [[2, 3], 5, at(2)],
    ],
    0,
  ],
  [
    'a page with a record of the one before',
    [
      [[1, 2], 4, at(1)],
      [[2, 3], 4, at(2)],
    ],
    1,
  ],
  [
    'each such page',
    [
      [[1, 2], 6, at(1)],
      [[1, 3], 6, at(2)],
      [[1, 4], 6, at(3)],
    ],
    2,
  ],
])('counts %s', (_, pages, repeated) => {
  expect(repeatedIn(...pages)).toBe(repeated);
});

it('notes nothing of a list without totals', () => {
  const notes = new PageNotes(loadObservedNames());
  notes.note([{ id: 1 }], {}, {}, {});

  expect(notes.totals).toBeUndefined();
});
