import type { Redactor } from '../client/redact.ts';
import { type ConcludeOptions, conclude, countVerdicts } from './conclusion.ts';
import { fuzzingOf } from './fuzzing.ts';
import { progressOf } from './progress.ts';
import type {
  BaselineReport,
  CheckResult,
  Notice,
  ObservedAnswers,
  RunEvent,
  RunResult,
  ShownFields,
  Standing,
} from './result.ts';
import { expiredOf, type RunWaivers, reportWaivers } from './waivers.ts';

type StartEvent = Omit<Extract<RunEvent, { event: 'start' }>, 'event' | 'planned'>;
type EndEvent = Omit<Extract<RunEvent, { event: 'end' }>, 'event'>;

/** What a run found, its checks in the order of the plan. */
interface Found {
  readonly checks: CheckResult[];
  readonly notices: Notice[];
  readonly fields: readonly ShownFields[];
  /** In parts, as they came: a later one may say anew what an earlier one said. */
  readonly observed?: readonly ObservedAnswers[];
}

/** How a run ended, and what it did beside its checks. */
type Ending = Pick<EndEvent, 'seconds' | 'requests' | 'retries' | 'ended' | 'writing' | 'stage'>;

/** What decides how a run is read. */
export interface FinishOptions extends Pick<ConcludeOptions, 'strict' | 'failOn'> {
  /** How many checks the plan held. */
  readonly planned: number;
  /** The failures that are accepted, and the ids of all checks that waivers may name. */
  readonly waivers?: { readonly given: RunWaivers; readonly plan: readonly string[] } | undefined;
  /** Holds the checks, and what was observed beside them, against an earlier run. */
  readonly against?:
    | ((isExpired: (check: CheckResult) => boolean, observed: RunResult['observed']) => BaselineReport)
    | undefined;
  /** The operation that creates the records of a resource, by the resource; without it no progress is drawn. */
  readonly creations?: ReadonlyMap<string, string>;
  readonly redact?: Redactor;
}

/**
 * Finishes a run, the one place where that is done: what a target words in it is masked, waivers and the baseline are counted, and
 * the conclusion and the progress are drawn. The exit code follows from the result (`exitCodeOf`).
 * @returns the result document, and the last event, from which whoever reads the events makes the same document
 */
export function finishRun(
  start: StartEvent,
  found: Found,
  { writing, stage, ...spent }: Ending,
  { planned, waivers, against, creations, redact = (text) => text, strict, failOn = [] }: FinishOptions,
): { result: RunResult; end: EndEvent } {
  const { checks } = found;
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
    ...(spent.ended !== undefined && { ended: spent.ended }),
  });
  const end: EndEvent = {
    ...concluded,
    ...spent,
    ...(writing && {
      writing: {
        ...writing,
        left: masked(writing.left, redact),
        doubts: writing.doubts.map(redact),
      },
    }),
    ...(fixtures && { stage: fixtures }),
    ...(creations && {
      progress: progressOf(checks, {
        operations: start.target.operations ?? {},
        creations,
        stage: fixtures,
      }),
    }),
  };
  return { result: resultDocument(start, found, end), end };
}

/** Reasons that a target may have worded. */
function masked<One extends { why: string }>(all: readonly One[], redact: Redactor): One[] {
  return all.map((one) => ({ ...one, why: redact(one.why) }));
}

/** The result document of a run, from what its events hold: a run and whoever reads its events make the same document. */
export function resultDocument(
  { tool, target, run }: StartEvent,
  { checks, notices, fields, observed = [] }: Found,
  { seconds, requests, retries, ended, baseline, ...end }: EndEvent,
): RunResult {
  const { conclusion, reason, news, waivers, partial, writing, stage, progress } = end;
  const fuzzing = fuzzingOf(checks);
  return {
    format: 1,
    tool,
    target,
    run: { ...run, seconds, requests, retries, ...(ended !== undefined && { ended }) },
    conclusion,
    reason,
    counts: countVerdicts(checks),
    ...(baseline !== undefined && { baseline }),
    ...(news !== undefined && { news }),
    ...(waivers !== undefined && { waivers }),
    ...(partial !== undefined && { partial }),
    ...(fuzzing !== undefined && { fuzzing }),
    notices,
    ...observedOf(fields, observed),
    ...(writing !== undefined && { writing }),
    ...(stage !== undefined && { stage }),
    ...(progress !== undefined && { progress }),
    checks: withStandings(checks, baseline),
  };
}

/** Checks with how each stands against a baseline. */
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

/** What records showed as a result document holds it: by resource and context, in whichever order they were read. */
function observedOf(
  fields: readonly ShownFields[],
  parts: readonly ObservedAnswers[],
): Pick<RunResult, 'observed'> {
  if (fields.length === 0 && parts.length === 0) return {};
  const key = ({ resource, context }: ShownFields): string => `${resource}\n${context}`;
  const sorted = fields.toSorted((one, other) =>
    key(one) < key(other) ? -1 : Number(key(one) > key(other)),
  );
  return { observed: { fields: sorted, ...(parts.length > 0 && joined(parts)) } };
}

/** The last word on each kind of answer, in one order. */
function joined(parts: readonly ObservedAnswers[]): ObservedAnswers {
  const lastOf = <Notes>(all: readonly Notes[], key: (one: Notes) => unknown[]): Notes[] =>
    [...new Map(all.map((one) => [JSON.stringify(key(one)), one]))]
      .sort(([one], [other]) => (one < other ? -1 : Number(one > other)))
      .map(([, last]) => last);
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
