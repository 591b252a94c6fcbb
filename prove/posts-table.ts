import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Foreign } from '../sites/hostile/liars.ts';

/** A row of the table of posts: its type, and a digest of everything in it. */
interface PostRow {
  readonly type: string;
  readonly digest: string;
}

const TYPES: Readonly<Record<keyof Foreign, string>> = { posts: 'post', pages: 'page', media: 'attachment' };

/** Every row of the table of posts of a WordPress, by id. @param file its SQLite database */
export function readRows(file: string): ReadonlyMap<number, PostRow> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT * FROM wp_posts ORDER BY ID').all();
    return new Map(
      rows.map((row) => {
        const digest = createHash('sha256').update(JSON.stringify(row)).digest('hex');
        return [Number(row.ID), { type: String(row.post_type), digest }];
      }),
    );
  } finally {
    database.close();
  }
}

/** The ids of the records of each collection, the oldest first. */
export function recordIds(rows: ReadonlyMap<number, PostRow>): Foreign {
  const of = (type: string): number[] => [...rows].filter(([, row]) => row.type === type).map(([id]) => id);
  return { posts: of(TYPES.posts), pages: of(TYPES.pages), media: of(TYPES.media) };
}

/** Rows that are not as they were, or gone. */
export function changedRows(
  before: ReadonlyMap<number, PostRow>,
  after: ReadonlyMap<number, PostRow>,
): number[] {
  return [...before].filter(([id, { digest }]) => after.get(id)?.digest !== digest).map(([id]) => id);
}

/** Records that were not there before. */
export function newRecords(
  before: ReadonlyMap<number, PostRow>,
  after: ReadonlyMap<number, PostRow>,
): number[] {
  const types = Object.values(TYPES);
  return [...after].filter(([id, { type }]) => !before.has(id) && types.includes(type)).map(([id]) => id);
}
