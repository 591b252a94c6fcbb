import { randomInt } from 'node:crypto';
import { isLoopback, readBase, schemeHint } from '../../client/address.ts';
import type { NamedCaller } from '../../client/client.ts';
import { defined } from '../../client/json.ts';
import { readClients } from '../../compare/clients/uses.ts';
import type { Check } from '../../engine/check.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { findCycle, isDeselected, matchesAny, plan } from '../../engine/plan.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { present } from '../../engine/text.ts';
import { AUTO } from '../../probing/declarations/compose-deployment.ts';
import { note } from '../../reports/print.ts';
import { USUAL } from '../../reports/reporters/registry.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { closest, suggestion, UsageError } from '../../specs/validators.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { loadOwnChecks } from '../../suites/own/own-checks.ts';
import { contractOf, DEFAULTS, type RunConfig } from '../../suites/run-config.ts';
import { siteWords } from '../../suites/site-words.ts';
import { type ConfigFile, loadConfig } from '../config.ts';
import type { RunSettings, Settings } from '../options.ts';
import { headersBeside, INSECURE } from '../shell/read-headers.ts';
import { exampleChecks, usedChecks } from './client-examples.ts';
import { composeTargets } from './compose-target.ts';
import { loadHints } from './load-hints.ts';
import { loadWaivers } from './waivers.ts';

/** The deployments that a run without a target checks. */
export const EMBEDDED: readonly string[] = ['a', 'b'];

/**
 * Resolves the settings of a run: command line, named target of the configuration, its rest, defaults, in this order.
 * Without a target: the embedded deployments A and B.
 * @throws UsageError for settings that contradict each other or are not allowed together
 */
export function resolveTargets(
  given: Settings & Pick<RunSettings, 'json'>,
  config: ConfigFile,
  env: NodeJS.ProcessEnv,
): RunConfig[] {
  const { targets, $schema: _, ...general } = config;
  const name = given.target ?? general.target;
  const named = name === undefined ? undefined : namedTarget(name, targets ?? {});
  // A missing setting must not override a configured one.
  const settings: typeof given & { url?: string } = { ...general, ...named, ...defined(given) };
  const address = named?.url ?? settings.target;
  const base = address === undefined ? undefined : readBase(address);
  guardSettings(settings, base, env);
  const { passwordFrom = PASSWORD_VARIABLE, user, seed = randomInt(2 ** 31 - 1) } = settings;
  const leftToSite = settings.deployment === AUTO;
  const common: RunConfig = {
    ...DEFAULTS,
    ...(base === undefined && { embedded: true, mode: 'full' }),
    ...(leftToSite && { vocabulary: AUTO }),
    ...plainOf(settings),
    base: base ?? NOT_YET,
    password: user === undefined ? undefined : env[passwordFrom],
    callers: callersOf(settings.callers, env),
    headers: headersBeside(user, settings.header),
    seed,
    fuzz: { examples: settings.examples ?? PROFILES[settings.profile ?? 'standard'], kept: [] },
    waivers: [settings.waivers ?? []].flat(),
    reporters: reportersOf(settings),
  };
  if (base !== undefined)
    return [{ ...common, vocabularyOpen: settings.vocabulary === undefined && !leftToSite }];
  const deployments = settings.deployment === undefined ? EMBEDDED : [settings.deployment];
  return deployments.map((deployment) => ({ ...common, deployment }));
}

/** A placeholder, because the port of an embedded deployment is not known yet. */
const NOT_YET = new URL('http://127.0.0.1/');

function plainOf(
  settings: Parameters<typeof resolveTargets>[0] & { readonly url?: string },
): Partial<RunConfig> {
  const { target, url, json, confirmHost, header, profile, examples, waivers, callers, ...more } = settings;
  const { reporter, allure, har, ...plain } = more;
  return plain;
}

function callersOf(callers: Settings['callers'] = {}, env: NodeJS.ProcessEnv): NamedCaller[] {
  return Object.entries(callers).map(([name, { user = name, passwordFrom }]) => {
    if (passwordFrom === undefined) return { name };
    const password = env[passwordFrom] ?? '';
    if (password !== '') return { name, user, password, passwordFrom };
    throw new UsageError(
      `callers: ${name}: the password is expected in the environment variable ${passwordFrom}`,
    );
  });
}

