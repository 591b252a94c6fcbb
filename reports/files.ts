import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Summary } from '../engine/conclusion.ts';

/** A report file that was written: what it is, and its path. */
export interface ReportFile {
  label: string;
  path: string;
}

/**
 * Writes a file whole or not at all: into a new file of the same folder, then renamed over the old one. Makes
 * the folder. Throws the error of the file system, and leaves an earlier file as it was.
 */
export function writeAtomically(path: string, content: string | Uint8Array | Iterable<string>): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  try {
    if (typeof content === 'string' || content instanceof Uint8Array) {
      writeFileSync(temporary, content, { flush: true });
    } else {
      writeParts(temporary, content);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A document as JSON that people can read, with a line break at its end. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Writes a text in parts, and holds one part at a time. */
function writeParts(path: string, parts: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    for (const part of parts) writeFileSync(file, part);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes `summary.json` into the folder that holds the folders of the deployments; returns what was written. */
export function writeSummary(dir: string, summary: Summary): ReportFile {
  const path = join(dir, 'summary.json');
  writeAtomically(path, jsonText(summary));
  return { label: 'summary', path };
}
