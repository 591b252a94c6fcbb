import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readJson } from '../specs/read-json.ts';
import { describeError, validatorOf } from '../specs/validators.ts';
import { closest } from './closest.ts';
import type { ConfigFile } from './run-config.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_FILE = 'site-conformance.config.json';
const SCHEMA = 'config.schema.json';

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
  const data = readJson(path);
  const validate = validatorOf<ConfigFile>(SCHEMA);
  if (validate(data)) return data;
  const known = settingNames();
  const messages = (validate.errors ?? []).map((error) => {
    if (error.keyword !== 'unevaluatedProperties') return describeError(error);
    const name = String(error.params.unevaluatedProperty);
    const near = closest(name, known);
    return `${error.instancePath || 'the top level'}: does not know "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
  });
  // A misspelt name makes further rules fail that say less.
  const telling = messages.filter((message) => message.includes('does not know'));
  const [first] = telling.length > 0 ? telling : messages;
  throw new UsageError(`${path}: ${first ?? 'is not a configuration'} (schema: specs/schemas/${SCHEMA})`);
}

function settingNames(): string[] {
  const defs = validatorOf(`${SCHEMA}#/$defs/settings`).schema;
  const properties: unknown = typeof defs === 'object' ? Reflect.get(defs, 'properties') : undefined;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return [...names, 'targets', 'target', 'url'];
}
