import { join } from 'node:path';
import { readValidated } from './validators.ts';

/** A verdict in words. */
export interface VerdictWords {
  readonly verdict: 'pass' | 'fail' | 'warn' | 'inconclusive' | 'skip' | 'error';
  readonly means: string;
  readonly todo: string;
}

/** Reads `verdicts.json`. @throws SpecError when it breaks its schema */
export function loadVerdictWords(): VerdictWords[] {
  return readValidated(join(import.meta.dirname, 'verdicts.json'), 'verdicts.schema.json');
}
