import { randomInt } from 'node:crypto';
import { isLoopback, readBase, schemeHint } from '../client/address.ts';
import type { RunMode } from '../client/mode.ts';
import { PROFILES } from '../engine/fuzz-options.ts';
import { PASSWORD_VARIABLE } from '../engine/run-options.ts';
import { AUTO } from '../probing/declarations/compose-deployment.ts';
import { USUAL } from '../reports/reporters/registry.ts';
import { closest } from '../specs/validators.ts';
import { DEFAULTS, type RunConfig } from '../suites/run.ts';
import type { ConfigFile } from './config.ts';
import { UsageError } from './errors.ts';
import type { RunSettings, Settings } from './options.ts';
import { headersBeside } from './read-headers.ts';

/** The folder for reports unless another is named. */
export const DEFAULT_OUT: string = DEFAULTS.out;

/** The deployments that a run without a target checks. */
export const EMBEDDED: readonly string[] = ['a', 'b'];

/**
 * Decides what a run is about: the command line wins over a named target of the configuration, which wins over the
 * rest of the configuration, which wins over the defaults. Without a target: the embedded deployments A and B.
 * @throws UsageError for settings that contradict each other or are not allowed together.
 */
export function resolveTargets(
  given: Settings & Pick<RunSettings, 'json'>,
  config: ConfigFile,
  env: NodeJS.ProcessEnv,
): RunConfig[] {
  const { targets, $schema: _, ...general } = config;
  const name = given.target ?? general.target;
  const named = name === undefined ? undefined : namedTarget(name, targets ?? {});
  const settings = { ...general, ...named, ...defined(given) };
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
    headers: headersBeside(user, settings.header),
    seed,
    fuzz: { examples: settings.examples ?? PROFILES[settings.profile ?? 'standard'], kept: [] },
    waivers: typeof settings.waivers === 'string' ? [settings.waivers] : (settings.waivers ?? []),
    reporters: reportersOf(settings),
  };
  if (base !== undefined)
    return [{ ...common, vocabularyOpen: settings.vocabulary === undefined && !leftToSite }];
  const deployments = settings.deployment === undefined ? EMBEDDED : [settings.deployment];
  return deployments.map((deployment) => ({ ...common, deployment }));
}

/** Where an embedded deployment will listen is known once it does. */
const NOT_YET = new URL('http://127.0.0.1/');

/** The settings that a configuration has under the same name and as they are. */
function plainOf(
  settings: Parameters<typeof resolveTargets>[0] & { readonly url?: string },
): Partial<RunConfig> {
  const { target, url, json, confirmHost, header, profile, examples, waivers, reporter, har, ...plain } =
    settings;
  return plain;
}

/** @throws UsageError for settings that contradict each other or are not allowed together */
function guardSettings(settings: Settings, base: URL | undefined, env: NodeJS.ProcessEnv): void {
  const { user, deployment, vocabulary, mode = 'read', passwordFrom = PASSWORD_VARIABLE } = settings;
  if (base !== undefined) guardHost(base, mode, settings.confirmHost);
  if (base === undefined && user !== undefined) {
    throw new UsageError('--user needs --target: the embedded deployments bring their own user');
  }
  if (base === undefined && (deployment === AUTO || vocabulary === AUTO)) {
    const option = deployment === AUTO ? '--deployment' : '--vocabulary';
    throw new UsageError(`${option} auto is found in the index of a site: add --target`);
  }
  headersBeside(user, settings.header);
  if (user !== undefined && (env[passwordFrom] ?? '') === '') {
    throw new UsageError(
      `--user ${user}: the password is expected in the environment variable ${passwordFrom}`,
    );
  }
}

function reportersOf({ reporter, allure, har, json }: Settings & Pick<RunSettings, 'json'>): string[] {
  return [
    ...(reporter ?? USUAL),
    ...(json === true ? ['json=-'] : []),
    ...(allure === true ? ['allure'] : []),
    ...(har === undefined || har === false ? [] : [har === true ? 'har' : `har=${har}`]),
  ];
}

function namedTarget(
  name: string,
  targets: NonNullable<ConfigFile['targets']>,
): (Settings & { url: string }) | undefined {
  if (Object.hasOwn(targets, name)) return targets[name];
  if (name.includes('://')) return undefined;
  const near = closest(name, Object.keys(targets));
  const known =
    Object.keys(targets).length === 0
      ? 'the configuration names no targets'
      : `named are ${Object.keys(targets).join(', ')}`;
  throw new UsageError(
    `--target "${name}" is neither an http or https address nor a name in the configuration (${known})${near === undefined ? schemeHint(name) : `; did you mean "${near}"?`}`,
  );
}

function guardHost(base: URL, mode: RunMode, confirmed: string | undefined): void {
  if (mode === 'read' || isLoopback(base) || confirmed === base.hostname) return;
  throw new UsageError(
    confirmed === undefined
      ? `mode ${mode} sends more than reads to ${base.hostname}, which is not this machine: add --confirm-host ${base.hostname} if you mean it`
      : `--confirm-host ${confirmed} does not name the host of the target, ${base.hostname}`,
  );
}

/** The settings that are given; an absent one must not hide a configured one. */
function defined(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
