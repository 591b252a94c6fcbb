import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { showBase } from '../../client/address.ts';
import { defined } from '../../client/json.ts';
import type { ObservedAnswers } from '../../client/observed/document.ts';
import { type Redactor, redactJson, redactorFor } from '../../client/redact.ts';
import type { SiteIndex } from '../../client/site-index.ts';
import { againstBaseline } from '../../compare/checks/baseline.ts';
import { placesOf } from '../../compare/checks/places.ts';
import { readClients } from '../../compare/clients/uses.ts';
import { looksLike } from '../../compare/declared/known-versions.ts';
import { surfaceOf } from '../../compare/declared/surface.ts';
import { LOST_HEADERS } from '../../engine/conclusion.ts';
import { type FinishOptions, finishRun } from '../../engine/finish.ts';
import type { FuzzOptions, SearchesOfRun } from '../../engine/fuzz-options.ts';
import type { CheckResult, Notice, RunResult, ShownFields, WritingReport } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { visibleLine } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import { withAffectedChecks } from '../../probing/records/fixtures/create-fixtures.ts';
import type { ReportFile } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { EventLog } from '../../reports/read-events.ts';
import { type ChosenReporter, EXCHANGES, eventSink, writeReports } from '../../reports/reporters/reporter.ts';
import type { ProgressStream } from '../../reports/show-line.ts';
import { isBuiltIn } from '../../specs/deployment.ts';
import { beyondOf, noticesOf } from '../../suites/index/notices.ts';
import { type RunEnd, run } from '../../suites/run.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { keepFrom, reportErrorOf } from '../shell/errors.ts';
import type { Ready } from './ready-target.ts';
import { reportFailed } from './reporters.ts';
import { showProgress } from './show-progress.ts';
import { againLine, replayLine } from './suggest.ts';
import { beginWriting } from './writing-run.ts';

/** The result of one run and the reports that were written. */
export interface TargetRun {
  readonly result: RunResult;
  readonly reports: readonly ReportFile[];
  readonly complete: boolean;
}

/** Where a target writes its reports and shows its progress, and who ends the run or hears of its results. */
export interface TargetHow {
  readonly folder: string;
  readonly stream: ProgressStream;
  readonly signal: AbortSignal;
  readonly reporters: readonly ChosenReporter[];
  readonly heard?: ((result: CheckResult, target: RunConfig) => void) | undefined;
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
    const reports = await writeReports(folder, result, reporters, record.failed);
    return { result, reports, complete: record.complete };
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
          heard?.(check, config);
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

class RunRecord {
  readonly #redact: Redactor;
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
    this.#redact = redactorFor(config);
    this.#keep = keepFrom(folder);
    this.#log = new EventLog(join(folder, 'events.ndjson'));
    this.#order = new Map(config.plan.map(({ check }, at) => [check.id, at]));
    this.#tell = eventSink(chosen, this.failed);
  }

