import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isObject, type JsonObject } from '../client/json.ts';
import { testFolder } from '../specs/folder.fixture.ts';

const SPECS = join(import.meta.dirname, '../specs');
const TAKEN = ['posts', 'post-revisions', 'post-autosaves'];

/**
 * A user's own deployment: `core` with books, described by an operation file like the built-in one of posts.
 * @param without ids of operations to leave out
 * @returns the path of the deployment file, in a folder that is removed after the test
 */
export function booksDeployment(without: readonly string[] = []): string {
  const folder = testFolder({});
  const core: unknown = JSON.parse(readFileSync(join(SPECS, 'deployments/core.json'), 'utf8'));
  if (!isObject(core) || !Array.isArray(core.operations)) throw new Error('the deployment names no files');
  const files = {
    'books.json': asBooks(relative(folder, join(SPECS, 'schemas')), without),
    'library.json': { ...core, name: 'library', operations: [...core.operations, './books.json'] },
  };
  return join(testFolder(files), 'library.json');
}

/** The id of a check or operation of posts, changed to books. */
export function booksFor(id: string): string {
  return id.replace(/^(.*\/)?posts(?=[./]|$)/, '$1books').replace(/\bpost-(?=revisions|autosaves)/, 'book-');
}

/** The rows of posts and their children, changed to books. @param schemas the path of the schemas */
function asBooks(schemas: string, without: readonly string[]): unknown {
  const file: unknown = JSON.parse(readFileSync(join(SPECS, 'operations/cms-v2.json'), 'utf8'));
  if (!isObject(file)) throw new Error('the operation file holds no object');
  const rows = (list: unknown, name: string): JsonObject[] =>
    (Array.isArray(list) ? list.filter(isObject) : []).filter((row) => TAKEN.includes(String(row[name])));
  const { $schema: _, ...others } = file;
  const own = JSON.stringify({
    resources: rows(file.resources, 'id'),
    operations: rows(file.operations, 'resource').filter(
      (row) => !without.some((id) => booksFor(String(row.id)) === id),
    ),
  })
    .replaceAll(/(["/])posts(?=["./])/g, '$1books')
    .replaceAll(/\bpost-(?=revisions|autosaves)/g, 'book-')
    .replaceAll('../schemas/', `${schemas}/`);
  return { ...others, id: 'books', ...JSON.parse(own) };
}
