import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, member } from './reference/json.ts';

type Words = Readonly<Record<string, string>>;
type Tables = Readonly<Record<string, Words>>;

/** The words of one side, each with that of the other side. Words that are not there stay as they are. */
export interface Renaming {
  readonly namespaces: Words;
  /** By namespace, in the words of the side that is renamed. */
  readonly segments: Tables;
  readonly parameters: Words;
  /** By parameter, in the words of the side that is renamed. */
  readonly enumValues: Tables;
  readonly metaKeys: Words;
}

/** A built-in vocabulary, from neutral words to a vendor's: read by itself, so that no code of the contract is trusted. */
export function readRenaming(vocabulary: string): Renaming {
  const path = join(import.meta.dirname, '..', 'specs', 'vocabularies', `${vocabulary}.json`);
  const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return {
    namespaces: wordsOf(member(file, 'namespaces')),
    segments: tablesOf(member(file, 'segments')),
    parameters: wordsOf(member(file, 'parameters')),
    enumValues: tablesOf(member(file, 'enumValues')),
    metaKeys: wordsOf(member(file, 'metaKeys')),
  };
}

/** The way back. */
export function inverse(renaming: Renaming): Renaming {
  const { namespaces, segments, parameters, enumValues, metaKeys } = renaming;
  const keyed = (tables: Tables, names: Words): Tables =>
    Object.fromEntries(Object.entries(tables).map(([key, words]) => [names[key] ?? key, back(words)]));
  return {
    namespaces: back(namespaces),
    segments: keyed(segments, namespaces),
    parameters: back(parameters),
    enumValues: keyed(enumValues, parameters),
    metaKeys: back(metaKeys),
  };
}

/** A route, or the pattern of one, in the words of the other side. */
export function renameRoute(route: string, { namespaces, segments }: Renaming): string {
  const namespace = Object.keys(namespaces)
    .filter((name) => route === `/${name}` || route.startsWith(`/${name}/`))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
  if (namespace === '') return route;
  const rest = route.slice(namespace.length + 1).split('/');
  return `/${namespaces[namespace]}${rest.map((part) => segments[namespace]?.[part] ?? part).join('/')}`;
}

/** The value of an argument in the words of the other side: values of enums, the namespace of a root, keys of meta. */
export function renameValue(name: string, value: unknown, renaming: Renaming): unknown {
  const words = name === 'namespace' ? renaming.namespaces : renaming.enumValues[name];
  const rename = (one: unknown): unknown => (typeof one === 'string' ? (words?.[one] ?? one) : one);
  if (Array.isArray(value)) return value.map(rename);
  return name === 'meta' && isObject(value) ? renameKeys(value, renaming.metaKeys) : rename(value);
}

/** Arguments by name, in the words of the other side. */
export function renameArguments(given: object, renaming: Renaming): Record<string, unknown> {
  const values = Object.entries(given).map(([name, value]) => [name, renameValue(name, value, renaming)]);
  return renameKeys(Object.fromEntries(values), renaming.parameters);
}

/** The pairs of a query or of a form, in the words of the other side. */
export function renamePairs(pairs: URLSearchParams, renaming: Renaming): URLSearchParams {
  return new URLSearchParams(
    [...pairs].map(([name, value]): [string, string] => {
      const [first = '', key] = name.split(/[[\]]/);
      const own = first === 'meta' && key !== undefined ? (renaming.metaKeys[key] ?? key) : key;
      const rest = own === undefined ? '' : name.slice(first.length).replace(`[${key}]`, `[${own}]`);
      return [`${renaming.parameters[first] ?? first}${rest}`, String(renameValue(first, value, renaming))];
    }),
  );
}

/** The same values under other keys. */
export function renameKeys(object: object, words: Words): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [words[key] ?? key, value]));
}

/** A word that the other side does not have means nothing there. */
function back(words: Words): Words {
  const known = Object.entries(words);
  return Object.fromEntries([
    ...known.map(([own]) => [own, `not-${own}`]),
    ...known.map(([own, other]) => [other, own]),
  ]);
}

function wordsOf(json: unknown): Words {
  if (!isObject(json)) return {};
  return Object.fromEntries(Object.entries(json).map(([own, other]) => [own, String(other)]));
}

function tablesOf(json: unknown): Tables {
  if (!isObject(json)) return {};
  return Object.fromEntries(Object.entries(json).map(([key, words]) => [key, wordsOf(words)]));
}
