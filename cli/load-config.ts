import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ErrorObject } from 'ajv';
import { closest, describeError, readJson, validatorOf } from '../specs/validators.ts';
import { besideConfig } from './beside-config.ts';
import type { ConfigFile } from './run-config.ts';
import { UsageError } from './usage-error.ts';

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
