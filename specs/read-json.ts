import { readFileSync, statSync } from 'node:fs';
import { SpecError } from './spec-error.ts';

/** A file written by hand is far smaller; what is larger was named by mistake. */
const LARGEST = 16_000_000;

/**
 * Reads one JSON file: a regular one of at most 16 MB, because a pipe or a device may never end.
 * @throws SpecError naming the file when it cannot be read or is not JSON.
 */
export function readJson(path: string): unknown {
  let text: string;
  try {
    const about = statSync(path);
    if (!about.isFile()) throw new Error('it is not a regular file');
    if (about.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1_000_000} MB`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SpecError(`${path}: cannot be read (${oneLine(error)})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SpecError(`${path}: is not JSON (${oneLine(error)})`);
  }
}

/** The parser quotes the text around the fault, line breaks included. */
function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
}
