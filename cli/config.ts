import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ErrorObject } from 'ajv';
import { Command, CommanderError, type Option } from 'commander';
import type { RunMode } from '../client/mode.ts';
import type { Profile } from '../engine/fuzz-options.ts';
import type { FailOn } from '../engine/result.ts';
import { PASSWORD_VARIABLE, type StageMode } from '../engine/run-options.ts';
import { closest, describeError, readJson, validatorOf } from '../specs/validators.ts';
import { inOwnWords, UsageError } from './errors.ts';
import { addRunOptions, addSelectionOptions } from './options.ts';

/** The settings of a run, by the names that the command line and the configuration file share. All optional. */
export interface Settings {
  readonly target?: string;
  readonly deployment?: string;
  readonly vocabulary?: string;
  readonly mode?: RunMode;
  readonly confirmHost?: string;
  readonly user?: string;
  /** The environment variable that holds the password; of a configuration file only. */
  readonly passwordFrom?: string;
  readonly header?: readonly string[];
  readonly insecure?: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly concurrency?: number;
  readonly rate?: number;
  readonly timeout?: number;
  readonly seed?: number;
  readonly examples?: number;
  readonly profile?: Profile;
  readonly examplesFile?: string;
  readonly stage?: StageMode;
  readonly budget?: number;
  readonly baseline?: string;
  readonly waivers?: string | readonly string[];
  readonly software?: string;
  readonly failOn?: readonly FailOn[];
  readonly strict?: boolean;
  readonly allure?: boolean;
  readonly har?: boolean | string;
  readonly reporter?: readonly string[];
  /** Prints the result; of a command line only. */
  readonly json?: boolean;
  readonly hints?: string;
  /** Paths of modules with checks of one's own. */
  readonly checks?: readonly string[];
  readonly out?: string;
}

/** A configuration file: settings for every run, and named targets with their own (`config.schema.json`). */
export interface ConfigFile extends Settings {
  readonly $schema?: string;
  readonly targets?: Readonly<Record<string, Settings & { readonly url: string }>>;
}

const DEFAULT_FILE = 'site-conformance.config.json';
const SCHEMA = 'config.schema.json';
/** Keywords that a name breaks which the schema does not have. */
const MISSPELT: ReadonlySet<string> = new Set(['unevaluatedProperties', 'additionalProperties']);

/**
 * Loads the configuration file: the one that is named, or the default one when it is there.
 * @throws UsageError with file, place and the nearest known name.
 */
export function loadConfig(named: string | undefined): ConfigFile {
  const path = resolve(named ?? DEFAULT_FILE);
  if (!existsSync(path)) {
    if (named === undefined) return {};
    throw new UsageError(`--config: ${path} does not exist`);
  }
  return checkedConfig(readJson(path), path);
}

/**
 * The configuration that some data is.
 * @param path names the data
 * @throws UsageError with the place and the nearest known name
 */
export function checkedConfig(data: unknown, path: string): ConfigFile {
  const validate = validatorOf<ConfigFile>(SCHEMA);
  if (validate(data)) return besideConfig(data, dirname(path));
  const errors = validate.errors ?? [];
  // A misspelt name makes further rules fail that say less.
  const first = errors.find(({ keyword }) => MISSPELT.has(keyword)) ?? errors[0];
  throw new UsageError(
    `${path}: ${first === undefined ? 'is not a configuration' : describe(first)} (schema: specs/schemas/${SCHEMA})`,
  );
}

function describe(error: ErrorObject): string {
  if (error.keyword !== 'unevaluatedProperties') return describeError(error);
  const name = String(error.params.unevaluatedProperty);
  const near = closest(name, settingNames());
  return `${error.instancePath || 'the top level'}: does not know "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
}

function settingNames(): string[] {
  const defs = validatorOf(`${SCHEMA}#/$defs/settings`).schema;
  const properties: unknown = typeof defs === 'object' ? Reflect.get(defs, 'properties') : undefined;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return [...names, 'targets', 'target', 'url'];
}

