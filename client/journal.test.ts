import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Journal, JournalError, readJournal } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = {
  run: 'r',
  tag: 'sc-r',
  target: 'http://127.0.0.1:9',
  deployment: 'core',
  vocabulary: 'neutral',
  user: 'someone',
  started: '',
  pid: 1,
};
const CENSUS = { posts: { ids: [1, 2] }, pages: { ids: [], upTo: 9 }, media: { reason: 'denied' } };

describe('the journal', () => {
  it('keeps the ids from before, and what is known about each record', () => {
    const path = join(folder, 'a.ndjson');
    const journal = new Journal(path);
    journal.begin(HEAD, CENSUS);
    for (const [at, slug] of ['sc-r-1', 'sc-r-2', 'sc-r-3'].entries()) {
      journal.append({ entry: 'intend', collection: 'posts', slug });
      journal.append({ entry: 'created', collection: 'posts', slug, id: 10 + at });
    }
    journal.append({ entry: 'intend', collection: 'posts', slug: 'sc-r-4' });
    journal.append({ entry: 'intend', collection: 'pages', slug: 'sc-r-5' });
    journal.append({ entry: 'refused', collection: 'pages', slug: 'sc-r-5' });
    journal.note({ entry: 'proven', collection: 'posts', id: 10 });
    journal.note({ entry: 'deleted', collection: 'posts', id: 11 });
    journal.note({ entry: 'removed', collection: 'posts', id: 12 });

    const state = readJournal(path);
    expect(state.census).toEqual(CENSUS);
    expect(state.left).toEqual([
      { collection: 'posts', id: 10, slug: 'sc-r-1', proven: true, deleted: false },
      { collection: 'posts', id: 11, slug: 'sc-r-2', proven: false, deleted: true },
    ]);
    expect([...state.ids]).toEqual([['posts', [10, 11, 12]]]);
    expect(state.unanswered.map(({ slug }) => slug)).toEqual(['sc-r-4']);
    expect(state.intended).toHaveLength(5);
  });

  it('prevents a creation that it cannot record, and continues with what is done', () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const journal = new Journal(join(folder, 'b.ndjson'), () => {
      throw full;
    });

    expect(journal.problem).toBeUndefined();
    expect(() => journal.append({ entry: 'intend', collection: 'posts', slug: 'a' })).toThrow(JournalError);
    expect(journal.note({ entry: 'removed', collection: 'posts', id: 1 })).toBe(false);
    expect(journal.problem).toBe('ENOSPC');
  });
});
