import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Redactor, redactorFor } from '../client/redact.ts';
import { againstBaseline } from '../compare/baseline.ts';
import type { PlannedCheck } from '../engine/plan.ts';
import { progressOf } from '../engine/progress.ts';
import type {
  CheckResult,
  ObservedAnswers,
  RunEvent,
  RunResult,
  ShownFields,
  StageReport,
  WritingReport,
} from '../engine/result.ts';
import { expiredOf, reportWaivers } from '../engine/waivers.ts';
import { withCosts } from '../probing/records/stage/costs.ts';
import { conclude } from '../reports/conclusion.ts';
import { EventLog } from '../reports/event-log.ts';
import type { ReportFile } from '../reports/files.ts';
import { print } from '../reports/print.ts';
import { type ChosenReporter, EXCHANGES } from '../reports/reporters/reporter.ts';
import { eventSink } from '../reports/reporters/write-reports.ts';
import { resultDocument } from '../reports/result-document.ts';
import { visibleLine } from '../reports/text.ts';
import type { Contract } from '../specs/model.ts';
import { clientOptions, type RunEnd, type RunListener, run as runChecks } from '../suites/run.ts';
import { configOf, headOf, writingOf } from './begin-run.ts';
import { ReportError } from './errors.ts';
import { makeReports, tellFailed } from './made-reports.ts';
import type { ReadyTarget } from './ready-target.ts';
import { type ProgressStream, showProgress } from './show-progress.ts';
import { replayLine } from './suggest.ts';

/** The result of one run and the reports that were written. */
export interface TargetRun {
  readonly result: RunResult;
  readonly reports: readonly ReportFile[];
  /** Whether every reporter made its report. */
  readonly complete: boolean;
}

/** What a program that imports the suite wants of a run beyond its reports. */
export interface Caller {
  /** Leaves out of a plan what nobody wants to know. */
  readonly narrow?: ((plan: readonly PlannedCheck[]) => readonly PlannedCheck[]) | undefined;
  /** Hears each result as it comes. */
  readonly heard?: RunListener['result'];
}

/**
 * Runs every planned check against one target and writes the reports into a folder.
 * @param stream where the progress is shown; @param signal ends the run early, with reports of what was learned
 * @param chosen the reports beside `results.json`
 * @param caller what the caller has of its own
 */
