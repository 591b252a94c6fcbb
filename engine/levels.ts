import type { RunMode } from '../client/mode.ts';
import type { Level } from '../specs/releases.ts';
import type { Check } from './check.ts';

/** The mode in which all checks of a level run. */
export const MODE_OF_LEVEL: Readonly<Record<Level, RunMode>> = {
  index: 'read',
  read: 'read',
  write: 'write',
  full: 'full',
};

const LEVEL_OF_MODE: Readonly<Record<RunMode, Level>> = {
  read: 'read',
  validate: 'write',
  write: 'write',
  full: 'full',
};

/**
 * The least level that requires a check: `index` where it is about what the index declares, else what its mode says.
 * Nothing else defines a level.
 */
export function levelOf({ about, mode = 'read' }: Pick<Check, 'about' | 'mode'>): Level {
  return mode === 'read' && about === 'declaration' ? 'index' : LEVEL_OF_MODE[mode];
}
