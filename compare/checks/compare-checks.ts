import { blockerOf } from '../../engine/plan.ts';
import type { CheckResult, Verdict } from '../../engine/result.ts';
import { describeSkip, isUnasked } from '../../engine/skip.ts';
import { type Change, change } from '../change.ts';
import { SITE } from '../declared/surface.ts';
import type { Kind } from '../law.ts';
import { causeFinder } from './check-causes.ts';
import { callsOf, operationPlace, type Places } from './places.ts';
import { isAskedAgain, isFoundOnly, searchedOf } from './searched.ts';

/** Verdicts by severity. The others say nothing about the site. */
const RANK: Readonly<Partial<Record<Verdict, number>>> = { pass: 0, warn: 1, fail: 2 };

const LONGEST_REASON = 300;

/** Checks that both runs have, and those that only one has. */
export interface SharedChecks extends Readonly<Record<'shared' | 'onlyBefore' | 'onlyAfter', number>> {
  readonly changes: readonly Change[];
  /** Searches with other sets and other results. The sets may be the reason, so this is no change. */
  readonly drawn: readonly string[];
}

/**
 * The changes of verdicts, or of observed values with the same verdict. An inconclusive verdict is never fixed.
 * @param facts where the operations of both runs are, and the changes that may explain those of checks
 */
export function compareChecks(
  before: readonly CheckResult[],
  after: readonly CheckResult[],
  { places, known }: { readonly places: Places; readonly known: readonly Change[] },
): SharedChecks {
  const [was, is] = [asked(before), asked(after)];
  const causeOf = causeFinder(known, places);
  const shared = [...is.values()].filter(({ id }) => was.has(id));
  const drawn: string[] = [];
  const changes = shared.flatMap((now): Change[] => {
    const then = was.get(now.id);
    const kind = then === undefined ? undefined : kindOf(then, now);
    if (then === undefined || kind === undefined) return [];
    if (!isAskedAlike(then, now, kind)) {
      drawn.push(now.id);
      return [];
    }
    const by = blockerOf(now) ?? blockerOf(then);
    // A check that ran only because another one needed it.
    const blocker = by === undefined || is.has(by) ? undefined : after.find(({ id }) => id === by);
    const isFixed = kind === 'check-fixed';
    const causes = [isFixed ? then : now, blocker].map((check) => check && causeOf(check, isFixed));
    const cause = causes.find((one) => one !== undefined) ?? (by && `checks/${by}`);
    return [
      change({
        id: `checks/${now.id}`,
        calls: callsOf(now, places),
        kind,
        owner: ownerOf(now, places),
        place: now.id,
        subject: `check ${now.id}`,
        isText: true,
        before: shownOf(then),
        after: shownOf(now),
        reason: reasonOf(then, now, kind),
        cause,
      }),
    ];
  });
  return {
    changes: underBroken(changes),
    drawn,
    shared: shared.length,
    onlyBefore: was.size - shared.length,
    onlyAfter: is.size - shared.length,
  };
}

/** The namespace of a check's operation; the area of its id if the run does not have it. */
function ownerOf(check: CheckResult, places: Places): string {
  if (check.operation === undefined) return SITE;
  const place = operationPlace(check.operation, places);
  return place === undefined ? check.area : place.namespace || SITE;
}

/** Assigns what can no longer be told of a parameter, or is no longer so of one that refines it, to a failing check of it. */
function underBroken(changes: readonly Change[]): Change[] {
  const parameterOf = ({ calls }: Change): string => calls?.parameter ?? '';
  const broken = changes.filter((change) => change.kind === 'check-broken' && parameterOf(change) !== '');
  return changes.map((change) => {
    const isUnder = (other: Change): boolean =>
      (change.kind === 'check-untold' && JSON.stringify(other.calls) === JSON.stringify(change.calls)) ||
      // `search_columns` refines `search`.
      (other.owner === change.owner && parameterOf(change).startsWith(`${parameterOf(other)}_`));
    const isOpen =
      change.cause === undefined && (change.kind === 'check-untold' || change.kind === 'check-broken');
    const root = isOpen ? broken.find(isUnder) : undefined;
    return root === undefined ? change : { ...change, cause: root.id };
  });
}

/** Whether both runs sent the sets that a change of a search is about. */
function isAskedAlike(was: CheckResult, is: CheckResult, kind: Kind): boolean {
  const [then, now] = [searchedOf(was), searchedOf(is)];
  if (then === undefined || now === undefined) return true;
  if (kind === 'check-broken') return !isFoundOnly(then, now);
  if (kind === 'check-fixed') return isAskedAgain(then, now);
  // If one search drew nothing, the draws are not the reason.
  return then.drawn === now.drawn || then.drawn === undefined || now.drawn === undefined;
}

function reasonOf(then: CheckResult, now: CheckResult, kind: Kind): string | undefined {
  if (kind !== 'check-untold') return undefined;
  const [when, blind] =
    RANK[now.verdict] === undefined ? (['after', now] as const) : (['before', then] as const);
  if (RANK[blind.verdict] !== undefined) return undefined;
  const { verdict, skip, operation = '', observed, message = '' } = blind;
  const why = (skip === undefined ? (observed ?? message) : describeSkip(skip))
    .replace(/ \(and \d+ more(?: like it|: [^)]*)\)$/, '')
    .replaceAll(/\[[^\]]*\]|"[^"]*"/g, '…');
  const general = operation === '' ? why : why.replaceAll(operation, 'the operation');
  return `${verdict} ${when}${general === '' ? '' : `: ${general}`}`.slice(0, LONGEST_REASON);
}

/** The checks that ran. Checks that were left out, or needed more than the run had, say nothing. */
function asked(checks: readonly CheckResult[]): Map<string, CheckResult> {
  return new Map(
    checks.filter(({ skip }) => skip === undefined || !isUnasked(skip)).map((check) => [check.id, check]),
  );
}

function kindOf(was: CheckResult, is: CheckResult): Kind | undefined {
  const [from, to] = [RANK[was.verdict], RANK[is.verdict]];
  if (from === undefined || to === undefined) return from === to ? undefined : 'check-untold';
  if (from === to) return was.observed === is.observed ? undefined : 'check-observed';
  if (to === 2) return 'check-broken';
  return to < from ? 'check-fixed' : 'check-untold';
}

function shownOf({ verdict, observed, message }: CheckResult): string {
  const detail = observed ?? message;
  return detail === undefined ? verdict : `${verdict}: ${detail}`;
}
