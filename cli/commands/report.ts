import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Redactor } from '../../client/redact.ts';
import { readFleet } from '../../compare/fleet/document.ts';
import { mergeFleets } from '../../compare/fleet/merge.ts';
import { isFolder } from '../../compare/side.ts';
import { exitCodeOf } from '../../engine/conclusion.ts';
import { isUnstableCheck, type RunResult, type Verdict } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import { messageOf } from '../../engine/text.ts';
import { print } from '../../reports/print.ts';
import { readEvents } from '../../reports/read-events.ts';
import { REPORTERS, USUAL } from '../../reports/reporters/registry.ts';
import {
  type ChosenReporter,
  EXCHANGES,
  eventSink,
  STANDARD_OUTPUT,
  writeReports,
} from '../../reports/reporters/reporter.ts';
import { upstreamIssue } from '../../reports/upstream.ts';
import { fleetView } from '../../reports/views/fleet.ts';
import { runView } from '../../reports/views/run/run.ts';
import { UsageError } from '../../specs/validators.ts';
import { writeFleet } from '../fleet/run-fleet.ts';
import { type CommandContext, optionFor } from '../read-options.ts';
import { chooseReporters, printsReport, reportFailed } from '../run/reporters.ts';
import { reportLeftovers } from '../shell/leftovers.ts';
import { lockFolder } from '../shell/lock-folder.ts';
import { openOutFolder } from '../shell/out-folder.ts';
import { openPage, printView, showDocument } from '../shell/output.ts';

const EVENTS = 'events.ndjson';

const FOUND: ReadonlySet<Verdict> = new Set<Verdict>(['fail', 'warn']);

/** Adds the command `report`. */
export default function defineReport(program: Command, { ends, hide }: CommandContext): void {
  program
    .command('report')
    .description('make the reports of a run again from its events, also of one that died')
    .argument('[dir]', 'the folder for reports of the run')
    .addOption(optionFor('reporter'))
    .option('--open', 'open the page with the program that this machine has for pages')
    .option('--upstream <id>', 'print an issue for the owner of the software about this check, and no report')
    .option('--merge <dir...>', 'make one fleet of the parts that run --shard made, all of them')
    .option('--json', 'with --merge: print fleet.json')
    .option('--out <dir>', 'where they go; beside the events unless given, and nowhere with --merge')
    .action(async (folder, options) => ends(await chosenReport(folder, options, hide)));
}

interface ReportOptions {
  readonly reporter?: readonly string[];
  readonly out?: string;
  readonly open?: boolean;
  readonly upstream?: string;
  readonly merge?: readonly string[];
  readonly json?: boolean;
}

function chosenReport(
  folder: string | undefined,
  options: ReportOptions,
  hide: Redactor,
): number | Promise<number> {
  const { merge, json, reporter, upstream } = options;
  if (merge !== undefined) {
    const problem =
      (folder !== undefined && `report --merge takes all folders: add ${folder} to them`) ||
      (upstream !== undefined && 'report --upstream is about one run: leave out --merge') ||
      (reporter !== undefined && 'report --merge makes the documents of a fleet: leave out --reporter');
    if (problem === false) return mergeCommand(merge, options);
    throw new UsageError(problem);
  }
  if (folder === undefined) throw new UsageError('report: expected the folder of a run, or --merge DIR…');
  if (json === true) {
    throw new UsageError('report --json belongs to --merge; of a run, write --reporter json=-');
  }
  return upstream === undefined ? reportCommand(folder, options, hide) : upstreamCommand(folder, upstream);
}