function guardSettings(settings: Settings, base: URL | undefined, env: NodeJS.ProcessEnv): void {
  const { user, mode = 'read', passwordFrom = PASSWORD_VARIABLE, confirmHost } = settings;
  if (base !== undefined && mode !== 'read' && !isLoopback(base) && confirmHost !== base.hostname) {
    throw new UsageError(
      confirmHost === undefined
        ? `mode ${mode} sends more than reads to ${base.hostname}, which is not this machine: add --confirm-host ${base.hostname} if you mean it`
        : `--confirm-host ${confirmHost} does not name the host of the target, ${base.hostname}`,
    );
  }
  if (base === undefined) guardEmbedded(settings);
  const [named] = Object.values(settings.callers ?? {}).flatMap(({ passwordFrom }) => passwordFrom ?? []);
  headersBeside(user ?? named, settings.header);
  if (user !== undefined && (env[passwordFrom] ?? '') === '') {
    throw new UsageError(
      `--user ${user}: the password is expected in the environment variable ${passwordFrom}`,
    );
  }
}

function guardEmbedded({ user, deployment, vocabulary, callers }: Settings): void {
  if (user !== undefined)
    throw new UsageError('--user needs --target: the embedded deployments bring their own user');
  if (deployment === AUTO || vocabulary === AUTO) {
    const option = deployment === AUTO ? '--deployment' : '--vocabulary';
    throw new UsageError(`${option} auto is found in the index of a site: add --target`);
  }
  if (callers !== undefined)
    throw new UsageError('callers need a target: the embedded deployments have none of their users');
}

function reportersOf({ reporter, allure, har, json }: Settings & Pick<RunSettings, 'json'>): string[] {
  return present([
    ...(reporter ?? USUAL),
    json === true && 'json=-',
    allure === true && 'allure',
    har !== undefined && har !== false && (har === true ? 'har' : `har=${har}`),
  ]);
}

function namedTarget(
  name: string,
  targets: NonNullable<ConfigFile['targets']>,
): (Settings & { url: string }) | undefined {
  if (Object.hasOwn(targets, name)) return targets[name];
  if (name.includes('://')) return undefined;
  const names = Object.keys(targets);
  const known = names.length === 0 ? 'the configuration names no targets' : `named are ${names.join(', ')}`;
  throw new UsageError(
    `--target "${name}" is neither an http or https address nor a name in the configuration (${known})${suggestion(name, names, schemeHint(name))}`,
  );
}

/**
 * Resolves settings that need work: loads own checks, composes deployments, detects vocabularies, and converts globs
 * in the words of the site. Those that match nothing are unchanged: they may match for another target.
 * @param say prints one line to the user
 * @throws TargetError as {@link composeTargets}; UsageError for an unusable deployment, vocabulary or module
 */
export async function settleTargets(
  targets: readonly RunConfig[],
  say: (line: string) => void,
): Promise<RunConfig[]> {
  if (targets.some(({ insecure }) => insecure)) say(INSECURE);
  for (const variable of withoutUser(targets)) {
    say(`${variable} is set, and no --user names whose password it is: the site is asked without a user`);
  }
  const own = await loadOwnChecks(targets.flatMap(({ checks }) => checks));
  const composed = await composeTargets(
    changed(targets, ({ checks }) => (checks.length === 0 ? {} : { own })),
    say,
  );
  const notes = new Set<string>();
  const settled = changed(composed, (target) => inNeutralWords(target, notes));
  for (const line of notes) say(line);
  return settled;
}

/** Applies a step to each target, and removes those for which it is undefined. */
export function changed(
  targets: readonly RunConfig[],
  change: (target: RunConfig, at: number) => Partial<RunConfig> | undefined,
): RunConfig[] {
  return targets.flatMap((target, at) => {
    const changes = change(target, at);
    return changes === undefined ? [] : [{ ...target, ...changes }];
  });
}

function withoutUser(targets: readonly RunConfig[]): Set<string> {
  const anonymous = targets.filter(
    ({ embedded, user, headers }) => !embedded && user === undefined && headers.authorization === undefined,
  );
  return new Set(
    anonymous.map(({ passwordFrom }) => passwordFrom).filter((name) => (process.env[name] ?? '') !== ''),
  );
}

/** The globs of a target in the words of the contract. @param notes receives remarks for the user */
export function inNeutralWords(
  target: RunConfig,
  notes: Set<string> = new Set(),
): Pick<RunConfig, 'contract' | 'only' | 'skip'> {
  const { only, skip } = target;
  if (only.length + skip.length === 0) return { only, skip };
  const contract = loadContract(target);
  const read = siteWords(contract, allChecks(contract));
  const neutral = (glob: string): readonly string[] => {
    const meaning = read(glob);
    if (meaning?.note !== undefined) notes.add(meaning.note);
    return meaning?.globs ?? [glob];
  };
  return { contract, only: only.flatMap(neutral), skip: skip.flatMap(neutral) };
}

/** The single, resolved target of a command. @throws UsageError if there is not exactly one site */
export async function settleOne(given: RunSettings): Promise<RunConfig> {
  const { config: path, ...settings } = given;
  const resolved = resolveTargets(settings, loadConfig(path), process.env);
  const [config] = await settleTargets(resolved, note);
  if (config === undefined) throw new UsageError(`${given.target}: is no site`);
  return config;
}

