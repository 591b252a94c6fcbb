import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { byName } from '../../client/json.ts';
import { failuresOf } from '../../compare/checks/baseline.ts';
import { isFile, readRun } from '../../compare/side.ts';
import type { KeptSet, Replayed } from '../../engine/fuzz-options.ts';
import { isDeselected, matchesAny, withDependencies } from '../../engine/plan.ts';
import { type CheckResult, isUnstableCheck, type RunResult } from '../../engine/result.ts';
import { isUnasked } from '../../engine/skip.ts';
import { groupsBy, messageOf, plural, visibleLine } from '../../engine/text.ts';
import { isSpecialName } from '../../generators/unusual-values.ts';
import { jsonText, writeAtomically } from '../../reports/files.ts';
import { note } from '../../reports/print.ts';
import type { Contract } from '../../specs/model.ts';
import { readValidated, UsageError } from '../../specs/validators.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { NothingToRun } from '../shell/errors.ts';
import { changed, checksOf, ownChecksOf } from './configure.ts';

/**
 * Narrows a run to the failures of an earlier one, and their dependencies. Targets without a failure are left out.
 * @param seed of this run; default: the seed of those results
 * @throws UnusableRun for unusable results; NothingToRun if nothing failed
 */
export function withRerun(targets: readonly RunConfig[], path: string, seed?: number): RunConfig[] {
  const failing = changed(targets, (target) => {
    const contract = contractOf(target);
    const before = readEarlier('--rerun', path, contract, targets.length > 1);
    const again = withNeeded(target, failedIn(before, target));
    if (again.length === 0) return undefined;
    const wanted = new Set(again);
    // What searches found is tried first, whatever the seed.
    const kept = [...target.fuzz.kept, ...setsOf(before.checks.filter(({ id }) => wanted.has(id)))];
    return { again, seed: seed ?? before.run.seed, fuzz: { ...target.fuzz, kept } };
  });
  if (failing.length > 0) return failing;
  throw new NothingToRun(`--rerun ${path}: nothing failed there: nothing to run again`);
}

/** The checks that a rerun leaves out for a missing mode or user, one line for each target. */
export function leftOut(targets: readonly RunConfig[]): string[] {
  return targets.flatMap((target) => {
    const wanted = target.plan.filter((planned) => !isDeselected(planned));
    const needs = wanted.flatMap(({ skip }) => {
      if (skip?.kind === 'credentials') return ['--user NAME'];
      return skip?.kind === 'mode' ? [`--mode ${skip.needs}`] : [];
    });
    if (needs.length === 0) return [];
    const counts = Map.groupBy(needs, (option) => option);
    const parts = [...counts].map(([option, { length }]) => `${length} need ${option}`).join(', ');
    const of = `${plural(wanted.length, 'check')} of ${contractOf(target).deployment}`;
    return [`--rerun: ${needs.length} of ${of} are left out: ${parts}`];
  });
}

/** The failed, faulty and unstable checks that --only selects. */
function failedIn({ checks }: RunResult, { only }: RunConfig): string[] {
  return checks
    .filter((check) => check.verdict === 'fail' || check.verdict === 'error' || isUnstableCheck(check))
    .map(({ id }) => id)
    .filter((id) => only.length === 0 || matchesAny(id, only));
}

/** Checks of a target with their dependencies, without what --skip excludes. */
function withNeeded(target: RunConfig, ids: readonly string[]): string[] {
  const contract = contractOf(target);
  const checks = checksOf(contract, ownChecksOf(target, contract));
  const caller = target.user !== undefined || target.embedded ? 'user' : 'anonymous';
  return withDependencies(checks, ids, [caller], (id) => matchesAny(id, target.skip));
}

