import { byName, byText, defined } from '../client/json.ts';
import type { ObservedAnswers } from '../client/observed/document.ts';
import type { Redactor } from '../client/redact.ts';
import { type Waiver, waiverName } from '../specs/waivers.ts';
import { type ConcludeOptions, conclude, countVerdicts, fuzzingOf } from './conclusion.ts';
import { selectorOf } from './glob.ts';
import { progressOf } from './progress.ts';
import type {
  BaselineReport,
  CheckResult,
  Notice,
  RunResult,
  ShownFields,
  Standing,
  Waived,
  WaiversReport,
} from './result.ts';
import type { RunEvent } from './run-event.ts';
import { present } from './text.ts';
import { namedFindings } from './verdict.ts';

type StartEvent = Omit<Extract<RunEvent, { event: 'start' }>, 'event' | 'planned'>;
type EndEvent = Omit<Extract<RunEvent, { event: 'end' }>, 'event'>;

/** The checks of a run, in the order of the plan, and what it observed. */
interface Finished {
  readonly checks: CheckResult[];
  readonly notices: Notice[];
  readonly fields: readonly ShownFields[];
  /** In parts, in order of arrival. A later part may replace an earlier one. */
  readonly observed?: readonly ObservedAnswers[];
}

type Ending = Pick<EndEvent, 'seconds' | 'requests' | 'retries' | 'blocked' | 'ended' | 'writing' | 'stage'>;

export interface FinishOptions extends Pick<ConcludeOptions, 'strict' | 'failOn'> {
  readonly planned: number;
  /** The accepted failures, and the ids of all checks that waivers may name. */
  readonly waivers?: { readonly given: RunWaivers; readonly plan: readonly string[] } | undefined;
  /** Compares checks and observations with an earlier run. */
  readonly against?:
    | ((isExpired: (check: CheckResult) => boolean, observed: RunResult['observed']) => BaselineReport)
    | undefined;
  /** The operations that create records, by resource; without them there is no progress. */
  readonly creations?: ReadonlyMap<string, string>;
  readonly redact?: Redactor;
}

/**
 * Finishes a run; nothing else does. It masks text of the target, applies waivers and the baseline, and draws
 * conclusion and progress. The exit code follows from the result (`exitCodeOf`).
 * @returns the result document, and the last event, from which a reader of the events makes the same document
 */
export function finishRun(
  start: StartEvent,
  found: Finished,
  { writing, stage, ...spent }: Ending,
  { planned, waivers, against, creations, redact = (text) => text, strict, failOn = [] }: FinishOptions,
): { result: RunResult; end: EndEvent } {
  const { checks } = found;
  const { operations = {} } = start.target;
  const fixtures = stage && { ...stage, missing: masked(stage.missing, redact) };
  const { counts: _, ...concluded } = conclude(checks, {
    strict,
    failOn,
    waivers: waivers && reportWaivers(waivers.plan, checks, waivers.given),
    baseline: against?.(
      (check) => waivers !== undefined && expiredOf(check, waivers.given) !== undefined,
      observedOf(found.fields, found.observed ?? []).observed,
    ),
    planned,
    notices: found.notices,
    mode: start.run.mode,
    ...defined({ ended: spent.ended }),
  });
  const end: EndEvent = {
    ...concluded,
    ...spent,
    ...defined({
      writing: writing && {
        ...writing,
        left: masked(writing.left, redact),
        doubts: writing.doubts.map(redact),
      },
      stage: fixtures,
      progress: creations && progressOf(checks, { operations, creations, stage: fixtures }),
    }),
  };
  return { result: resultDocument(start, found, end), end };
}

function masked<One extends { why: string }>(all: readonly One[], redact: Redactor): One[] {
  return all.map((one) => ({ ...one, why: redact(one.why) }));
}

/** The result document of a run from its events, the same for the run and for a reader of its events. */
export function resultDocument(
  { tool, target, run }: StartEvent,
  { checks, notices, fields, observed = [] }: Finished,
  { seconds, requests, retries, blocked, ended, baseline, ...end }: EndEvent,
): RunResult {
  const { conclusion, reason, news, waivers, partial, writing, stage, progress } = end;
  const fuzzing = fuzzingOf(checks);
  return {
    format: 1,
    tool,
    target,
    run: { ...run, seconds, requests, retries, ...defined({ blocked, ended }) },
    conclusion,
    reason,
    counts: countVerdicts(checks),
    ...defined({ baseline, news, waivers, partial, fuzzing }),
    notices,
    ...observedOf(fields, observed),
    ...defined({ writing, stage, progress }),
    checks: withStandings(checks, baseline),
  };
}

