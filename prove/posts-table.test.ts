import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { changedIn, madeIn, readPosts } from '../sites/hostile/open-server.ts';
import { testFolder } from '../specs/folder.fixture.ts';

it('the table of posts shows what was changed, removed and created', () => {
  const folder = testFolder();
  const file = join(folder, 'database');
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec('CREATE TABLE wp_posts (ID INTEGER PRIMARY KEY, post_type TEXT, post_title TEXT)');
  database.exec("INSERT INTO wp_posts VALUES (1, 'post', 'a'), (2, 'page', 'b'), (3, 'attachment', 'c')");
  const before = readPosts(file);
  database.exec("UPDATE wp_posts SET post_title = 'd' WHERE ID = 2");
  database.exec('DELETE FROM wp_posts WHERE ID = 3');
  database.exec("INSERT INTO wp_posts VALUES (4, 'post', 'e'), (5, 'revision', 'f')");
  const after = readPosts(file);

  expect(changedIn(before, after)).toEqual(['pages/2', 'media/3']);
  expect(madeIn(before, after)).toEqual(['posts/4']);
});
