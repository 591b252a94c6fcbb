import { join } from 'node:path';
import { once } from './memoized.ts';
import { type Schema, typesOf } from './schema.ts';
import { readValidated } from './validators.ts';

/** A kind of value, such as the address of a record: where a site shows such values, and what most sites accept. */
export interface ValueKind {
  /** A member of the records of a list, such as `posts.link`, or of the index. */
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

/** The kind of value that a name such as `post_type` suggests. */
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

/** A word that software is likely to accept although it is not in the enum; undefined if none is known. */
export function wordOutside(name: string, members: readonly unknown[]): string | undefined {
  const { outside } = hints();
  const word = Object.hasOwn(outside, name) ? outside[name] : undefined;
  return members.includes(word) ? undefined : word;
}

/** The words of a name in lower case, split at underscores, hyphens and capitals. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** Words in names of operations that remove something other calls may need. */
const REMOVING: ReadonlySet<string> = new Set(
  'clear deactivate delete disable disconnect empty purge remove reset trash uninstall'.split(' '),
);

/** Whether a name or an address suggests that it removes something. */
export function isRemoving(name: string): boolean {
  return wordsOf(name).some((word) => REMOVING.has(word));
}

function follow(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, at) => wanted.every((word, step) => words[at + step] === word));
}

const hints = once(() =>
  readValidated<ValueHints>(join(import.meta.dirname, 'value-hints.json'), 'value-hints.schema.json'),
);
