import { join } from 'node:path';
import { type Schema, typesOf } from './schema.ts';
import { SpecError } from './spec-error.ts';
import { readValidated } from './validators.ts';

/** A kind of value that sites have, such as the address of a record: where a site shows some, and what most sites take. */
export interface ValueKind {
  /** `posts.link`: a member of the records of a list, or of the index. */
  readonly from?: readonly string[];
  readonly values?: readonly unknown[];
}

interface ValueHints {
  readonly kinds: Readonly<Record<string, ValueKind>>;
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

/** The words of a name, in lower case: it is split at underscores, hyphens and capitals. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
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