function withStandings(checks: readonly CheckResult[], report: BaselineReport | undefined): CheckResult[] {
  if (report === undefined) return [...checks];
  const standings = new Map<string, Standing>(
    (['new', 'found', 'still', 'fixed', 'untold'] as const).flatMap((standing) =>
      (report[standing] ?? []).map((id) => [id, standing] as const),
    ),
  );
  return checks.map((check) => {
    const standing = standings.get(check.id);
    return standing === undefined ? check : { ...check, standing };
  });
}

function observedOf(
  fields: readonly ShownFields[],
  parts: readonly ObservedAnswers[],
): Pick<RunResult, 'observed'> {
  if (fields.length === 0 && parts.length === 0) return {};
  const key = ({ resource, context }: ShownFields): string => `${resource}\n${context}`;
  const sorted = fields.toSorted((one, other) => byText(key(one), key(other)));
  return { observed: { fields: sorted, ...(parts.length > 0 && latestNotes(parts)) } };
}

/** The latest notes for each kind of answer, in a fixed order. */
function latestNotes(parts: readonly ObservedAnswers[]): ObservedAnswers {
  const lastOf = <Notes>(all: readonly Notes[], key: (one: Notes) => unknown[]): Notes[] =>
    [...new Map(all.map((one) => [JSON.stringify(key(one)), one]))].sort(byName).map(([, last]) => last);
  return {
    answers: lastOf(
      parts.flatMap(({ answers }) => answers),
      ({ route, method, context = '', caller, with: others = [] }) => [
        route,
        method,
        context,
        caller,
        others,
      ],
    ),
    refusals: lastOf(
      parts.flatMap(({ refusals }) => refusals),
      ({ route, method, caller, kind, status, code = '' }) => [route, method, caller, kind, status, code],
    ),
  };
}

export interface GivenWaiver extends Waiver {
  /** Whether it is from the built-in list, which the caller cannot fix. */
  readonly shipped: boolean;
}

/** The waivers of a run. Plain data: it crosses into the worker that runs the checks. */
export interface RunWaivers {
  /** The day on which the run began, as an ISO date. */
  readonly today: string;
  /** The software of the site with its version, if the caller named it. */
  readonly software?: string | undefined;
  readonly given: readonly GivenWaiver[];
  /** Known failures of the software behind the vocabulary, waived or not. */
  readonly upstream: readonly Waiver[];
}

type Failure = Pick<CheckResult, 'id' | 'verdict' | 'replay'>;

/**
 * Marks a failure that waivers cover; it stays a failure. Otherwise the message names an expired waiver, and the result
 * names a known failure of the software. Other results are returned unchanged.
 */
export function applyWaivers<Result extends CheckResult>(result: Result, waivers: RunWaivers): Result {
  if (result.verdict !== 'fail') return result;
  const [waived, ...also] = coverInForce(result, waivers).map(waivedBy);
  if (waived !== undefined) {
    return { ...result, waived: also.length === 0 ? waived : { ...waived, also } };
  }
  const fitting = waivers.upstream.filter((waiver) => fits(waiver, waivers.software));
  const [upstream] = coverOf(result, fitting);
  const known = upstream && { upstream: defined({ reason: upstream.reason, link: upstream.link }) };
  const late = expiredOf(result, waivers);
  if (late === undefined) return { ...withAcceptedLast(result, waivers), ...known };
  const message = `${result.message ?? result.title} (its waiver expired on ${late.expires})`;
  return { ...result, ...known, message };
}

/** A failure of which waivers accept some findings: what they do not accept comes first. */
function withAcceptedLast<Result extends CheckResult>(result: Result, waivers: RunWaivers): Result {
  const { replay, ...failure } = result;
  const {
    accepted = [],
    open = [],
    unstable = [],
  } = Object.groupBy(replay?.sets ?? [], (set) => {
    if (set.shows !== 'always') return 'unstable';
    return isWaived({ ...failure, replay: { sets: [set] } }, waivers) ? 'accepted' : 'open';
  });
  const [first, ...more] = open;
  if (first === undefined || accepted.length === 0) return result;
  const argumentsOf = (sets: typeof open): string[][] => sets.map(({ parameters }) => parameters);
  const { message, expected, observed, reproduce } = first;
  const rest = present([
    more.length > 0 && namedFindings('more', argumentsOf(more)),
    namedFindings('waived', argumentsOf(accepted)),
  ]).join('; ');
  return {
    ...result,
    ...defined({ expected, observed, reproduce }),
    message: `${message} (and ${rest})`,
    replay: { sets: [...open, ...accepted, ...unstable] },
  };
}