/** Narrows a target to what did not pass in an earlier run and may pass now; undefined if everything passed. */
export function onlyOpen(
  target: RunConfig,
  before: ReadonlyMap<string, Pick<RunResult, 'checks'>>,
): Partial<RunConfig> | undefined {
  const open = before.get(contractOf(target).deployment)?.checks.filter(isOpen) ?? [];
  const ids = open.map(({ id }) => id);
  return ids.length === 0 ? undefined : { again: withNeeded(target, ids) };
}

/** Whether a check may pass now: it failed, was inconclusive or blocked, or the run did not reach it. */
export function isOpen({ verdict, skip }: CheckResult): boolean {
  if (skip !== undefined) return !isUnasked(skip) && skip.kind !== 'not-applicable';
  return verdict !== 'pass' && verdict !== 'warn';
}

const MOST_NAMED = 5;

/**
 * Narrows a run to findings of an earlier one. @param id of a finding or a check; @param results default: the last run
 * @throws UsageError if there is nothing to replay, and for a file that holds no run
 */
export function withReplay(
  targets: readonly RunConfig[],
  { id, results }: { readonly id: string; readonly results?: string | undefined },
): RunConfig[] {
  const files = targets.map((target) => fileOf(target, targets.length, results));
  if (files.every((file) => file === undefined)) {
    throw new UsageError(
      `--replay ${id}: ${results ?? `${targets[0]?.out ?? ''} holds no results.json`}${results === undefined ? ' (--out names the folder, --results the file)' : ' is not there'}`,
    );
  }
  const known: string[] = [];
  const replayed = changed(targets, (_, at) => {
    const file = files[at];
    if (file === undefined) return undefined;
    const all = foundIn(readRun(file).checks);
    known.push(...all.map(({ set }) => set.id));
    const wanted = all.filter(({ check, set }) => check === id || set.id === id);
    if (wanted.length === 0) return undefined;
    if (wanted.some(({ set }) => set.masked === true)) {
      throw new UsageError(
        `--replay ${id}: a secret in its arguments was masked, so that they cannot be sent again`,
      );
    }
    const kept = wanted.map(({ check, set: { args, id, shows } }) => ({ check, args, id, shows }));
    const only = [...new Set(kept.map(({ check }) => check))];
    return { only, skip: [], fuzz: { examples: 0, kept, replay: true } };
  });
  if (replayed.length > 0) return replayed;
  const named = [...new Set(known)].slice(0, MOST_NAMED).map(visibleLine).join(', ');
  throw new UsageError(
    `--replay ${id}: the results hold nothing to replay under this id (${named === '' ? 'nothing at all: only what fuzz checks found can be replayed, --only repeats any other check' : `there are: ${named}`})`,
  );
}

function fileOf(
  { out, deployment }: RunConfig,
  targets: number,
  given: string | undefined,
): string | undefined {
  const own = join(out, deployment, 'results.json');
  const inOut = targets > 1 ? [own] : [join(out, 'results.json'), own];
  const candidates = given === undefined ? inOut : [join(given, 'results.json'), given];
  return candidates.map((path) => resolve(path)).find((path) => existsSync(path));
}

/** @returns the exit code, too: 1 if anything is reproduced, otherwise 3 if something is inconclusive, otherwise 0 */
export function describeReplay(
  runs: readonly { readonly kept: readonly KeptSet[]; readonly result: RunResult | undefined }[],
): { readonly lines: readonly string[]; readonly code: 0 | 1 | 3 } {
  const ends = runs.flatMap(({ kept, result }) => {
    const seen = new Map<string, number>();
    return kept.map(({ check: id, id: finding = id }): Replayed => {
      const check = result?.checks.find((one) => one.id === id);
      const at = seen.get(id) ?? 0;
      seen.set(id, at + 1);
      const reason = check?.message ?? 'the run ended before';
      return check?.tried?.replayed?.[at] ?? { id: finding, end: 'untold', shown: 0, of: 0, reason };
    });
  });
  const has = (wanted: Replayed['end']): boolean => ends.some(({ end }) => end === wanted);
  return { lines: ends.map(lineOf), code: has('there') ? 1 : has('untold') || ends.length === 0 ? 3 : 0 };
}

