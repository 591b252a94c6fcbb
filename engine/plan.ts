import { includesMode, type RunMode } from '../client/mode.ts';
import type { Level } from '../specs/releases.ts';
import type { Check } from './check.ts';
import { selectorOf } from './glob.ts';
import type { SkipReason } from './result-parts.ts';
import type { Session } from './session.ts';

/** The checks that a certificate requires. Plain data. */
export interface RequiredChecks {
  readonly ids: readonly string[];
  /** What requires them, such as a level of a release of the contract. */
  readonly by: string;
}

/** Which of the checks a run is about. */
export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** The checks to run again, by their whole ids; `only` has its say in choosing them. */
  readonly again?: readonly string[] | undefined;
  /** The clients that each check concerns which is about what they use, by its id; undefined where none are named. */
  readonly used?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What a certificate requires; the other checks are left out. Undefined for a run that certifies nothing. */
  readonly required?: RequiredChecks | undefined;
  readonly mode: RunMode;
  readonly hasUser: boolean;
}

/** A check with the reason why it will not run; without one it runs. */
export interface PlannedCheck {
  readonly check: Check;
  readonly skip?: SkipReason;
}

/** Whether a check was left out by --only, --skip or --rerun, so that nothing is known about it. */
export function isDeselected({ skip }: PlannedCheck): boolean {
  return skip?.kind === 'selection';
}

// One reason for all: a large site gives rise to hundreds of thousands of checks.
const NOT_ONLY: SkipReason = { kind: 'selection', option: '--only' };
const NOT_USED: SkipReason = { kind: 'selection', option: '--as-client' };
const SKIPPED: SkipReason = { kind: 'selection', option: '--skip' };

/** Sorts all checks into those that run and those that are skipped with a reason. Sends nothing. */
export function plan(checks: readonly Check[], selection: Selection): PlannedCheck[] {
  const again = selection.again && new Set(selection.again);
  const { used } = selection;
  const required = selection.required && new Set(selection.required.ids);
  return checks.map((check) => {
    if (again?.has(check.id) === false) return { check, skip: { kind: 'selection', option: '--rerun' } };
    if (again === undefined && selection.only.length > 0 && !matchesAny(check.id, selection.only)) {
      return { check, skip: NOT_ONLY };
    }
    if (used !== undefined && !Object.hasOwn(used, check.id)) return { check, skip: NOT_USED };
    if (matchesAny(check.id, selection.skip)) {
      return { check, skip: SKIPPED };
    }
    const mode = check.mode ?? 'read';
    if (!includesMode(selection.mode, mode)) return { check, skip: { kind: 'mode', needs: mode } };
    if (required?.has(check.id) === false) {
      return { check, skip: { kind: 'not-required', by: selection.required?.by ?? '' } };
    }
    if (check.needsUser === true && !selection.hasUser) {
      return { check, skip: { kind: 'credentials' } };
    }
    return { check };
  });
}

/** Whether a check id matches one of the globs. A plain text selects the id and everything below it. */
export function matchesAny(id: string, globs: readonly string[]): boolean {
  return globs.some((glob) => id === glob || selectorOf(glob)(id) || id.startsWith(`${glob}/`));
}

/** The globs that match no check at all: most likely misspelt. */
export function unmatchedGlobs(checks: readonly Check[], globs: readonly string[]): string[] {
  return globs.filter((glob) => !checks.some((check) => matchesAny(check.id, [glob])));
}

/**
 * The phases of a run, in their order. What only reads comes first: records of the run's own would be among the ones that
 * it compares. What may alter the site comes last: a setting or a plugin that is gone would change what the others see.
 */
export const PHASES = ['reads', 'writes', 'alters-site'] as const;

/** One of them. */
export type Phase = (typeof PHASES)[number];

/** The phase of a check. */
export function phaseOf(session: Session, { effect, operation }: Check): Phase {
  if (effect === 'reads') return 'reads';
  // The control of what must be refused is a valid call.
  const alters = effect === 'alters-site' || session.operation(operation ?? '')?.effect === 'alters-site';
  return alters ? 'alters-site' : 'writes';
}

/** Kinds of reads of which the answers to others may prove what they would have to ask for. */
const LATE: ReadonlySet<string> = new Set(['defaults']);

/** Whether a check comes after the others of its phase. */
export function isLate({ kind = '', effect }: Check): boolean {
  return effect === 'reads' && LATE.has(kind);
}

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