  readonly failed = (given: string, error: unknown): void => {
    this.complete = false;
    reportFailed(given, error, this.#redact);
  };

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

  finish(
    { ended, stage, blocked }: RunEnd,
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
    const affected = stage && withAffectedChecks(stage, checks, contract);
    const { result, end } = finishRun(
      { tool, target, run },
      { checks, notices, fields: this.#fields, observed: this.#observed },
      { ...tail, ...defined({ blocked, ended, writing: written, stage: affected }) },
      {
        ...finishOptions(this.#config, this.#head, checks),
        creations: new Map(
          contract.resources.flatMap(({ id, operations: { create } }) => (create ? [[id, create.id]] : [])),
        ),
        redact: this.#redact,
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
  { plan, strict, failOn, accepted, earlier, asClient }: RunConfig,
  { tool, target, run }: Pick<RunHead, 'tool' | 'target' | 'run'>,
  checks: CheckResult[],
): FinishOptions {
  const clients = readClients(asClient);
  return {
    strict,
    failOn,
    planned: plan.length,
    waivers: accepted && { given: accepted, plan: plan.map(({ check }) => check.id) },
    against:
      earlier &&
      ((isExpired, observed) => {
        const now = { tool, target, run, checks, ...(observed !== undefined && { observed }) };
        return againstBaseline(earlier, now, isExpired, clients);
      }),
  };
}

interface RunHead extends Pick<RunResult, 'tool' | 'target' | 'notices'> {
  readonly run: Extract<RunEvent, { event: 'start' }>['run'];
  readonly kept: ReturnType<typeof keepIndex>;
}

/** Names a run. The index goes to a file, masked, because a large one is not held while the checks run. */
function headOf(
  ready: RunConfig,
  { takeIndex }: Pick<Ready['preflight'], 'takeIndex'>,
  indexPath: string,
  started: Date,
): RunHead {
  const { index, text, hasLostHeaders } = takeIndex();
  const contract = contractOf(ready);
  const purpose = ready.required === undefined ? ready.purpose : 'certify';
  const redact = redactorFor(ready);
  const stamp = started.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return {
    tool: { ...productTool(), contract: contract.digest },
    target: {
      url: showBase(ready.base),
      deployment: contract.deployment,
      vocabulary: contract.vocabulary,
      ...deploymentOf(ready, dirname(indexPath)),
      index: index.digest,
      beyond: beyondOf(contract, index).map((one) => ({ ...one, namespace: redact(one.namespace) })),
      ...(ready.software !== undefined && { software: ready.software }),
      ...(ready.insecure === true && { insecure: true }),
      as: ready.user === undefined ? 'anonymous' : 'user',
      operations: placesOf(contract),
    },
    run: {
      id: `${stamp}-${randomBytes(3).toString('hex')}`,
      started: started.toISOString(),
      mode: ready.mode,
      seed: ready.seed,
      ...(purpose !== undefined && { purpose }),
      again: redact(againLine(ready, dirname(indexPath))),
      ...(ready.fuzz.replay !== true && { searches: searchesOf(ready.fuzz, redact) }),
    },
    notices: [
      ...(hasLostHeaders ? [{ id: LOST_HEADERS, message: BLANK_LINES }] : []),
      ...noticesOf(contract, index),
      ...softwareNotice(ready, index),
    ].map(({ id, message }) => ({ id: redact(id), message: redact(message) })),
    kept: keepIndex(indexPath, index.document, text, redact),
  };
}

const BLANK_LINES =
  'blank lines come before the JSON, so PHP can set neither headers nor the status of a refusal (look for them before <?php or after ?> in a plugin, the theme or wp-config.php)';

function softwareNotice({ base, software }: RunConfig, { document }: SiteIndex): Notice[] {
  const guess = software === undefined ? looksLike(surfaceOf(document, showBase(base))) : undefined;
  const message = `the index looks like ${guess}; --software names it for sure`;
  return guess === undefined ? [] : [{ id: 'software/looks-like', message }];
}

/** The parts of a composed deployment; of a file, a path that leads to it from wherever both are moved to together. */
function deploymentOf(
  { deployment, composed }: RunConfig,
  folder: string,
): Pick<RunResult['target'], 'deploymentFile' | 'composed'> {
  if (composed !== undefined) {
    return { composed: { operations: [...composed.operations], features: [...(composed.features ?? [])] } };
  }
  if (isBuiltIn(deployment)) return {};
  return { deploymentFile: relative(resolve(folder), resolve(deployment)).split(sep).join('/') };
}

/** What a later run needs to ask the same; a set in which a secret would be masked is another one. */
function searchesOf({ examples, further, kept }: FuzzOptions, redact: Redactor): SearchesOfRun {
  const known = kept.filter(
    ({ known: isKnown, args }) =>
      isKnown === true && JSON.stringify(redactJson(args, redact)) === JSON.stringify(args),
  );
  return { examples, ...(further !== undefined && { further, known }) };
}

/**
 * Writes the index as a report, masked. Where that changed it, the index as it came is kept apart until `release`.
 * @returns the file that the checks read: the index as it came
 */
function keepIndex(path: string, document: unknown, text: string, redact: Redactor) {
  const masked = JSON.stringify(redactJson(document, redact));
  if (masked === JSON.stringify(document)) {
    writeFileSync(path, text);
    return { file: path, release: () => undefined };
  }
  // Masked value by value and written anew: masking a text could leave something that is no JSON.
  writeFileSync(path, masked);
  const folder = temporaryFolder('index');
  const file = join(folder.path, 'index.json');
  writeFileSync(file, text, { mode: 0o600 });
  return { file, release: () => folder[Symbol.dispose]() };
}
