import { includesMode, type RunMode } from '../client/mode.ts';
import type { Operation } from '../specs/model.ts';
import type { Level } from '../specs/releases.ts';
import { isRemoving } from '../specs/value-hints.ts';
import { type Check, MODE_OF_EFFECT } from './check.ts';
import { selectorOf } from './glob.ts';
import type { CheckResult } from './result.ts';
import { CALLERS, type Caller, type Session } from './session.ts';
import type { SkipReason } from './skip.ts';

export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Ids of the checks to run again; `only` narrows them. */
  readonly again?: readonly string[] | undefined;
  /** The clients that each check affects, by its id; undefined without clients. */
  readonly used?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The checks that a certificate requires, and why, such as a level of a release; others are left out. */
  readonly required?: { readonly ids: readonly string[]; readonly by: string } | undefined;
  readonly mode: RunMode;
  readonly hasUser: boolean;
}

export interface PlannedCheck {
  readonly check: Check;
  readonly skip?: SkipReason;
}

/** Whether --only, --skip or --rerun left a check out. */
export function isDeselected({ skip }: PlannedCheck): boolean {
  return skip?.kind === 'selection';
}

/** Whether a planned check writes records. */
export function isWriting({ check, skip }: PlannedCheck): boolean {
  return check.effect === 'writes' && skip === undefined;
}

// One shared object, because a large site has hundreds of thousands of checks.
const NOT_ONLY: SkipReason = { kind: 'selection', option: '--only' };
const NOT_USED: SkipReason = { kind: 'selection', option: '--as-client' };
const SKIPPED: SkipReason = { kind: 'selection', option: '--skip' };

/** Divides all checks into those that run and those that are skipped with a reason. Sends nothing. */
export function plan(checks: readonly Check[], selection: Selection): PlannedCheck[] {
  const again = selection.again && new Set(selection.again);
  const required = selection.required && new Set(selection.required.ids);
  return checks.map((check) => {
    const skip = skipOf(check, selection, again, required);
    return skip === undefined ? { check } : { check, skip };
  });
}

function skipOf(
  { id, effect, needsUser }: Check,
  selection: Selection,
  again: ReadonlySet<string> | undefined,
  required: ReadonlySet<string> | undefined,
): SkipReason | undefined {
  const { only, used, mode, hasUser } = selection;
  if (again?.has(id) === false) return { kind: 'selection', option: '--rerun' };
  if (again === undefined && only.length > 0 && !matchesAny(id, only)) return NOT_ONLY;
  if (used !== undefined && !Object.hasOwn(used, id)) return NOT_USED;
  if (matchesAny(id, selection.skip)) return SKIPPED;
  const needs = MODE_OF_EFFECT[effect];
  if (!includesMode(mode, needs)) return { kind: 'mode', needs };
  if (required?.has(id) === false) return { kind: 'not-required', by: selection.required?.by ?? '' };
  return needsUser === true && !hasUser ? { kind: 'credentials' } : undefined;
}

/** Whether a check id matches one of the globs. A plain text also matches everything below it. */
export function matchesAny(id: string, globs: readonly string[]): boolean {
  return globs.some((glob) => id === glob || selectorOf(glob)(id) || id.startsWith(`${glob}/`));
}

/** The phases of a run: reads before it has records of its own, and last what may affect all other checks. */
type Phase = 'reads' | 'writes' | 'alters-site';

/** The kind of checks that report what all others did not. */
const LAST = 'errors';

function phaseOf(session: Session, { effect, kind, operation }: Check): Phase {
  if (kind === LAST) return 'alters-site';
  if (effect === 'reads') return 'reads';
  // The control of such a check is a valid call.
  const alters = effect === 'alters-site' || session.operation(operation ?? '')?.effect === 'alters-site';
  return alters ? 'alters-site' : 'writes';
}

/** Kinds of reads that use the answers to other checks, which saves requests, and what looks at all of them. */
const LATE: Readonly<Record<string, number>> = { defaults: 2, shown: 3 };

/** When in its phase a check has its turn: 1, or later if it reuses answers or its operation removes something. */
function turnOf(session: Session, phase: Phase, check: Check): number {
  if (check.kind === LAST) return 3;
  const operation = session.operation(check.operation ?? '');
  if (phase === 'alters-site') return operation !== undefined && isRemoval(operation) ? 2 : 1;
  return (phase === 'reads' && LATE[check.kind ?? '']) || 1;
}

