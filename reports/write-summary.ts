import { join } from 'node:path';
import type { ReportFile } from './report-file.ts';
import type { Summary } from './summarise.ts';
import { writeAtomically } from './write-atomically.ts';

/** Writes `summary.json` into the folder that holds the folders of the deployments; returns what was written. */
export function writeSummary(dir: string, summary: Summary): ReportFile {
  const path = join(dir, 'summary.json');
  writeAtomically(path, `${JSON.stringify(summary, null, 2)}\n`);
  return { label: 'summary', path };
}
