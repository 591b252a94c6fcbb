import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Census } from '../sites/hostile/open-server.ts';

const COLLECTIONS: Readonly<Record<string, string>> = { post: 'posts', page: 'pages', attachment: 'media' };

/** A digest of every row in the SQLite table of posts of a WordPress, by collection and id, otherwise by type and id. */
export function readPosts(file: string): Census {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT * FROM wp_posts ORDER BY ID').all();
    return new Map(
      rows.map((row) => {
        const type = String(row.post_type);
        const digest = hash('sha256', JSON.stringify(row));
        return [`${COLLECTIONS[type] ?? type}/${String(row.ID)}`, digest];
      }),
    );
  } finally {
    database.close();
  }
}