/**
 * Plans the checks of each target. Of several targets, those without selected checks are left out.
 * @param mine checks of the user, in addition to those of each contract
 * @throws UsageError for globs that match no check of any target, and for unusable files
 */
export function chooseTargets(
  targets: readonly RunConfig[],
  env: NodeJS.ProcessEnv,
  mine: readonly Check[] = [],
): RunConfig[] {
  const loaded = targets.map((target) => ({ ...target, contract: contractOf(target) }));
  const contracts = loaded.map(({ contract }) => contract);
  const hints = loadHints(targets[0]?.hints, contracts, env);
  const now = new Date();
  const all = loaded.map((target, at) =>
    withPlan({ ...target, ...hints[at], own: [...mine, ...target.own] }, now),
  );
  const checks = all.map((target) => target.plan.map(({ check }) => check));
  const own = all.flatMap((target) => target.own);
  guardRoots(checks, own);
  guardGlobs(all, checks);
  const selecting = all.filter((target) => target.plan.some((planned) => !isDeselected(planned)));
  return selecting.length > 0 ? selecting : all;
}

function withPlan(target: RunConfig, now: Date): RunConfig {
  const contract = contractOf(target);
  const clients = readClients(target.asClient);
  const own = ownChecksOf(target, contract);
  const checks = checksOf(contract, own);
  const used = clients.length === 0 ? undefined : usedChecks(clients, contract, checks);
  // Embedded deployments have a user.
  const hasUser = target.user !== undefined || target.embedded;
  const { software } = target;
  return {
    ...target,
    own,
    plan: plan(checks, { ...target, used, hasUser }),
    used,
    accepted: loadWaivers(target.waivers, { software, vocabulary: contract.vocabulary }, now),
  };
}

function guardGlobs(all: readonly RunConfig[], checks: readonly (readonly Check[])[]): void {
  const globs = new Set(all.flatMap(({ only, skip }) => [...only, ...skip]));
  const isMatched = (glob: string): boolean =>
    checks.some((some) => some.some(({ id }) => matchesAny(id, [glob])));
  const unmatched = [...globs].filter((glob) => !isMatched(glob));
  if (unmatched.length === 0) return;
  const names = all.map((target) => contractOf(target).deployment).join(' or ');
  const near = unmatched.map((glob) => `${glob}/**`).find(isMatched) ?? nearest(unmatched, all);
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  const given = unmatched.map((glob) => `"${glob}"`).join(' or ');
  throw new UsageError(
    `no check of ${names} has an id like ${given}: "plan" lists the ids (* stays within one part of an id, ** crosses /)${meant}`,
  );
}

/** The user's own checks of a target, and those that repeat the calls of its clients. */
export function ownChecksOf({ own, asClient }: RunConfig, contract: Contract): Check[] {
  return [...own, ...exampleChecks(readClients(asClient), contract)];
}

/** Every check of a contract, and those of the user's own. @throws UsageError for two with one id */
export function checksOf(contract: Contract, own: readonly Check[]): readonly Check[] {
  if (own.length === 0) return allChecks(contract);
  const checks = [...allChecks(contract), ...own];
  const seen = new Set<string>();
  for (const { id } of checks) {
    if (seen.has(id)) throw new UsageError(`two checks share the id ${id}: give your own another one`);
    seen.add(id);
  }
  return checks;
}

function guardRoots(all: readonly (readonly Check[])[], own: readonly Check[]): void {
  const roots = own.flatMap(({ id, dependsOn = [], buildsOn = [] }) =>
    [...dependsOn, ...buildsOn].map((root) => ({ id, root })),
  );
  if (roots.length === 0) return;
  const known = new Set(all.flatMap((checks) => checks.map(({ id }) => id)));
  const missing = roots.find(({ root }) => !known.has(root) && !root.includes('{caller}'));
  if (missing !== undefined) {
    const { id, root } = missing;
    throw new UsageError(`${id} depends on ${root}, and no check has this id${suggestion(root, [...known])}`);
  }
  const cycle = findCycle(own);
  if (cycle !== undefined) throw new UsageError(`${cycle} depends on itself: it would never run`);
}

function nearest(globs: readonly string[], all: readonly RunConfig[]): string | undefined {
  const known = all.flatMap((target) => [
    ...contractOf(target).operations.flatMap(({ id, route }) => [id, route.wire.slice(1)]),
    ...target.plan.map(({ check }) => check.id),
  ]);
  return globs
    .map((glob) => closest(glob.replace(/(\/\*+)+$/, ''), [...new Set(known)]))
    .find((near) => near !== undefined);
}