const SAYS: Readonly<Record<Replayed['end'], string>> = {
  there: 'reproduced',
  gone: 'fixed',
  untold: 'inconclusive',
};

function lineOf({ id, end, shown, of, reason }: Replayed): string {
  const times = end === 'there' && shown < of ? `, unstable: ${shown} of ${of} times` : '';
  return visibleLine(`${SAYS[end]}: ${id}${times}${reason === undefined ? '' : ` (${reason})`}`);
}

/** An earlier run that cannot be used. Its reports, which may be in --out, are kept. */
export class UnusableRun extends UsageError {
  override readonly name: string = 'UnusableRun';
}

/** Whether the results that a run reads are in the folder for its own. */
export function standsIn(out: string, reads: string | undefined): boolean {
  if (reads === undefined) return false;
  const path = relative(resolve(out), resolve(reads));
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** Reads the baseline of a target, before anything is sent. @throws UnusableRun */
export function readBaseline(target: RunConfig, several: boolean): Partial<RunConfig> {
  const { baseline } = target;
  if (baseline === undefined) return {};
  const earlier = readEarlier('--baseline', baseline, contractOf(target), several);
  return { ...searchesAs(earlier, target), earlier, knownFailures: failuresOf(earlier) };
}

/** The share of sets that a run draws in addition to those of its baseline. */
const FURTHER_SHARE = 0.2;
const MOST_KNOWN = 20;

/**
 * Makes searches repeat an earlier run: the sets of its seed, and all findings of it and its baselines. The seed of
 * this run draws additional sets, as does a larger number of examples.
 */
function searchesAs(earlier: RunResult, { fuzz, seed, again }: RunConfig): Pick<RunConfig, 'fuzz' | 'seed'> {
  if (fuzz.replay === true) return { fuzz, seed };
  const { examples } = fuzz;
  const then = earlier.run.searches?.examples ?? examples;
  // A rerun draws no additional sets.
  const share = again === undefined ? Math.max(FURTHER_SHARE, 1 - then / examples) : 0;
  const known = knownBy(earlier);
  const keys = new Set(known.map(setKey));
  return {
    seed: earlier.run.seed,
    fuzz: {
      examples: Math.min(examples, then),
      kept: [...known, ...fuzz.kept.filter((one) => !keys.has(setKey(one)))],
      further: { seed, examples, share: examples === 0 ? 0 : share },
    },
  };
}

/** The reproducible findings of a run and those before it. Sets with masked values cannot be sent again. */
function knownBy({ run, checks }: RunResult): KeptSet[] {
  const found = foundIn(checks).flatMap(({ check, set: { id, args, masked, shows } }): KeptSet[] =>
    masked !== true && shows === 'always' ? [{ check, id, args, shows, known: true }] : [],
  );
  const all = new Map([...found, ...(run.searches?.known ?? [])].map((one) => [setKey(one), one] as const));
  return groupsBy(all.values(), ({ check }) => check).flatMap((those) => those.slice(0, MOST_KNOWN));
}

/**
 * Reads the results of an earlier run of the same deployment.
 * @param path a results.json, its folder, or the folder of a run of several deployments
 * @param several whether this run has several deployments, each with a folder of its own
 * @throws UnusableRun for incomplete results, those of another deployment, or of a run without checks
 */
function readEarlier(
  option: '--baseline' | '--rerun',
  path: string,
  { deployment }: Pick<Contract, 'deployment'>,
  several: boolean,
): RunResult {
  const part = join(path, deployment);
  const isWhole = isFile(join(path, 'results.json'));
  // A run of several deployments has a subfolder for each.
  const run = read(option, isFile(join(part, 'results.json')) && (several || !isWhole) ? part : path);
  if (run.checks.length === 0) {
    throw new UnusableRun(
      `${option} ${path}: that run came to no check (${run.reason}): name the results of one that did`,
    );
  }
  const { deployment: other } = run.target;
  if (other === deployment) return run;
  throw new UnusableRun(
    `${option} ${path}: these are results of deployment "${other}", and this run checks "${deployment}": name results of the same one`,
  );
}

function read(option: string, place: string): RunResult {
  try {
    return readRun(place);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const first =
      option === '--baseline' && !existsSync(place) ? '; the first run has none: run without it once' : '';
    throw new UnusableRun(`${option} ${error.message}${first}`);
  }
}

/** The sets of arguments that failed earlier, which fuzz checks try first. @throws UsageError for an unusable file */
export function examplesFor({ examplesFile: path, fuzz }: RunConfig): Pick<RunConfig, 'fuzz'> {
  if (path === undefined) return { fuzz };
  // The sets in the file may have other members.
  const sets = existsSync(path) ? readValidated<{ sets: KeptSet[] }>(path, 'examples.schema.json').sets : [];
  try {
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `--examples-file ${path}: what a run finds cannot be written there (${messageOf(error)})`,
    );
  }
  return { fuzz: { ...fuzz, kept: sets.map(({ check, args }) => ({ check, args })) } };
}

