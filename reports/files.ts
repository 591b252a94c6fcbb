import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RunResult } from '../engine/result.ts';
import type { Summary } from './conclusion.ts';
import { renderJunit } from './junit.ts';

/** A report file that was written: what it is, and its path. */
export interface ReportFile {
  label: string;
  path: string;
}

/**
 * Writes a text file whole or not at all: into a new file of the same folder, then renamed over the old one. Makes
 * the folder. Throws the error of the file system, and leaves an earlier file as it was.
 */
export function writeAtomically(path: string, text: string): void {
  writeParts(path, [text]);
}

/** The same for a text that comes in parts, of which no more than one needs to be in memory. */
export function writeParts(path: string, parts: Iterable<string>): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  try {
    const file = openSync(temporary, 'w');
    try {
      for (const part of parts) writeFileSync(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

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

/** Writes `summary.json` into the folder that holds the folders of the deployments; returns what was written. */
export function writeSummary(dir: string, summary: Summary): ReportFile {
  const path = join(dir, 'summary.json');
  writeAtomically(path, `${JSON.stringify(summary, null, 2)}\n`);
  return { label: 'summary', path };
}
