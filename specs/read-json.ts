import { readFileSync } from 'node:fs';
import { SpecError } from './spec-error.ts';

/**
 * Reads one JSON file.
 * @throws SpecError naming the file when it cannot be read or is not JSON.
 */
export function readJson(path: string): unknown {
  let text: string;
  try {
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