/** @returns the ids of checks that no target has @throws UsageError for a name that means something on every route */
export function checkExamples(targets: readonly RunConfig[]): string[] {
  const kept = targets.flatMap(({ fuzz }) => fuzz.kept);
  const path = targets[0]?.examplesFile;
  const checks = new Set(targets.flatMap(({ plan }) => plan.map(({ check }) => check.id)));
  // Searches also send parameters of other operations.
  const operations = targets.flatMap((target) => contractOf(target).operations);
  const taken = new Set(operations.flatMap(({ parameters }) => parameters.map(({ wire }) => wire)));
  for (const { check, args, known: isKnown } of kept) {
    const special = Object.keys(args).find((name) => !taken.has(name) && isSpecialName(name));
    if (special === undefined) continue;
    const from = path === undefined ? '--rerun' : `--examples-file ${path}`;
    throw new UsageError(
      `${isKnown === true ? '--baseline' : from}: the argument "${special}" of a set of ${check} means something to the software on every route, and is never sent`,
    );
  }
  const own = kept.filter(({ known }) => known !== true);
  return [...new Set(own.map(({ check }) => check)).difference(checks)];
}

function foundIn(checks: readonly CheckResult[]) {
  return checks.flatMap(({ id: check, replay }) => (replay?.sets ?? []).map((set) => ({ check, set })));
}

/** The sets of arguments that showed a violation. Masked ones cannot be sent again. */
function setsOf(checks: readonly CheckResult[]): KeptSet[] {
  const all = foundIn(checks).filter(({ set }) => set.masked !== true);
  return all.map(({ check, set: { args } }) => ({ check, args }));
}

/** A key that ignores the order of arguments. */
function setKey({ check, args }: KeptSet): string {
  return JSON.stringify([check, Object.entries(args).sort(byName)]);
}

/** Adds the findings to the sorted file of examples, if there is one. @returns false if it cannot be written */
export function keepExamples(target: RunConfig | undefined, checks: readonly CheckResult[]): boolean {
  const path = target?.examplesFile;
  if (target === undefined || path === undefined) return true;
  try {
    // The first of equal sets stays.
    const all = [...target.fuzz.kept, ...setsOf(checks)].map(({ check, args }) => ({ check, args }));
    const byKey = new Map(all.toReversed().map((one) => [setKey(one), one]));
    writeAtomically(path, jsonText({ sets: [...byKey].sort(byName).map(([, set]) => set) }));
    return true;
  } catch (error) {
    note(`--examples-file ${path}: what was found cannot be written there (${messageOf(error)})`);
    return false;
  }
}
