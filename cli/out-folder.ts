import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/** What a run writes into its folder; a later run takes it away before it begins. */
const OURS = [
  'results.json',
  'junit.xml',
  'events.ndjson',
  'index.json',
  'summary.json',
  'allure-results',
  'allure-report',
  'a',
  'b',
  'core',
];

/** A folder for reports: known to be writable, cleared only when a run really starts. */
export interface OutFolder {
  readonly path: string;
  /** Takes away what an earlier run left. Nothing else in the folder is touched. */
  clear(): void;
  /** Takes the folder away again if it was made for a run that never started. */
  abandon(): void;
}

/**
 * Makes sure that reports can be written, before anything is sent.
 * @throws UsageError when they cannot.
 */
export function openOutFolder(path: string): OutFolder {
  const folder = resolve(path);
  let made: string | undefined;
  try {
    made = mkdirSync(folder, { recursive: true });
    const probe = join(folder, `.writable-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--out ${path}: reports cannot be written there (${why})`);
  }
  return {
    path: folder,
    clear() {
      for (const name of OURS) rmSync(join(folder, name), { recursive: true, force: true });
    },
    abandon() {
      if (made !== undefined && existsSync(made)) rmSync(made, { recursive: true, force: true });
    },
  };
}
