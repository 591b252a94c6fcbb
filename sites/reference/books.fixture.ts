import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { isObject, type Json } from './json.ts';

const SPECS = resolve(import.meta.dirname, '../../specs');
const TAKEN = ['posts', 'post-revisions', 'post-autosaves'];

/**
 * A deployment that serves `core` and, as a user would add it, the resource books with revisions and autosaves. Books
 * have the fields of posts and an `isbn`.
 * @param atEnd receives the function that removes the folder; default: removes it when the test ends
 * @returns the path of the deployment file
 */
export function booksDeployment(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'books-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const { operations } = readJson(join(SPECS, 'deployments/core.json'));
  const files = {
    'books.json': booksFile(relative(folder, join(SPECS, 'schemas'))),
    'library.json': {
      name: 'library',
      title: 'Core and books',
      operations: [...listOf(operations), './books.json'],
    },
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  return join(folder, 'library.json');
}

/** The rows of posts and their children with the names of books. @param schemas the path to the schema files */
function booksFile(schemas: string): Json {
  const { definitions = {}, parameterSets = {}, ...file } = readJson(join(SPECS, 'operations/cms-v2.json'));
  const rowsOf = (rows: Json | undefined, name: string): Json[] =>
    listOf(rows).filter((row) => isObject(row) && TAKEN.includes(String(row[name])));
  const rows = JSON.stringify({
    resources: rowsOf(file.resources, 'id'),
    operations: rowsOf(file.operations, 'resource').map(withIsbn),
  });
  const renamed = rows
    .replaceAll(/\bposts\b/g, 'books')
    .replaceAll(/\bpost-(?=revisions|autosaves)/g, 'book-')
    .replaceAll('../schemas/', `${schemas}/`);
  const head = { namespace: 'cms/v2', id: 'books', section: 'own', root: 'stated' };
  return { ...head, definitions, parameterSets, ...JSON.parse(renamed) };
}

/** Adds an `isbn` to creations and updates of books, visible in the edit context only. */
function withIsbn(row: Json): Json {
  if (!isObject(row) || row.resource !== 'posts' || !['create', 'update'].includes(String(row.role)))
    return row;
  return { ...row, parameters: { properties: { isbn: { type: 'string', 'x-contexts': ['edit'] } } } };
}

function readJson(path: string): Record<string, Json> {
  const content: Json = JSON.parse(readFileSync(path, 'utf8'));
  return isObject(content) ? content : {};
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
