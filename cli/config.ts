import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ErrorObject } from 'ajv';
import { asObject, member } from '../client/json.ts';
import { describeError, readJson, suggestion, UsageError, validatorOf } from '../specs/validators.ts';
import type { Settings } from './options.ts';

/** A configuration file: settings for all runs, and named targets with their own (`config.schema.json`). */
export interface ConfigFile extends Settings {
  readonly $schema?: string;
  readonly targets?: Readonly<Record<string, Settings & { readonly url: string }>>;
}

/** The default configuration file. */
export const DEFAULT_FILE = 'site-conformance.config.json';
const SCHEMA = 'config.schema.json';
/** JSON Schema keywords that an unknown name violates. */
const MISSPELT: ReadonlySet<string> = new Set(['unevaluatedProperties', 'additionalProperties']);

/** Loads the given configuration file, or the default one if it exists. @throws UsageError with file and place */
export function loadConfig(named: string | undefined): ConfigFile {
  const path = resolve(named ?? DEFAULT_FILE);
  if (!existsSync(path)) {
    if (named === undefined) return {};
    throw new UsageError(`--config: ${path} does not exist`);
  }
  return checkedConfig(readJson(path), path);
}

/** Validates the data of a configuration, which `path` names. @throws UsageError with the nearest known name */
export function checkedConfig(data: unknown, path: string): ConfigFile {
  const validate = validatorOf<ConfigFile>(SCHEMA);
  if (validate(data)) return besideConfig(data, dirname(path));
  const errors = validate.errors ?? [];
  // A misspelt name causes further errors, which are less helpful.
  const first = errors.find(({ keyword }) => MISSPELT.has(keyword)) ?? errors[0];
  throw new UsageError(
    `${path}: ${first === undefined ? 'is not a configuration' : describe(first)} (schema: specs/schemas/${SCHEMA})`,
  );
}

function describe(error: ErrorObject): string {
  if (error.keyword !== 'unevaluatedProperties') return describeError(error);
  const name = String(error.params.unevaluatedProperty);
  const { schema } = validatorOf(`${SCHEMA}#/$defs/settings`);
  const [place, ...own] =
    error.instancePath === '' ? ['the top level', 'target', 'targets'] : [error.instancePath, 'url'];
  const known = [...Object.keys(asObject(member(schema, 'properties')) ?? {}), ...own];
  const hint = ['target', 'url'].includes(name)
    ? `; the address is "${own[0]}" here`
    : suggestion(name, known);
  return `${place}: does not know "${name}"${hint}`;
}

const FILES = ['deployment', 'vocabulary', 'hints'] as const;

/** Resolves the files of a configuration: relative to the current folder, or otherwise to its own. */
function besideConfig(config: ConfigFile, folder: string): ConfigFile {
  const { targets } = config;
  const rows = Object.entries(targets ?? {}).map(
    ([name, target]) => [name, { ...target, ...found(target, folder) }] as const,
  );
  return { ...config, ...found(config, folder), ...(targets && { targets: Object.fromEntries(rows) }) };
}

function found(settings: Settings, folder: string): Pick<Settings, (typeof FILES)[number] | 'checks'> {
  const paths = FILES.flatMap((name) => {
    const path = settings[name];
    return path?.endsWith('.json') ? [[name, placeOf(path, folder)]] : [];
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
