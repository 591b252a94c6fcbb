import { type Waiver, waiverName } from '../specs/waivers.ts';
import { selectorOf } from './glob.ts';
import type { CheckResult, Waived, WaiversReport } from './result.ts';

/** A waiver of a run. */
export interface GivenWaiver extends Waiver {
  /** Whether it came with this tool: that such a list holds more than a site needs is not for the caller to fix. */
  readonly shipped: boolean;
}

/** The waivers of a run. Plain data: it crosses into the worker that runs the checks. */
export interface RunWaivers {
  /** The day on which the run began, as an ISO date. */
  readonly today: string;
  /** The software of the site with its version, where the caller named it. */
  readonly software?: string | undefined;
  readonly given: readonly GivenWaiver[];
  /** What is known of the software that speaks the vocabulary of the run, waived or not. */
  readonly upstream: readonly Waiver[];
}

/** A failure as waivers see it. */
type Failure = Pick<CheckResult, 'id' | 'verdict' | 'replay'>;

/** Whether a waiver applies: its day is past, it is for other versions of the software, or it is in force. */
type Standing = 'in-force' | 'expired' | 'elsewhere';

/**
 * Marks a failure that waivers cover: it stays a failure. Where the waiver has expired the message says so; where the failure
 * is known of the software, and not waived, the result says that. Any other result is returned as it is.
 */
export function applyWaivers<Result extends CheckResult>(result: Result, waivers: RunWaivers): Result {
  if (result.verdict !== 'fail') return result;
  const inForce = waivers.given.filter((waiver) => standingOf(waiver, waivers) === 'in-force');
  const [waived, ...also] = coverOf(result, inForce).map(waivedBy);
  if (waived !== undefined) {
    return { ...result, waived: also.length === 0 ? waived : { ...waived, also } };
  }
  const [upstream] = coverOf(
    result,
    waivers.upstream.filter((one) => fits(one, waivers.software)),
  );
  const known = upstream === undefined ? {} : { upstream: upstreamOf(upstream) };
  const late = expiredOf(result, waivers);
  if (late === undefined) return { ...result, ...known };
  const message = `${result.message ?? result.title} (its waiver expired on ${late.expires})`;
  return { ...result, ...known, message };
}

/**
 * What came of the waivers of a run. What was not asked or was inconclusive leaves its waiver alone, and so does a search that
 * found nothing this time: it may find it the next.
 * @param planned the ids of all checks of the contract; @param checks what came of them
 * @returns the report, and how many waivers of the caller's own match nothing or cover only what passes; undefined without waivers
 */
export function reportWaivers(
  planned: readonly string[],
  checks: readonly CheckResult[],
  waivers: RunWaivers,
): { report: WaiversReport; stale: number } | undefined {
  const { given, software } = waivers;
  if (given.length === 0) return undefined;
  const byId = new Map(checks.map((check) => [check.id, check]));
  const expired = given.filter((one) => standingOf(one, waivers) === 'expired');
  const elsewhere = given.filter((one) => standingOf(one, waivers) === 'elsewhere');
  const unmatched = given.filter((one) => !one.shipped && !planned.some(selectorOf(one.check)));
  const passing = given.filter((one) => !elsewhere.includes(one) && isPassing(one, planned, byId));
  const unversioned = given.filter(({ versions }) => versions !== undefined && software === undefined);
  return {
    report: {
      waived: checks.filter(({ waived }) => waived !== undefined).length,
      expired: namesOf(expired),
      unmatched: namesOf(unmatched),
      passing: namesOf(passing),
      ...(elsewhere.length > 0 && { elsewhere: namesOf(elsewhere) }),
      ...(unversioned.length > 0 && { unversioned: namesOf(unversioned) }),
    },
    stale: new Set([...unmatched, ...passing.filter(({ shipped }) => !shipped)]).size,
  };
}

/** Whether every check that a waiver is about passes, of some ids; false where one of them was not evaluated, or none is there. */
export function isPassing(
  waiver: Waiver,
  ids: readonly string[],
  checks: ReadonlyMap<string, CheckResult>,
): boolean {
  const about = ids.filter(selectorOf(waiver.check)).map((id) => checks.get(id));
  const applicable = about.filter((check) => check?.skip?.kind !== 'not-applicable');
  return (
    applicable.length > 0 && applicable.every((check) => check?.verdict === 'pass' && check.fuzz !== true)
  );
}

/** The waiver that would cover a failure, had it not expired; undefined where none would, or one that is in force does. */
export function expiredOf(failure: Failure, waivers: RunWaivers): Waiver | undefined {
  const applying = waivers.given.filter((waiver) => standingOf(waiver, waivers) !== 'elsewhere');
  const isLate = (waiver: Waiver): boolean => standingOf(waiver, waivers) === 'expired';
  if (
    coverOf(
      failure,
      applying.filter((waiver) => !isLate(waiver)),
    ).length > 0
  )
    return undefined;
  return coverOf(failure, applying).find(isLate);
}

/** Whether a waiver is about a failure: the check as a whole, or one of its findings. */
export function isAbout({ check, finding }: Waiver, { id, replay }: Failure): boolean {
  if (!selectorOf(check)(id)) return false;
  return finding === undefined || (replay?.sets ?? []).some((set) => selectorOf(finding)(set.id));
}

/** The waivers among some that cover a failure together: one for the check, or one for each of its findings; none unless all are covered. */
function coverOf<One extends Waiver>(failure: Failure, waivers: readonly One[]): One[] {
  const about = waivers.filter(({ check }) => selectorOf(check)(failure.id));
  const whole = about.find(({ finding }) => finding === undefined);
  if (whole !== undefined) return [whole];
  const sets = (failure.replay?.sets ?? []).filter(({ shows }) => shows === 'always');
  const found = sets.map(({ id }) => about.find((one) => selectorOf(one.finding ?? '')(id)));
  const covering = found.filter((one) => one !== undefined);
  return covering.length === found.length ? [...new Set(covering)] : [];
}

function standingOf(waiver: Waiver, { today, software }: RunWaivers): Standing {
  if (!fits(waiver, software)) return 'elsewhere';
  return waiver.expires < today ? 'expired' : 'in-force';
}

/** Whether a waiver is for the software of the site; where nobody named it, it counts. */
function fits({ versions }: Waiver, software: string | undefined): boolean {
  if (versions === undefined || software === undefined) return true;
  const name = software.toLowerCase();
  return versions.map((one) => one.toLowerCase()).some((one) => name === one || name.startsWith(`${one}.`));
}

function waivedBy(waiver: Waiver): Waived {
  const { reason, owner, expires, link } = waiver;
  return { waiver: waiverName(waiver), reason, owner, expires, ...(link !== undefined && { link }) };
}

function upstreamOf({ reason, link }: Waiver): NonNullable<CheckResult['upstream']> {
  return { reason, ...(link !== undefined && { link }) };
}

function namesOf(waivers: readonly Waiver[]): string[] {
  return [...new Set(waivers.map(waiverName))].toSorted();
}
