import { describe, expect, it } from 'vitest';
import { projectFiles, readText } from './project-files.ts';

/** Folders with more entries need a plan. */
const MOST_ENTRIES = 25;
const ENTRY = /`([^`]+)`/g;

const FOLDERS = new Map<string, Set<string>>();
// Tests stand beside their source, and do not count.
for (const file of projectFiles().filter((one) => !/\.(test|fixture)\.ts$/.test(one))) {
  const parts = file.split('/');
  for (const [at, part] of parts.entries()) {
    const folder = parts.slice(0, at).join('/');
    const entries = FOLDERS.get(folder) ?? new Set();
    FOLDERS.set(folder, entries.add(at === parts.length - 1 ? part : `${part}/`));
  }
}
const LARGE = [...FOLDERS].filter(([folder, entries]) => folder !== '' && entries.size > MOST_ENTRIES);

describe('a folder with many entries', () => {
  it.each(LARGE)('%s has a plan that names each of them once', (folder, entries) => {
    const rows = readText(`${folder}/README.md`)
      .split('\n')
      .filter((line) => line.startsWith('| '));
    const named = rows.flatMap((row) => [...row.matchAll(ENTRY)].map(([, entry]) => entry));
    const isOwn = (entry: string): boolean => entry !== 'README.md';

    expect(named.toSorted()).toEqual([...entries].filter(isOwn).toSorted());
  });
});