/** Planned checks by phase, and in a phase by turn, all in the order in which they run. */
export function inPhases(
  session: Session,
  planned: readonly PlannedCheck[],
): { readonly phase: Phase; readonly turns: readonly (readonly PlannedCheck[])[] }[] {
  return (['reads', 'writes', 'alters-site'] as const).map((phase) => {
    const own = planned.filter(({ check }) => phaseOf(session, check) === phase);
    const turns = [1, 2, 3].map((turn) => own.filter(({ check }) => turnOf(session, phase, check) === turn));
    return { phase, turns };
  });
}

/** Whether an operation removes something, judged by its method and the name of its route. */
export function isRemoval({ methods, route }: Operation): boolean {
  return methods.includes('DELETE') || isRemoving(route.path);
}

/** The mode in which all checks of a level run. */
export const MODE_OF_LEVEL: Readonly<Record<Level, RunMode>> = {
  index: 'read',
  read: 'read',
  write: 'write',
  full: 'full',
};

/** The lowest level that requires a check: `index` for a declaration, otherwise that of its effect. */
export function levelOf({ about, effect }: Pick<Check, 'about' | 'effect'>): Level {
  if (effect === 'reads') return about === 'declaration' ? 'index' : 'read';
  return effect === 'alters-site' ? 'full' : 'write';
}

type Dependent = Pick<Check, 'dependsOn' | 'buildsOn'>;

/** The ids of the soft dependencies of a check for one caller. */
export function softDependencies({ buildsOn = [] }: Dependent, caller: Caller): string[] {
  return buildsOn.map((id) => id.replace('{caller}', caller));
}

/** The ids of all dependencies of a check, hard and soft, each once. @param callers default: all */
export function dependenciesOf(check: Dependent, callers: readonly Caller[] = CALLERS): string[] {
  const soft = callers.flatMap((caller) => softDependencies(check, caller));
  return [...new Set([...(check.dependsOn ?? []), ...soft])];
}

/** Checks with all of their dependencies. @param isLeftOut excludes ids and their own dependencies */
export function withDependencies(
  checks: readonly Check[],
  ids: readonly string[],
  callers: readonly Caller[] = CALLERS,
  isLeftOut: (id: string) => boolean = () => false,
): string[] {
  const known = new Map(checks.map((check) => [check.id, check]));
  const wanted = new Set<string>();
  const want = (id: string): void => {
    const check = known.get(id);
    if (check === undefined || wanted.has(id) || isLeftOut(id)) return;
    wanted.add(id);
    for (const one of dependenciesOf(check, callers)) want(one);
  };
  for (const id of ids) want(id);
  return [...wanted];
}

/** A check that depends on itself, directly or indirectly; undefined if there is none. */
export function findCycle(checks: readonly (Dependent & Pick<Check, 'id'>)[]): string | undefined {
  const named = new Map(checks.map((check) => [check.id, dependenciesOf(check)]));
  const done = new Set<string>();
  const repeatedIn = (ids: Iterable<string>, path: ReadonlySet<string>): string | undefined => {
    for (const id of ids) {
      if (path.has(id)) return id;
      if (done.has(id)) continue;
      done.add(id);
      const repeated = repeatedIn(named.get(id) ?? [], new Set([...path, id]));
      if (repeated !== undefined) return repeated;
    }
    return undefined;
  };
  return repeatedIn(named.keys(), new Set());
}

/** The check that blocks a result; undefined if none does. */
export function blockerOf({ skip }: Pick<CheckResult, 'skip'>): string | undefined {
  return skip?.kind === 'blocked' ? skip.by : undefined;
}

/** Follows a chain of blocked checks to its last member. A circle ends it too. */
export function endOf(id: string, waitsFor: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = id;
  for (let next = waitsFor.get(at); next !== undefined && !seen.has(next); next = waitsFor.get(at)) {
    seen.add(next);
    at = next;
  }
  return at;
}

/** The check that blocks each blocked one, by id. */
export function blockersIn(checks: readonly CheckResult[]): Map<string, string> {
  return new Map(
    checks.flatMap((check) => {
      const by = blockerOf(check);
      return by === undefined ? [] : [[check.id, by] as const];
    }),
  );
}

/** The results that each check blocks, directly or indirectly, by its id. */
export function blockedResults(checks: readonly CheckResult[]): ReadonlyMap<string, readonly CheckResult[]> {
  const blockers = blockersIn(checks);
  const blocked = checks.filter(({ id }) => blockers.has(id));
  return Map.groupBy(blocked, ({ id }) => endOf(id, blockers));
}