/** Reads the events alone. @returns the exit code of the run, 3 for one that died without a failure */
async function reportCommand(folder: string, options: ReportOptions, hide: Redactor): Promise<number> {
  const folders = foldersOf(resolve(folder));
  const chosen = await chooseReporters(options.reporter ?? USUAL, folders.length);
  refuseUnrecorded(chosen, folders);
  const hasPage = chosen.some(
    ({ reporter, file }) => reporter === REPORTERS.html && file !== STANDARD_OUTPUT,
  );
  if (options.open === true && !hasPage) throw new UsageError('--open opens the page: add --reporter html');
  // Reads everything before anything is written.
  for (const one of folders) readRun(one);
  const stream = printsReport(chosen) ? process.stderr : process.stdout;
  const results: RunResult[] = [];
  const pages: string[] = [];
  let complete = true;
  const failed = (given: string, error: unknown): void => {
    reportFailed(given, error, hide);
    complete = false;
  };
  const tell = eventSink(chosen, failed);
  using _place = takePlace(resolve(options.out ?? folder));
  for (const one of folders) {
    const result = readRun(one, tell);
    results.push(result);
    const files = await writeReports(placeFor(one, folders, options.out), result, chosen, failed, one);
    pages.push(...files.flatMap(({ label, path }) => (label === REPORTERS.html?.label ? [path] : [])));
    printView(runView(result), files, { stream, width: 100 });
  }
  if (options.open === true) for (const page of pages) await openPage(page);
  reportLeftovers(resolve(folder));
  if (!complete) return 4;
  return exitCodeOf(results);
}

function upstreamCommand(folder: string, id: string): number {
  const results = foldersOf(resolve(folder)).map((one) => readRun(one));
  const reported = results.flatMap((result) =>
    result.checks
      .filter((check) => check.id === id || check.replay?.sets.some((one) => one.id === id))
      .map((check) => ({ result, check })),
  );
  const found = reported.find(({ check }) => FOUND.has(check.verdict) || isUnstableCheck(check));
  if (found !== undefined) {
    print(process.stdout, upstreamIssue(found.result, found.check, id), Number.POSITIVE_INFINITY);
    return 0;
  }
  const [known] = reported;
  throw new UsageError(
    known === undefined
      ? `report --upstream: no check of the run is called ${id}`
      : `report --upstream: ${id} found nothing to report: its verdict is ${known.check.verdict}`,
  );
}

function foldersOf(folder: string): string[] {
  if (existsSync(join(folder, EVENTS))) return [folder];
  const inside = isFolder(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const filled = inside.filter((one) => existsSync(join(one, EVENTS))).toSorted();
  if (filled.length > 0) return filled;
  throw new UsageError(
    `report: ${folder} has no ${EVENTS}: expected the folder for reports of a run (--out of the run)`,
  );
}

function takePlace(place: string): Disposable {
  try {
    mkdirSync(place, { recursive: true });
    return lockFolder(place);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`report: reports cannot be written to ${place} (${messageOf(error)})`);
  }
}

function refuseUnrecorded(chosen: readonly ChosenReporter[], folders: readonly string[]): void {
  const wanting = chosen.find(({ reporter }) => reporter.exchanges === true);
  const without = folders.find((one) => !existsSync(join(one, EXCHANGES)));
  if (wanting === undefined || without === undefined) return;
  throw new UsageError(
    `--reporter ${wanting.given}: ${without} has no ${EXCHANGES}: the exchanges are recorded only where a run is asked for them (--har)`,
  );
}

function placeFor(folder: string, all: readonly string[], out: string | undefined): string {
  if (out === undefined) return folder;
  return all.length === 1 ? resolve(out) : join(resolve(out), basename(folder));
}

function readRun(folder: string, listen?: (event: RunEvent) => void): RunResult {
  try {
    return readEvents(join(folder, EVENTS), listen);
  } catch (error) {
    throw new UsageError(`report: ${messageOf(error)}`);
  }
}

async function mergeCommand(merge: readonly string[], { out, json, open }: ReportOptions): Promise<number> {
  if (open === true && out === undefined) throw new UsageError('--open opens the page: add --out DIR');
  const base = resolve(out ?? '.');
  const parts = merge.map((part) => readFleet(resolve(part)));
  const fleet = mergeFleets(parts, base);
  let written: ReturnType<typeof writeFleet> = [];
  if (out !== undefined) {
    if (parts.some(({ path }) => path === resolve(base, 'fleet.json'))) {
      throw new UsageError(`--out ${out}: holds one of the parts: name another folder`);
    }
    const folder = openOutFolder(out, []);
    folder.clear();
    written = writeFleet(folder.path, fleet);
  }
  showDocument(fleet, fleetView(fleet), { json }, written);
  if (open === true) {
    for (const { path } of written.filter(({ label }) => label === 'page')) await openPage(path);
  }
  for (const { path } of parts) reportLeftovers(dirname(path));
  return fleet.exitCode;
}