/** Whether waivers cover a failure. */
export function isWaived(failure: Failure, waivers: RunWaivers): boolean {
  return coverInForce(failure, waivers).length > 0;
}

function coverInForce(failure: Failure, waivers: RunWaivers): Waiver[] {
  const inForce = waivers.given.filter((waiver) => standingOf(waiver, waivers) === 'in-force');
  return coverOf(failure, inForce);
}

/** The outcome of the waivers of a run, and how many of the caller's own are stale; undefined without waivers. */
export function reportWaivers(
  planned: readonly string[],
  checks: readonly CheckResult[],
  waivers: RunWaivers,
): { report: WaiversReport; stale: number } | undefined {
  const { given, software } = waivers;
  if (given.length === 0) return undefined;
  const byId = new Map(checks.map((check) => [check.id, check]));
  const { expired = [], elsewhere = [] } = Object.groupBy(given, (waiver) => standingOf(waiver, waivers));
  const unmatched = given.filter((waiver) => !waiver.shipped && !planned.some(selectorOf(waiver.check)));
  const unversioned = given.filter(({ versions }) => versions !== undefined && software === undefined);
  // A waiver for some versions may be unneeded on a site of unknown version.
  const meant = given.filter((waiver) => !elsewhere.includes(waiver) && !unversioned.includes(waiver));
  const passing = meant.filter((waiver) => isPassing(waiver, planned, byId));
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

/** Whether every check that a waiver matches passes; false if one was not evaluated, or none matches. */
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

/** The expired waiver that would cover a failure, if no other one does. */
function expiredOf(failure: Failure, waivers: RunWaivers): Waiver | undefined {
  const applying = waivers.given.filter((waiver) => standingOf(waiver, waivers) !== 'elsewhere');
  if (isWaived(failure, waivers)) return undefined;
  return coverOf(failure, applying).find((waiver) => standingOf(waiver, waivers) === 'expired');
}

/** Whether a waiver matches a failure as a whole, or one of its findings. */
export function waiverMatches({ check, finding }: Waiver, { id, replay }: Failure): boolean {
  if (!selectorOf(check)(id)) return false;
  return finding === undefined || (replay?.sets ?? []).some((set) => selectorOf(finding)(set.id));
}

/** The waivers that together cover a failure: one for the check, or one for each finding; none unless all are covered. */
function coverOf<One extends Waiver>(failure: Failure, waivers: readonly One[]): One[] {
  const about = waivers.filter(({ check }) => selectorOf(check)(failure.id));
  const whole = about.find(({ finding }) => finding === undefined);
  if (whole !== undefined) return [whole];
  const sets = (failure.replay?.sets ?? []).filter(({ shows }) => shows === 'always');
  const found = sets.map(({ id }) => about.find((waiver) => selectorOf(waiver.finding ?? '')(id)));
  const covering = found.filter((one) => one !== undefined);
  return covering.length === found.length ? [...new Set(covering)] : [];
}

function standingOf(waiver: Waiver, { today, software }: RunWaivers): 'in-force' | 'expired' | 'elsewhere' {
  if (!fits(waiver, software)) return 'elsewhere';
  return waiver.expires < today ? 'expired' : 'in-force';
}

/** Whether a waiver is for the software of the site. It is if nobody named the software. */
function fits({ versions }: Pick<Waiver, 'versions'>, software: string | undefined): boolean {
  if (versions === undefined || software === undefined) return true;
  const name = software.toLowerCase();
  return versions.map((one) => one.toLowerCase()).some((one) => name === one || name.startsWith(`${one}.`));
}

function waivedBy(waiver: Waiver): Waived {
  const { reason, owner, expires, link } = waiver;
  return defined({ waiver: waiverName(waiver), reason, owner, expires, link });
}

function namesOf(waivers: readonly Waiver[]): string[] {
  return [...new Set(waivers.map(waiverName))].toSorted();
}
