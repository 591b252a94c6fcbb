import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import type { Ajv2020, AnySchemaObject, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { distance } from 'fastest-levenshtein';
import { once } from './memoized.ts';

/** A data file, built-in or a user's, that cannot be used. The message has file, place and remedy. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** Files written by hand are far smaller; a larger one was named by mistake. */
const LARGEST = 16_000_000;

/** Reads a JSON file of at most 16 MB. A pipe or a device may never end. @throws UsageError with the file */
export function readJson(path: string): unknown {
  let text: string;
  try {
    const about = statSync(path);
    if (!about.isFile()) throw new Error('it is not a regular file');
    if (about.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1_000_000} MB`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path}: cannot be read (${oneLine(error)})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path}: is not JSON (${oneLine(error)})`);
  }
}

/** Without line breaks, because the parser quotes the text around the error. */
function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
}

const OWN_DATA: string = import.meta.dirname + sep;
const SCHEMAS: string = join(import.meta.dirname, 'schemas');
const LONGEST = 200;

const load: NodeJS.Require = createRequire(import.meta.url);

/** A validator for JSON Schema 2020-12, loaded on first use, with the usual formats unless `options` names some. */
export function createAjv(options: Options): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  const ajv = new Ajv2020({ strict: false, logger: false, ...options });
  if (options.formats === undefined) {
    const addFormats: typeof import('ajv-formats') = load('ajv-formats');
    addFormats.default(ajv);
  }
  return ajv;
}

/** The validator of our documents and a user's files. It knows every schema of `specs/schemas` by file name. */
const ajv = once((): Ajv2020 => {
  const created = createAjv({ allErrors: true });
  for (const file of readdirSync(SCHEMAS).filter((name) => name.endsWith('.schema.json'))) {
    created.addSchema(readJson(join(SCHEMAS, file)) as AnySchemaObject, file);
  }
  return created;
});

/** The validator of a published schema, or of a place inside one. @throws UsageError if there is no such schema */
export function validatorOf<T>(reference: string): ValidateFunction<T> {
  const found = ajv().getSchema<T>(reference);
  if (found === undefined) throw new UsageError(`specs/schemas: no schema ${reference}`);
  return found;
}

/** One line for one violation: the place as a JSON pointer, and what was expected. */
export function describeError(error: ErrorObject): string {
  const place = error.instancePath === '' ? 'the top level' : bounded(error.instancePath);
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'additionalProperties') {
    return `${place}: does not know the member "${bounded(String(params.additionalProperty))}"`;
  }
  if (error.keyword === 'enum') {
    return `${place}: must be one of ${JSON.stringify(params.allowedValues)}`;
  }
  return `${place}: ${error.message ?? error.keyword}`;
}

/** The first violations of a validator, in one line. That of an `if` only repeats those of its branch. */
export function describeErrors({ errors }: Pick<ValidateFunction, 'errors'>): string {
  const own = (errors ?? []).filter(({ keyword }) => keyword !== 'if');
  return own.slice(0, 3).map(describeError).join('; ');
}

/** Shortened, because a target may choose names of members. */
function bounded(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** Reads a JSON file, and validates it unless it is ours, which tests do. @throws UsageError with some violations */
export function readValidated<T>(path: string, schema: string): T {
  const data = readJson(path);
  return path.startsWith(OWN_DATA) ? (data as T) : validated(path, data, schema);
}

/** Validates a document with its schema. @throws UsageError with some violations */
export function validated<T>(file: string, document: unknown, schema: string): T {
  const validate = validatorOf<T>(schema);
  if (validate(document)) return document;
  throw new UsageError(`${file}: ${describeErrors(validate)} (schema: specs/schemas/${schema})`);
}

/** The end of a message about a misspelt word: the nearest known word, or `otherwise`. */
export function suggestion(word: string, known: readonly string[], otherwise: string = ''): string {
  const near = closest(word, known);
  return near === undefined ? otherwise : `; did you mean "${near}"?`;
}

/** The known word nearest to a misspelt one; undefined if none is near. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, away: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.away - b.away);
  const best = ranked[0];
  // A distance of the whole word means that nothing is in common.
  const most = Math.min(word.length - 1, Math.max(2, Math.floor(word.length / 3)));
  return best !== undefined && best.away <= most ? best.candidate : undefined;
}