export async function runTarget(
  given: ReadyTarget,
  folder: string,
  stream: ProgressStream,
  signal: AbortSignal,
  chosen: readonly ChosenReporter[],
  { narrow = (plan) => plan, heard }: Caller = {},
): Promise<TargetRun> {
  const recorded = chosen.some(({ reporter }) => reporter.exchanges === true);
  const ready = recorded ? { ...given, exchanges: join(folder, EXCHANGES) } : given;
  const full = new AbortController();
  const keep = keepFrom(folder);
  keep(() => mkdirSync(folder, { recursive: true }));
  const started = new Date();
  const redact = redactorFor(clientOptions({ ...ready, target: ready.url }, ready.env));
  const head = keep(() => headOf(ready, join(folder, 'index.json'), started));
  const { tool, target, run, notices, kept } = head;
  const log = keep(() => new EventLog(join(folder, 'events.ndjson')));
  let complete = true;
  const tell = eventSink(chosen, (given, error) => {
    complete = false;
    tellFailed(given, error, redact);
  });
  const note = (event: RunEvent): void => {
    keep(() => log.append(event));
    tell(event);
  };
  note({ event: 'start', tool, target, run, planned: ready.plan.length });
  for (const notice of notices) note({ event: 'notice', notice });
  const order = new Map(ready.plan.map(({ check }, at) => [check.id, at]));
  const noted = new Set<CheckResult>();
  const checkEvent = (check: CheckResult): RunEvent => {
    noted.add(check);
    const at = order.get(check.id);
    return { event: 'check', ...(at !== undefined && { at }), check };
  };

  const writing = await writingOf(ready, head, folder, (line) => print(stream, `${visibleLine(line)}\n`));

  // Own records are removed all the same: a report that cannot be written ends the checks, not the run.
  const append = (event: RunEvent): void => {
    if (full.signal.aborted) return;
    try {
      note(event);
    } catch (error) {
      full.abort(error);
    }
  };
  const checks: CheckResult[] = [];
  const fields: ShownFields[] = [];
  let observed: ObservedAnswers | undefined;
  const progress = showProgress(ready, stream);
  let end: RunEnd;
  let written: WritingReport | undefined;
  try {
    end = await runChecks(
      // Allure gets its results from the document, as all reports do.
      {
        ...configOf(ready, head, writing),
        allure: false,
        replayLine: replayLine(ready),
        plan: narrow(ready.plan),
      },
      {
        result(check, state) {
          checks.push(check);
          append(checkEvent(check));
          progress.result(check, state.requests);
          heard?.(check, state);
        },
        fields(shown) {
          fields.push(shown);
          append({ event: 'fields', fields: shown });
        },
        observed(answers) {
          observed = answers;
          append({ event: 'observed', ...answers });
        },
        live: progress.live,
      },
      AbortSignal.any([signal, full.signal]),
    ).finally(() => kept.release());
    if (writing !== undefined) progress.cleaningUp();
    written = masked(await writing?.end(), redact);
  } finally {
    progress.stop();
  }
  full.signal.throwIfAborted();

  // Results come as they are ready; reports list them in the order of the plan.
  checks.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  const ids = ready.plan.map(({ check }) => check.id);
  const baseline =
    ready.earlier &&
    againstBaseline(
      ready.earlier,
      { tool, target, run, checks },
      (check) => expiredOf(check, ready.accepted) !== undefined,
    );
  const concluded = conclude(checks, {
    strict: ready.strict,
    failOn: ready.failOn,
    waivers: reportWaivers(ids, checks, ready.accepted),
    baseline,
    planned: ready.plan.length,
    ...(end.ended !== undefined && { ended: end.ended }),
  });
  const tail = {
    seconds: (Date.now() - started.getTime()) / 1000,
    requests: ready.traffic.requests + end.requests,
    retries: ready.traffic.retries + end.retries,
  };
  // What was judged anew after it had come is told again: the last result of a check counts.
  for (const check of checks) if (!noted.has(check)) note(checkEvent(check));
  const { counts: _counts, ...told } = concluded;
  const staged = end.stage && maskedStage(withCosts(end.stage, checks, ready.contract), redact);
  const last = {
    ...told,
    ...tail,
    ...(end.ended !== undefined && { ended: end.ended }),
    ...(written !== undefined && { writing: written }),
    ...(staged !== undefined && { stage: staged }),
    progress: progressOf(checks, {
      operations: target.operations ?? {},
      creations: creationsOf(ready.contract),
      stage: staged,
    }),
  };
  note({ event: 'end', ...last });
  keep(() => log.close());
  const result = resultDocument({ tool, target, run }, { checks, notices, fields, observed }, last);
  try {
    const made = await makeReports(folder, result, chosen, redact);
    return {
      result,
      reports: made.files,
      complete: complete && made.complete,
    };
  } catch (error) {
    return keep(() => {
      throw error;
    });
  }
}

/** What cleaning up says, as reports may show it: a target words some of the reasons. */
function masked(report: WritingReport | undefined, redact: Redactor): WritingReport | undefined {
  if (report === undefined) return undefined;
  const left = report.left.map((one) => ({ ...one, why: redact(one.why) }));
  return { ...report, left, doubts: report.doubts.map(redact) };
}

/** The operations that create records, by their resources. */
function creationsOf({ resources }: Contract): ReadonlyMap<string, string> {
  return new Map(resources.flatMap(({ id, operations: { create } }) => (create ? [[id, create.id]] : [])));
}

/** What setting the stage says, as reports may show it. */
function maskedStage(stage: StageReport, redact: Redactor): StageReport {
  return { ...stage, missing: stage.missing.map((one) => ({ ...one, why: redact(one.why) })) };
}

/** Calls what writes reports. @throws ReportError where the file system does not take them */
function keepFrom(folder: string): <T>(write: () => T) => T {
  return (write) => {
    try {
      return write();
    } catch (error) {
      throw isOfFileSystem(error) ? new ReportError(folder, error) : error;
    }
  };
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
