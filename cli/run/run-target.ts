import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ObservedAnswers } from '../../client/observed/document.ts';
import { type Redactor, redactorFor } from '../../client/redact.ts';
import { againstBaseline } from '../../compare/baseline.ts';
import { readClient } from '../../compare/clients/uses.ts';
import { type FinishOptions, finishRun } from '../../engine/finish.ts';
import type { CheckResult, RunResult, ShownFields, WritingReport } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import { visibleLine } from '../../engine/text.ts';
import { withAffectedChecks } from '../../probing/records/fixtures/create-fixtures.ts';
import type { ReportFile } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { EventLog } from '../../reports/read-events.ts';
import { type ChosenReporter, EXCHANGES, eventSink } from '../../reports/reporters/reporter.ts';
import type { ProgressStream } from '../../reports/show-line.ts';
import { type RunEnd, run } from '../../suites/run.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { keepFrom, reportErrorOf } from '../shell/errors.ts';
import type { Ready } from './ready-target.ts';
import { makeReports, reportFailed } from './reporters.ts';
import { headOf, type RunHead } from './run-head.ts';
import { showProgress } from './show-progress.ts';
import { replayLine } from './suggest.ts';
import { beginWriting } from './writing-run.ts';

/** The result of one run and the reports that were written. */
export interface TargetRun {
  readonly result: RunResult;
  readonly reports: readonly ReportFile[];
  readonly complete: boolean;
}

interface TargetHow {
  readonly folder: string;
  readonly stream: ProgressStream;
  readonly signal: AbortSignal;
  readonly reporters: readonly ChosenReporter[];
  readonly heard: (result: CheckResult) => void;
}

/** Runs every planned check against one target and writes the reports. */
export async function runTarget({ config: given, preflight }: Ready, how: TargetHow): Promise<TargetRun> {
  const { folder, stream, reporters } = how;
  const recorded = reporters.some(({ reporter }) => reporter.exchanges === true);
  const config = recorded ? { ...given, exchanges: join(folder, EXCHANGES) } : given;
  const keep = keepFrom(folder);
  keep(() => mkdirSync(folder, { recursive: true }));
  const started = new Date();
  const head = keep(() => headOf(config, preflight, join(folder, 'index.json'), started));
  const record = keep(() => new RunRecord(config, head, folder, reporters));
  record.begin();
  const say = (line: string): unknown => print(stream, `${visibleLine(line)}\n`);
  const { end, written } = await beginWriting(config, head, folder, say)
    .then((writing) => evaluate(config, record, head.kept.file, writing, how))
    .finally(() => head.kept.release());
  const result = record.finish(end, written, {
    seconds: (Date.now() - started.getTime()) / 1000,
    requests: preflight.traffic.requests + end.requests,
    retries: preflight.traffic.retries + end.retries,
  });
  try {
    const made = await makeReports(folder, result, reporters, record.redact);
    return { result, reports: made.files, complete: record.complete && made.complete };
  } catch (error) {
    throw reportErrorOf(folder, error);
  }
}

async function evaluate(
  config: RunConfig,
  record: RunRecord,
  indexFile: string,
  writing: Awaited<ReturnType<typeof beginWriting>>,
  { stream, signal, heard }: TargetHow,
): Promise<{ end: RunEnd; written: WritingReport | undefined }> {
  const progress = showProgress(config, stream);
  try {
    const end = await run(
      { ...config, indexFile, journal: writing?.journal, replayLine: replayLine(config) },
      {
        all: true,
        result(check, requests) {
          record.result(check);
          progress.result(check, requests);
          heard(check);
        },
        fields: (shown) => record.shown(shown),
        observed: (answers) => record.observed(answers),
        live: progress.live,
      },
      AbortSignal.any([signal, record.full.signal]),
    );
    if (writing !== undefined) progress.cleaningUp();
    return { end, written: await writing?.end() };
  } finally {
    progress.stop();
  }
}

