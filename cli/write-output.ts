import { writeAtomically } from '../reports/files.ts';
import { UsageError } from './errors.ts';

/**
 * Writes a file that the caller has named, whole or not at all.
 * @param option how the caller named it, before its path
 * @throws UsageError where it cannot be written; what stood there before stays
 */
export function writeOutput(path: string, text: string, option: string = '--out: '): void {
  try {
    writeAtomically(path, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option}${path} cannot be written (${why})`);
  }
}