/** Settings that name a file of the owner's. */
const FILES = ['deployment', 'vocabulary', 'hints'] as const;
type Found = Pick<Settings, (typeof FILES)[number] | 'checks'>;

/**
 * Finds the files that a configuration names: relative to where the caller is, or else beside the configuration, so that a
 * working folder can be used from anywhere.
 * @param folder where the configuration is
 */
function besideConfig(config: ConfigFile, folder: string): ConfigFile {
  const { targets } = config;
  return {
    ...config,
    ...found(config, folder),
    ...(targets !== undefined && {
      targets: Object.fromEntries(
        Object.entries(targets).map(([name, target]) => [name, { ...target, ...found(target, folder) }]),
      ),
    }),
  };
}

function found(settings: Settings, folder: string): Found {
  const paths = FILES.flatMap((name) => {
    const path = settings[name];
    return path?.endsWith('.json') === true ? [[name, placeOf(path, folder)]] : [];
  });
  const { checks } = settings;
  return {
    ...Object.fromEntries(paths),
    ...(checks !== undefined && { checks: checks.map((path) => placeOf(path, folder)) }),
  };
}

function placeOf(path: string, folder: string): string {
  return !existsSync(resolve(path)) && existsSync(join(folder, path)) ? join(folder, path) : path;
}

const PREFIX = 'SITE_CONFORMANCE_';

/** Options whose values may hold blanks. */
const BY_LINES: ReadonlySet<string> = new Set(['header', 'waivers', 'checks']);

/** Variables with that prefix that are no options of a run. */
const OTHERS: readonly string[] = [PASSWORD_VARIABLE, `${PREFIX}CACHE`];

/**
 * Reads variables as arguments of `run`: SITE_CONFORMANCE_CONFIRM_HOST as --confirm-host, and so on. An empty variable
 * counts as absent. Globs are separated by white space, headers and
 * files by line breaks; a switch is `true` or `false`.
 * @throws UsageError for a variable that is no option
 */
export function argumentsFromEnvironment(env: NodeJS.ProcessEnv): string[] {
  const options = new Map(runCommand().options.map((option) => [variableOf(option), option]));
  return Object.entries(env).flatMap(([name, value]) => {
    if (!name.startsWith(PREFIX) || OTHERS.includes(name) || value === undefined || value === '') return [];
    const option = options.get(name);
    if (['replay', 'results', 'rerun'].includes(option?.name() ?? '')) {
      throw new UsageError(
        `${name}: what repeats an earlier run is for the command line (npm start -- run --replay ID, --rerun FILE)`,
      );
    }
    if (option === undefined) throw unknown(name, [...options.keys(), ...OTHERS]);
    return argumentsOf(option, name, value);
  });
}

/** Reads such arguments as the command line does. @throws UsageError for a value that the option does not take */
export function readSettings(args: readonly string[]): Settings & { readonly config?: string } {
  try {
    return runCommand()
      .parse([...args], { from: 'user' })
      .opts();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(`in the environment: ${inOwnWords(error.message)}`);
  }
}

function runCommand(): Command {
  return addRunOptions(addSelectionOptions(new Command()))
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
}

/** The variable for an option: `--dry-run` would be SITE_CONFORMANCE_DRY_RUN. */
function variableOf(option: Option): string {
  return PREFIX + option.name().toUpperCase().replaceAll('-', '_');
}

function argumentsOf(option: Option, variable: string, value: string): string[] {
  const flag = `--${option.name()}`;
  if (option.isBoolean()) {
    if (value !== 'true' && value !== 'false') throw new UsageError(`${variable} is true or false`);
    return value === 'true' ? [flag] : [];
  }
  if (!option.variadic) return [`${flag}=${value}`];
  const parts = value.split(BY_LINES.has(option.name()) ? /\r?\n/ : /\s+/).filter((part) => part !== '');
  return parts.map((part) => `${flag}=${part}`);
}

/** A misspelt name would check something else than was meant. */
function unknown(name: string, known: readonly string[]): UsageError {
  const near = closest(name, known);
  return new UsageError(
    `the environment has ${name}, which is no option of a run${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}