/** Writes the events of a run, passes them to reporters, and writes the result document at the end. */
class RunRecord {
  readonly redact: Redactor;
  /** Aborted if reports cannot be written any more. */
  readonly full: AbortController = new AbortController();
  complete = true;
  readonly #config: RunConfig;
  readonly #head: RunHead;
  readonly #log: EventLog;
  readonly #keep: ReturnType<typeof keepFrom>;
  readonly #tell: (event: RunEvent) => void;
  readonly #order: ReadonlyMap<string, number>;
  readonly #noted = new Set<CheckResult>();
  readonly #checks: CheckResult[] = [];
  readonly #fields: ShownFields[] = [];
  readonly #observed: ObservedAnswers[] = [];

  constructor(config: RunConfig, head: RunHead, folder: string, chosen: readonly ChosenReporter[]) {
    this.#config = config;
    this.#head = head;
    this.redact = redactorFor(config);
    this.#keep = keepFrom(folder);
    this.#log = new EventLog(join(folder, 'events.ndjson'));
    this.#order = new Map(config.plan.map(({ check }, at) => [check.id, at]));
    this.#tell = eventSink(chosen, (given, error) => {
      this.complete = false;
      reportFailed(given, error, this.redact);
    });
  }

  begin(): void {
    const { tool, target, run, notices } = this.#head;
    this.#note({ event: 'start', tool, target, run, planned: this.#config.plan.length });
    for (const notice of notices) this.#note({ event: 'notice', notice });
  }

  result(check: CheckResult): void {
    this.#checks.push(check);
    this.#append(this.#checkEvent(check));
  }

  shown(fields: ShownFields): void {
    this.#fields.push(fields);
    this.#append({ event: 'fields', fields });
  }

  observed(answers: ObservedAnswers): void {
    this.#observed.push(answers);
    this.#append({ event: 'observed', ...answers });
  }

  /** Ends the record. @throws ReportError if something could not be written */
  finish(
    { ended, stage }: RunEnd,
    written: WritingReport | undefined,
    tail: Pick<RunResult['run'], 'seconds' | 'requests' | 'retries'>,
  ): RunResult {
    this.full.signal.throwIfAborted();
    const { tool, target, run, notices } = this.#head;
    const checks = this.#checks;
    // Results arrive in order of completion; reports list them in the order of the plan.
    checks.sort((one, other) => (this.#order.get(one.id) ?? 0) - (this.#order.get(other.id) ?? 0));
    // A check that was evaluated again is noted again: its last result counts.
    for (const check of checks) if (!this.#noted.has(check)) this.#note(this.#checkEvent(check));
    const contract = contractOf(this.#config);
    const { result, end } = finishRun(
      { tool, target, run },
      { checks, notices, fields: this.#fields, observed: this.#observed },
      {
        ...tail,
        ...(ended !== undefined && { ended }),
        ...(written !== undefined && { writing: written }),
        ...(stage !== undefined && { stage: withAffectedChecks(stage, checks, contract) }),
      },
      {
        ...finishOptions(this.#config, this.#head, checks),
        creations: new Map(
          contract.resources.flatMap(({ id, operations: { create } }) => (create ? [[id, create.id]] : [])),
        ),
        redact: this.redact,
      },
    );
    this.#note({ event: 'end', ...end });
    this.#keep(() => this.#log.close());
    return result;
  }

  #checkEvent(check: CheckResult): RunEvent {
    this.#noted.add(check);
    const at = this.#order.get(check.id);
    return { event: 'check', ...(at !== undefined && { at }), check };
  }

  #note(event: RunEvent): void {
    this.#keep(() => this.#log.append(event));
    this.#tell(event);
  }

  /** An event that cannot be written only ends the checks, so that own records are still removed. */
  #append(event: RunEvent): void {
    if (this.full.signal.aborted) return;
    try {
      this.#note(event);
    } catch (error) {
      this.full.abort(error);
    }
  }
}

function finishOptions(
  { plan, strict, failOn, accepted, earlier, asClient = [] }: RunConfig,
  { tool, target, run }: Pick<RunHead, 'tool' | 'target' | 'run'>,
  checks: CheckResult[],
): FinishOptions {
  const clients = asClient.map(readClient);
  return {
    strict,
    failOn,
    planned: plan.length,
    waivers: accepted && { given: accepted, plan: plan.map(({ check }) => check.id) },
    against:
      earlier &&
      ((isExpired, observed) =>
        againstBaseline(
          earlier,
          { tool, target, run, checks, ...(observed !== undefined && { observed }) },
          isExpired,
          clients,
        )),
  };
}
