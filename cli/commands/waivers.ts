import { realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { readRun } from '../../compare/side.ts';
import { isPassing, waiverMatches } from '../../engine/finish.ts';
import { selectorOf } from '../../engine/glob.ts';
import { blockerOf } from '../../engine/plan.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { isReportedElsewhere } from '../../engine/skip.ts';
import { dayOf, daysBetween, plural } from '../../engine/text.ts';
import { print, say } from '../../reports/print.ts';
import { UsageError, validatorOf } from '../../specs/validators.ts';
import { lastDayOf, WAIVERS_SCHEMA, type Waiver, type WaiverFile, waiverName } from '../../specs/waivers.ts';
import type { CommandContext } from '../read-options.ts';
import { readWaivers, renderWaiverFile } from '../run/waivers.ts';
import { guardFree, writeOutput } from '../shell/output.ts';

const RESULTS = 'results.json of a run, or the folder that holds it';

/** Adds the command `waivers` and its own. */
export default function defineWaivers(program: Command, { ends }: CommandContext): void {
  const waivers = program
    .command('waivers')
    .description('make, refresh, prune and list a file of accepted failures');
  waivers
    .command('make')
    .description('a waiver for each failure of a run that none covers')
    .argument('<results>', RESULTS)
    .requiredOption('--owner <name>', 'who accepts them')
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--expires <date>', 'the last day of the waivers, such as 2027-01-31')
    .option('--out <file>', 'the file; standard output unless given')
    .option('--force', 'replace the file if it exists')
    .action((results: string, options: MakeOptions) => ends(makeCommand(results, options)));
  const changing = [
    ['refresh', 'record in a file when a run saw the failures; adds none', refreshCommand],
    [
      'prune',
      'remove from a file what matches no check, and what covers only checks that pass',
      pruneCommand,
    ],
  ] as const;
  for (const [name, description, change] of changing) {
    waivers
      .command(name)
      .description(description)
      .argument('<file>', 'the file of waivers')
      .argument('<results>', RESULTS)
      .option('--check', 'write nothing: show what would change, with exit code 1 if anything would')
      .action((file: string, results: string, { check = false }) => ends(change(file, results, check)));
  }
  waivers
    .command('list')
    .description('the waivers of a file, with the days that each has left')
    .argument('<file>', 'the file of waivers')
    .action((file: string) => ends(listCommand(file, new Date())));
  for (const command of waivers.commands) command.exitOverride().showSuggestionAfterError();
}

interface MakeOptions extends MadeWith {
  readonly out?: string;
  readonly force?: boolean;
}

function makeCommand(results: string, { out, force, ...words }: MakeOptions): number {
  const run = readRun(results);
  guardWords(words, dayOf(run.run.started), 'is before the run, which was on');
  if (out !== undefined) guardFree(out, force);
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

function refreshCommand(path: string, results: string, check: boolean): number {
  const before = readWaivers(path);
  const run = readRun(results);
  return update(path, before, { ...before, waivers: refreshWaivers(before.waivers, run) }, check);
}

function pruneCommand(path: string, results: string, check: boolean): number {
  const before = readWaivers(path);
  const { kept, removed, expired } = pruneWaivers(before.waivers, readRun(results));
  for (const { name, why } of removed) say(`${check ? 'would remove' : 'removes'} ${name}: ${why}`);
  for (const name of expired) say(`keeps ${name}: it expired, and its failure is not gone`);
  return update(path, before, { ...before, waivers: kept }, check);
}

function listCommand(path: string, now: Date): number {
  const { waivers, changes = [] } = readWaivers(path);
  const rows = [
    ...waivers.map((waiver) => ({ ...waiver, last: waiver.expires, name: waiverName(waiver) })),
    ...changes.map((one) => ({ ...one, last: lastDayOf(one), name: one.id })),
  ];
  const today = dayOf(now);
  for (const { last, name, owner, reason } of rows.toSorted(
    (one, other) => Date.parse(one.last) - Date.parse(other.last),
  )) {
    const days = daysBetween(today, last);
    const left = days < 0 ? `expired ${plural(-days, 'day')} ago` : `${plural(days, 'day')} left`;
    say(`${last}  ${left.padEnd(20)}  ${name}  ${owner}: ${reason}`);
  }
  const also = changes.length === 0 ? '' : ` and ${plural(changes.length, 'accepted change')}`;
  say(`${plural(waivers.length, 'waiver')}${also}`);
  return 0;
}

function update(path: string, before: WaiverFile, after: WaiverFile, check: boolean): number {
  const changes = describeChanges(before.waivers, after.waivers);
  for (const line of changes.length === 0 ? [`${path}: nothing to change`] : changes) say(line);
  if (changes.length === 0) return 0;
  if (check) return 1;
  // Keeps a link and replaces its target.
  writeOutput(realpathSync(path), renderWaiverFile(after), '');
  say(`${path}: ${plural(after.waivers.length, 'waiver')}`);
  return 0;
}

/** @param day the first valid expiry day, and what it is @throws UsageError with the invalid option */
export function guardWords(
  { reason, owner, expires }: MadeWith,
  day: string,
  late = 'is past: today is',
): void {
  const validDay = validatorOf<string>(`${WAIVERS_SCHEMA}#/$defs/date`);
  const validText = validatorOf<string>(`${WAIVERS_SCHEMA}#/$defs/text`);
  for (const [option, text] of Object.entries({ reason, owner })) {
    if (!validText(text)) throw new UsageError(`--${option}: expected a text with content`);
  }
  if (!validDay(expires)) throw new UsageError('--expires: expected a valid day, such as 2027-01-31');
  if (expires < day) throw new UsageError(`--expires ${expires}: ${late} ${day}`);
}

type MadeWith = Pick<Waiver, 'reason' | 'owner' | 'expires'>;

/** A waiver for each failure without one; for a fuzz check, for each finding. */
function makeWaivers(result: RunResult, { reason, owner, expires }: MadeWith): Waiver[] {
  const day = dayOf(result.run.started);
  const { software } = result.target;
  const versions = software !== undefined && { versions: [software] };
  const seen = { firstSeen: day, lastSeen: day, seenWith: seenWith(result), ...versions };
  const isWaived = (id: string | undefined): boolean =>
    result.checks.some((one) => one.id === id && one.waived !== undefined);
  return failuresIn(result)
    .filter((one) => !isWaived(one.id) && !isWaived(blockerOf(one)))
    .flatMap(({ id: check, replay }): Waiver[] => {
      const found = (replay?.sets ?? []).filter(({ shows }) => shows === 'always');
      const about = found.length === 0 ? [{}] : found.map(({ id }) => ({ finding: id }));
      return about.map((finding) => ({ check, ...finding, reason, owner, expires, ...seen }));
    });
}

/** The failed checks, also those whose failure another one reports. */
function failuresIn({ checks }: RunResult): CheckResult[] {
  return checks.filter(({ verdict, skip }) => verdict === 'fail' || isReportedElsewhere(skip));
}

function seenWith({ tool }: RunResult): NonNullable<Waiver['seenWith']> {
  return { tool: tool.version, contract: tool.contract };
}

/** Removes waivers that match no check or whose checks pass; those of searches, which may miss, once they expired. */
function pruneWaivers(
  waivers: readonly Waiver[],
  result: RunResult,
): { kept: Waiver[]; removed: { name: string; why: string }[]; expired: string[] } {
  const day = dayOf(result.run.started);
  const kept: Waiver[] = [];
  const removed: { name: string; why: string }[] = [];
  for (const waiver of waivers) {
    const why = whyNeedless(waiver, result);
    if (why === undefined) kept.push(waiver);
    else removed.push({ name: waiverName(waiver), why });
  }
  return { kept, removed, expired: kept.filter(({ expires }) => expires < day).map(waiverName) };
}

function whyNeedless(waiver: Waiver, result: RunResult): string | undefined {
  const { checks, partial } = result;
  const selects = selectorOf(waiver.check);
  const about = checks.filter(({ id }) => selects(id));
  // An interrupted run does not have every check of its contract.
  const isWhole = partial === undefined || partial.planned <= checks.length;
  if (about.length === 0) return isWhole ? 'it matches no check' : undefined;
  const late = waiver.expires < dayOf(result.run.started) ? `it expired on ${waiver.expires}, and ` : '';
  const byId = new Map(about.map((check) => [check.id, check]));
  if (isPassing(waiver, [...byId.keys()], byId)) return `${late}all of its checks pass`;
  const searched = about.every(({ verdict }) => verdict === 'pass');
  return late !== '' && searched ? `${late}no search finds it any more` : undefined;
}

/** Updates when failures were seen, and on which versions, if waivers are limited to some. Everything else is kept. */
function refreshWaivers(waivers: readonly Waiver[], result: RunResult): Waiver[] {
  const failures = failuresIn(result);
  const day = dayOf(result.run.started);
  const { software } = result.target;
  return waivers.map((waiver): Waiver => {
    if (!failures.some((failure) => waiverMatches(waiver, failure))) return waiver;
    const { firstSeen = day, lastSeen = day, versions } = waiver;
    const [earliest = day] = [firstSeen, day].toSorted();
    const isLatest = lastSeen <= day;
    return {
      ...waiver,
      firstSeen: earliest,
      lastSeen: isLatest ? day : lastSeen,
      ...(isLatest && { seenWith: seenWith(result) }),
      ...(versions !== undefined &&
        software !== undefined && { versions: [...new Set([...versions, software])].toSorted() }),
    };
  });
}

function describeChanges(before: readonly Waiver[], after: readonly Waiver[]): string[] {
  const later = new Map(after.map((waiver) => [waiverName(waiver), waiver]));
  return before.flatMap((waiver) => {
    const name = waiverName(waiver);
    const now = later.get(name);
    return now === undefined
      ? [`- ${name}`]
      : membersThatDiffer(waiver, now).map((line) => `~ ${name}: ${line}`);
  });
}

function membersThatDiffer(before: Waiver, after: Waiver): string[] {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(old.get(name), value))
    .map(([name, value]) => `${name} ${show(old.get(name))} → ${show(value)}`);
}

function show(value: unknown): string {
  return value === undefined ? 'not there' : typeof value === 'string' ? value : JSON.stringify(value);
}
