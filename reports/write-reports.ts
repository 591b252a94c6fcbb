import { join } from 'node:path';
import type { RunResult } from '../engine/result.ts';
import { renderJunit } from './render-junit.ts';
import type { ReportFile } from './report-file.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * Writes the reports of one run into a folder, which it makes: `results.json` and `junit.xml`, each whole or not
 * at all. Returns what was written. Throws the error of the file system.
 */
export function writeReports(dir: string, result: RunResult): ReportFile[] {
  const results = { label: 'results', path: join(dir, 'results.json') };
  const junit = { label: 'JUnit', path: join(dir, 'junit.xml') };
  writeAtomically(results.path, `${JSON.stringify(result, null, 2)}\n`);
  writeAtomically(junit.path, renderJunit(result));
  return [results, junit];
}
