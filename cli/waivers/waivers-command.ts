import { existsSync, realpathSync } from 'node:fs';
import { readSide } from '../../compare/side.ts';
import type { RunResult } from '../../engine/result.ts';
import { print } from '../../reports/print.ts';
import { plural, visibleLine } from '../../reports/text.ts';
import { validatorOf } from '../../specs/validators.ts';
import { WAIVERS_SCHEMA, type WaiverFile, waiverName } from '../../specs/waivers.ts';
import { UsageError } from '../usage-error.ts';
import { writeOutput } from '../write-output.ts';
import { describeChanges } from './describe-changes.ts';
import { dayOf, type MadeWith, makeWaivers } from './make.ts';
import { pruneWaivers } from './prune.ts';
import { readWaivers } from './read-waivers.ts';
import { refreshWaivers } from './refresh.ts';
import { renderWaiverFile } from './waivers-document.ts';

/** The options of `waivers make`. */
export interface MakeOptions extends MadeWith {
  readonly out?: string;
  readonly force?: boolean;
}

/** Whether a command only says what it would change. */
export interface CheckOptions {
  readonly check?: boolean;
}

/**
 * The command `waivers make`: a waiver for each failure of a run that none covers, on standard output or into a new file.
 * @param results the results.json of a run, or the folder that holds it
 * @throws UsageError for a day that is past, or a file that is there already; UnreadableSide for what is no run
 */
export function makeCommand(results: string, { out, force = false, ...words }: MakeOptions): number {
  const run = runOf(results);
  guardWords(words, run);
  if (out !== undefined && existsSync(out) && !force) {
    throw new UsageError(`--out: ${out} is there already: name another file, or replace it with --force`);
  }
  const waivers = makeWaivers(run, words);
  const text = renderWaiverFile({ format: 1, waivers });
  if (out === undefined) {
    print(process.stdout, text, Number.POSITIVE_INFINITY);
    return 0;
  }
  writeOutput(out, text);
  say(`${out}: ${plural(waivers.length, 'waiver')}`);
  return 0;
}

/**
 * The command `waivers refresh`: notes in a file when a run has seen the failures, and on what.
 * @returns 1 where --check finds that the file would change
 */
export function refreshCommand(path: string, results: string, { check = false }: CheckOptions): number {
  const before = readWaivers(path);
  const run = runOf(results);
  return update(path, before, { ...before, waivers: refreshWaivers(before.waivers, run) }, check);
}

/**
 * The command `waivers prune`: removes from a file what a run shows to be needless, and says which and why.
 * @returns 1 where --check finds that the file would change
 */
export function pruneCommand(path: string, results: string, { check = false }: CheckOptions): number {
  const before = readWaivers(path);
  const { kept, removed, expired } = pruneWaivers(before.waivers, runOf(results));
  for (const { name, why } of removed) say(`${check ? 'would remove' : 'removes'} ${name}: ${why}`);
  for (const name of expired) say(`keeps ${name}: it expired, and its failure is not gone`);
  return update(path, before, { ...before, waivers: kept }, check);
}

/** The command `waivers list`: what is in a file, and how many days each waiver has left. */
export function listCommand(path: string, now: Date): number {
  const { waivers } = readWaivers(path);
  const today = Date.parse(now.toISOString().slice(0, 'yyyy-mm-dd'.length));
  for (const waiver of waivers.toSorted(
    (one, other) => Date.parse(one.expires) - Date.parse(other.expires),
  )) {
    const days = Math.round((Date.parse(waiver.expires) - today) / DAY_MS);
    const left = days < 0 ? `expired ${plural(-days, 'day')} ago` : `${plural(days, 'day')} left`;
    say(`${waiver.expires}  ${left.padEnd(20)}  ${waiverName(waiver)}  ${waiver.owner}: ${waiver.reason}`);
  }
  say(plural(waivers.length, 'waiver'));
  return 0;
}

const DAY_MS = 86_400_000;

function update(path: string, before: WaiverFile, after: WaiverFile, check: boolean): number {
  const changes = describeChanges(before.waivers, after.waivers);
  for (const line of changes) say(line);
  const isChanged = changes.length > 0;
  if (!isChanged) {
    say(`${path}: nothing to change`);
    return 0;
  }
  if (check) return 1;
  // A link stays one: what it leads to is replaced.
  writeOutput(realpathSync(path), renderWaiverFile(after), '');
  say(`${path}: ${plural(after.waivers.length, 'waiver')}`);
  return 0;
}

function runOf(path: string): RunResult {
  const { run } = readSide(path);
  if (run === undefined) throw new UsageError(`${path}: is a snapshot; expected the results.json of a run`);
  return run;
}

function guardWords({ reason, owner, expires }: MadeWith, run: RunResult): void {
  const validDay = validatorOf<string>(`${WAIVERS_SCHEMA}#/$defs/date`);
  const validText = validatorOf<string>(`${WAIVERS_SCHEMA}#/$defs/text`);
  for (const [option, text] of Object.entries({ reason, owner })) {
    if (!validText(text)) throw new UsageError(`--${option}: expected a text that says something`);
  }
  if (!validDay(expires)) throw new UsageError('--expires: expected a day that there is, such as 2027-01-31');
  if (expires < dayOf(run))
    throw new UsageError(`--expires ${expires}: is before the run, which was on ${dayOf(run)}`);
}

function say(line: string): void {
  print(process.stdout, `${visibleLine(line)}\n`);
}
