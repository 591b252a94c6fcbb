import { join } from 'node:path';
import { readValidated } from '../validators.ts';

/** One root cause of a step, as `diff` shows it. */
interface StepCause {
  readonly id: string;
  readonly headline: string;
}

/** Results of runs with several versions of one software (`versions.schema.json`), the oldest first. */
export interface Versions {
  readonly format: 1;
  readonly software: string;
  readonly contract: string;
  readonly runs: readonly {
    readonly version: string;
    readonly day: string;
    readonly mode: string;
    readonly requests: number;
  }[];
  /** Check ids by their verdicts, one letter for each version. */
  readonly verdicts: Readonly<Record<string, readonly string[]>>;
  readonly failures: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly from: string;
    readonly to: string;
    readonly breaking: readonly StepCause[];
    readonly unknown: readonly StepCause[];
    readonly compatible: number;
    readonly others?: readonly StepCause[];
  }[];
  readonly namespaces: readonly string[];
  readonly came: Readonly<Record<string, readonly string[]>>;
}

/** The file of the known versions. */
export const VERSIONS_PATH: string = join(import.meta.dirname, 'wordpress.json');

/** The known versions. */
export function loadVersions(): Versions {
  return readValidated(VERSIONS_PATH, 'versions.schema.json');
}

/**
 * Since which version a check passes, up to the latest, and why not before; undefined if that one fails.
 * @param letters its verdicts
 */
export function sinceOf(
  { runs }: Versions,
  letters: string,
): { version: string; before: 'not kept' | 'unknown' | 'none' } | undefined {
  const kept = /p+$/.exec(letters)?.[0].length ?? 0;
  const at = letters.length - kept;
  const version = runs[at]?.version;
  if (version === undefined) return undefined;
  const letter = letters[at - 1];
  return { version, before: letter === undefined ? 'none' : 'wfb'.includes(letter) ? 'not kept' : 'unknown' };
}
