import { join } from 'node:path';
import { type Schema, typesOf } from './schema.ts';
import { readValidated, SpecError } from './validators.ts';

/** One value that the owner of a site names, or the environment variable that holds it. */
export type HintValue = { readonly value: unknown } | { readonly env: string };

/** Values by operation id, or glob of such ids, and by the neutral name of a parameter or a path parameter. */
export type HintEntries = Readonly<Record<string, Readonly<Record<string, readonly HintValue[]>>>>;

type Hint = string | number | boolean | { value: unknown } | { values: readonly unknown[] } | { env: string };

/**
 * Reads a hints file (`hints.schema.json`).
 * @throws SpecError with the file and the place where it breaks its schema.
 */
export function readHintFile(path: string): HintEntries {
  const { operations } = readValidated<{ operations: Record<string, Record<string, Hint>> }>(
    path,
    'hints.schema.json',
  );
  return mapValues(operations, (parameters) => mapValues(parameters, valuesOf));
}

function valuesOf(hint: Hint): HintValue[] {
  if (typeof hint !== 'object') return [{ value: hint }];
  if ('values' in hint) return hint.values.map((value) => ({ value }));
  return 'env' in hint ? [{ env: hint.env }] : [{ value: hint.value }];
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, turn: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, turn(value)]));
}

/** A kind of value that sites have, such as the address of a record: where a site shows some, and what most sites take. */
export interface ValueKind {
  /** `posts.link`: a member of the records of a list, or of the index. */
  readonly from?: readonly string[];
  readonly values?: readonly unknown[];
}

interface ValueHints {
  readonly kinds: Readonly<Record<string, ValueKind>>;
  readonly outside: Readonly<Record<string, string>>;
  readonly names: readonly {
    readonly words: readonly string[];
    readonly kind: string;
    readonly types?: readonly string[];
  }[];
}

let loaded: ValueHints | undefined;

/**
 * What the name of a parameter says about its good values; undefined where it says nothing.
 * @param name a name such as `post_type` or `postTypeName`
 * @throws SpecError when the built-in data break their schema
 */
export function valueKindOf(name: string, schema: Schema): ValueKind | undefined {
  const { kinds, names } = hints();
  const words = wordsOf(name);
  const types = typesOf(schema);
  const fitting = names.find(
    (one) =>
      follow(words, one.words) &&
      (one.types === undefined ||
        one.types.some((type) => types.includes(type)) ||
        (types.length === 0 && words.length === one.words.length)),
  );
  return fitting && kinds[fitting.kind];
}

/** A word that software is likely to take for a parameter although its enum does not hold it; undefined where none is known. */
export function wordOutside(name: string, members: readonly unknown[]): string | undefined {
  const { outside } = hints();
  const word = Object.hasOwn(outside, name) ? outside[name] : undefined;
  return members.includes(word) ? undefined : word;
}

/** The words of a name, in lower case: it is split at underscores, hyphens and capitals. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** Words by which software names what takes something away that other calls may need. */
const REMOVING: ReadonlySet<string> = new Set([
  'clear',
  'deactivate',
  'delete',
  'disable',
  'disconnect',
  'empty',
  'purge',
  'remove',
  'reset',
  'trash',
  'uninstall',
]);

/** Whether a name, or an address, says that it takes something away. */
export function isRemoving(name: string): boolean {
  return wordsOf(name).some((word) => REMOVING.has(word));
}

function follow(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, at) => wanted.every((word, step) => words[at + step] === word));
}

function hints(): ValueHints {
  if (loaded !== undefined) return loaded;
  const path = join(import.meta.dirname, 'value-hints.json');
  const data = readValidated<ValueHints>(path, 'value-hints.schema.json');
  const unknown = data.names.find(({ kind }) => !Object.hasOwn(data.kinds, kind));
  if (unknown !== undefined) throw new SpecError(`${path}: "${unknown.kind}" is not one of its kinds`);
  loaded = data;
  return data;
}
