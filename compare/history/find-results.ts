import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders in folders that are looked into. */
const DEEPEST = 8;
/** More than a year of a fleet of 50. */
const MOST_FILES = 20_000;
/** What our own commands write beside folders of results. */
const OTHER_DOCUMENTS = new Set([
  'summary.json',
  'fleet.json',
  'comparison.json',
  'history.json',
  'snapshot.json',
  'index.json',
]);
/** What other tools write beside results, thousands of files at a time. */
const OTHERS = new Set(['node_modules', 'allure-results', 'allure-report']);

/** The files that may hold results, and whether there were more than are read. */
export interface FoundFiles {
  readonly files: readonly string[];
  readonly cut: boolean;
}

/**
 * The files of a folder that may be results of runs, by name: in each folder `results.json`, or else every `*.json`. Links
 * are not followed, so that no way leads round in a circle.
 * @throws the error of the file system when the folder itself cannot be read
 */
export function findResults(folder: string): FoundFiles {
  const files: string[] = [];
  const visit = (path: string, entries: readonly Dirent[], depth: number): void => {
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const own = names.includes('results.json') ? ['results.json'] : names.filter(mayBeResults);
    files.push(...own.sort().map((name) => join(path, name)));
    if (depth === DEEPEST) return;
    const inner = entries.filter((entry) => entry.isDirectory() && !isOther(entry.name));
    for (const name of inner.map((entry) => entry.name).sort()) {
      if (files.length > MOST_FILES) return;
      visit(join(path, name), entriesOf(join(path, name)), depth + 1);
    }
  };
  visit(folder, readdirSync(folder, { withFileTypes: true }), 0);
  return { files: files.slice(0, MOST_FILES), cut: files.length > MOST_FILES };
}

/** What a folder below holds; nothing where it cannot be read. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}

function mayBeResults(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.') && !OTHER_DOCUMENTS.has(name);
}

function isOther(name: string): boolean {
  return name.startsWith('.') || OTHERS.has(name);
}
