import { join } from 'node:path';
import { readValidated } from './validators.ts';

/** How an open statement of the specification is read. */
export interface Reading {
  /** The number of the ruling, such as `R33`. */
  readonly id: string;
  readonly section: string;
  readonly says: string;
  /** Globs of the ids of the checks that follow it. */
  readonly checks: readonly string[];
  /** What a conforming site may do so that these checks cannot tell. */
  readonly mayStayUntold?: string;
}

/** Reads `readings.json`, by number. @throws SpecError when it breaks its schema */
export function loadReadings(): Reading[] {
  return readValidated(join(import.meta.dirname, 'readings.json'), 'readings.schema.json');
}
