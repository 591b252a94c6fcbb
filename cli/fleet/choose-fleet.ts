import { hash } from 'node:crypto';
import { readBase, showBase } from '../../client/address.ts';
import { byName, byText, digestOfJson } from '../../client/json.ts';
import { parseShard, type Shard } from '../../compare/fleet/document.ts';
import { selectorOf } from '../../engine/glob.ts';
import { AUTO } from '../../probing/declarations/compose-deployment.ts';
import { loadContract } from '../../specs/contract.ts';
import { namesIn } from '../../specs/deployment.ts';
import { suggestion, UsageError } from '../../specs/validators.ts';
import { loadOwnChecks } from '../../suites/own/own-checks.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import type { ConfigFile } from '../config.ts';
import type { Settings } from '../options.ts';
import { isLeftToSite } from '../run/compose-target.ts';
import { chooseTargets, inNeutralWords, resolveTargets } from '../run/configure.ts';
import { explainError } from '../shell/errors.ts';
import { TAKEN } from '../shell/out-folder.ts';

/** A target of a fleet with its settings, or why it cannot be checked. */
export interface FleetMember {
  readonly name: string;
  readonly url: string;
  /** All its settings, except for its folder and its seed. */
  readonly settings: Settings;
  readonly resolved: RunConfig | undefined;
  readonly problem: string | undefined;
}

/** The names of targets that globs select, sorted; default: all. @throws UsageError for a glob that selects none */
export function namesOfFleet(globs: readonly string[] | undefined, { targets = {} }: ConfigFile): string[] {
  const names = Object.keys(targets).toSorted();
  if (names.length === 0) {
    throw new UsageError(
      `${globs === undefined ? '--all-targets' : '--targets'}: the configuration names no targets`,
    );
  }
  for (const glob of globs ?? []) {
    if (names.some(selectorOf(glob))) continue;
    throw new UsageError(
      `--targets "${glob}" matches no target of the configuration${suggestion(glob, names)}`,
    );
  }
  const chosen = names.filter((name) => globs?.some((glob) => selectorOf(glob)(name)) ?? true);
  guardNames(chosen);
  return chosen;
}

/** Names of targets must be usable as names of folders. */
function guardNames(names: readonly string[]): void {
  for (const [plain, [name, other]] of Map.groupBy(names, (one) => one.toLowerCase())) {
    if (TAKEN.has(plain))
      throw new UsageError(`the target "${name}" has the name of a file of the fleet: rename it`);
    if (other === undefined) continue;
    throw new UsageError(
      `the targets "${name}" and "${other}" would share a folder where case does not count: rename one`,
    );
  }
}

/** Resolves each target, before anything is sent. @throws UsageError if all have errors, or two share examples */
export async function fleetMembers(
  names: readonly string[],
  given: Settings,
  file: ConfigFile,
  env: NodeJS.ProcessEnv,
): Promise<FleetMember[]> {
  const problemOf = selectionProblems(env);
  const { targets = {}, $schema: _, target: __, ...general } = file;
  const members: FleetMember[] = [];
  for (const name of names) {
    const { url, ...own } = targets[name] ?? { url: '' };
    const settings: Settings = { ...general, ...own, ...given };
    try {
      const [settled] = resolveTargets({ ...given, target: name }, file, env);
      const resolved = settled && { ...settled, own: await loadOwnChecks(settled.checks) };
      const known = resolved === undefined ? '' : showBase(resolved.base);
      members.push({ name, url: known, settings, resolved, problem: problemOf(resolved) });
    } catch (error) {
      members.push({ name, url: shownUrl(url), settings, resolved: undefined, problem: lineOf(error) });
    }
  }
  const [first] = members;
  if (first?.problem !== undefined && members.every(({ problem }) => problem !== undefined)) {
    const all = members.length === 1 ? '' : `none of the ${members.length} targets can be checked: `;
    throw new UsageError(`${all}${first.name}: ${first.problem}`);
  }
  guardExamples(members);
  return members;
}

/** An address without credentials; empty if it cannot be parsed, because it may contain a secret. */
function shownUrl(url: string): string {
  try {
    return showBase(readBase(url));
  } catch {
    return '';
  }
}

/** Errors in deployments, vocabularies, globs of checks and hints, cached for targets that share them. */
function selectionProblems(env: NodeJS.ProcessEnv): (target: RunConfig | undefined) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (target) => {
    if (target === undefined) return 'it has no settings';
    if (isLeftToSite(target)) return undefined;
    const { deployment, vocabulary, mode, only, skip, hints, checks } = target;
    const hasUser = target.user !== undefined;
    const key = JSON.stringify([deployment, vocabulary, mode, only, skip, hints, checks, hasUser]);
    if (!known.has(key)) {
      const words = target.vocabularyOpen === true ? namesIn('vocabularies') : [vocabulary];
      const problems = words.map((word) => selectionProblem({ ...target, vocabulary: word }, env));
      known.set(key, problems.includes(undefined) ? undefined : problems[0]);
    }
    return known.get(key);
  };
}

function selectionProblem(target: RunConfig, env: NodeJS.ProcessEnv): string | undefined {
  try {
    chooseTargets([{ ...target, ...inNeutralWords(target) }], env);
    return undefined;
  } catch (error) {
    return lineOf(error);
  }
}

function lineOf(error: unknown): string {
  const { code, line } = explainError(error, (text) => text);
  if (code !== 2) throw error;
  return line;
}

function guardExamples(members: readonly FleetMember[]): void {
  const owners = Map.groupBy(members, ({ settings }) => settings.examplesFile);
  for (const [path, [one, other]] of owners) {
    if (path === undefined || other === undefined) continue;
    throw new UsageError(
      `--examples-file ${path}: "${one?.name}" and "${other.name}" would write it at once: give each target one of its own`,
    );
  }
}

/** The digest that identifies the parts of one fleet. It contains no secret, and nothing that differs by part. */
export function fleetDigest(members: readonly Pick<FleetMember, 'name' | 'url' | 'settings'>[]): string {
  const rows = members
    .toSorted((one, other) => byText(one.name, other.name))
    .map(({ name, url, settings }) => {
      const { out: _, seed: __, baseline: ___, header, ...rest } = settings;
      const names = (header ?? []).map((line) => line.split(':', 1)[0]);
      const sorted = Object.entries(rest).toSorted(byName);
      return [name, url, contractOf(settings), names, sorted];
    });
  return digestOfJson(rows);
}

/** The digest of a contract, because a file of the user may change under the same path. */
function contractOf({ deployment = 'core', vocabulary = 'neutral' }: Settings): string {
  if (deployment === AUTO || vocabulary === AUTO) return '';
  try {
    return loadContract({ deployment, vocabulary }).digest;
  } catch {
    return '';
  }
}

/** The part of a fleet that `--shard` names. @throws UsageError for no such part */
export function readShard(text: string): Shard {
  const shard = parseShard(text);
  if (shard !== undefined) return shard;
  throw new UsageError(
    `--shard ${text}: expected I/N, such as 1/4 for the first of four parts, with I from 1 to N`,
  );
}

/** The names of one part, cut by digest: a new or removed name moves at most one other across each border. */
export function namesOfShard(names: readonly string[], { index, of }: Shard): string[] {
  const byDigest = names
    .map((name) => ({ name, digest: hash('sha256', name) }))
    .toSorted((one, other) => byText(one.digest, other.digest));
  const border = (at: number): number => Math.floor((at * byDigest.length) / of);
  return byDigest.slice(border(index - 1), border(index)).map(({ name }) => name);
}
