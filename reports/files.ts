import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Summary } from '../engine/conclusion.ts';

export interface ReportFile {
  label: string;
  path: string;
}

/**
 * Writes a file completely or not at all, by renaming a new file over the old one. Creates the folder. Throws file
 * system errors, and leaves an earlier file unchanged.
 */
export function writeAtomically(path: string, content: string | Uint8Array | Iterable<string>): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  try {
    const isWhole = typeof content === 'string' || content instanceof Uint8Array;
    writeParts(temporary, isWhole ? [content] : content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A document as readable JSON with a final line break. */
export function jsonText(document: unknown): string {
  const text = JSON.stringify(document, undefined, 2);
  if (!HALF_PAIR.test(text)) return `${text}\n`;
  const wellFormed = (_: string, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value;
  return `${JSON.stringify(document, wellFormed, 2)}\n`;
}

/** Half of a surrogate pair, which a target or a cut may leave, and which strict readers such as jq refuse. */
const HALF_PAIR = /\\ud[89a-f]/;

function writeParts(path: string, parts: Iterable<string | Uint8Array>): void {
  const file = openSync(path, 'w');
  try {
    for (const part of parts) writeFileSync(file, part);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes `summary.json` into the folder above the folders of the deployments. @returns the file */
export function writeSummary(dir: string, summary: Summary): ReportFile {
  const path = join(dir, 'summary.json');
  writeAtomically(path, jsonText(summary));
  return { label: 'summary', path };
}
