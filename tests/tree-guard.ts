import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './project-files.ts';

/** Folders that git and npm manage. */
const OF_OTHERS: readonly string[] = ['.git', 'node_modules'];

/**
 * Runs the tests of the project in an empty folder, so that files without a given place are written there and never
 * into the tree, which holds a user's reports.
 * @returns a function for the end of the run
 * @throws Error from that function, which fails the run, if files appeared in the folder or the tree
 */
export default function guardTree(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-tests-'));
  const before = filesBelow(ROOT);
  process.chdir(folder);
  return () => {
    process.chdir(ROOT);
    const strays = filesBelow(folder);
    rmSync(folder, { recursive: true, force: true });
    const written = [...strays.keys(), ...changes(before, filesBelow(ROOT))];
    if (written.length > 0) throw new Error(`tests wrote where they must not:\n${written.join('\n')}`);
  };
}

/** Added and removed files, and changed reports. Sources may be edited while tests run. */
function changes(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  const reports = join(ROOT, 'reports/out/');
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) =>
    path.startsWith(reports) ? before.get(path) !== after.get(path) : !before.has(path) && after.has(path),
  );
}

/** When each file below a folder was last written. */
function filesBelow(root: string): Map<string, number> {
  const files = new Map<string, number>();
  const walk = (folder: string): void => {
    for (const found of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, found.name);
      if (folder === ROOT && OF_OTHERS.includes(found.name)) continue;
      if (found.isDirectory()) walk(path);
      else files.set(path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    }
  };
  walk(root);
  return files;
}
