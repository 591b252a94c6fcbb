import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proxiedSite, withJson } from './proxied-site.fixture.ts';
import { forward, jsonOf, type ProxyAnswer, type ProxyRequest } from './proxy.ts';
import { isObject, member } from './reference/json.ts';
import type { Served } from './reference/serve.ts';

type Words = Readonly<Record<string, string>>;
type Tables = Readonly<Record<string, Words>>;

/** Words of one side, each with the word of the other side. Missing words stay unchanged. */
export interface Renaming {
  readonly namespaces: Words;
  /** By namespace, in the words of the renamed side. */
  readonly segments: Tables;
  readonly parameters: Words;
  /** By parameter, in the words of the renamed side. */
  readonly enumValues: Tables;
  readonly metaKeys: Words;
}

/**
 * Reads a built-in vocabulary, from neutral words to a vendor's. It does not use the code of the contract, so that it
 * cannot share its mistakes.
 */
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

/** The reverse renaming. */
function inverse(renaming: Renaming): Renaming {
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

/** A route or its pattern in the words of the other side. */
function renameRoute(route: string, { namespaces, segments }: Renaming): string {
  const namespace = Object.keys(namespaces)
    .filter((name) => route === `/${name}` || route.startsWith(`/${name}/`))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
  if (namespace === '') return route;
  const rest = route.slice(namespace.length + 1).split('/');
  return `/${namespaces[namespace]}${rest.map((part) => segments[namespace]?.[part] ?? part).join('/')}`;
}

/** The value of an argument in the words of the other side: enum values, the namespace of a root, meta keys. */
function renameValue(name: string, value: unknown, renaming: Renaming): unknown {
  const words = name === 'namespace' ? renaming.namespaces : renaming.enumValues[name];
  const rename = (one: unknown): unknown => (typeof one === 'string' ? (words?.[one] ?? one) : one);
  if (Array.isArray(value)) return value.map(rename);
  return name === 'meta' && isObject(value) ? renameKeys(value, renaming.metaKeys) : rename(value);
}

/** Arguments by name, in the words of the other side. */
function renameArguments(given: object, renaming: Renaming): Record<string, unknown> {
  const values = Object.entries(given).map(([name, value]) => [name, renameValue(name, value, renaming)]);
  return renameKeys(Object.fromEntries(values), renaming.parameters);
}

/** The pairs of a query or form in the words of the other side. */
function renamePairs(pairs: URLSearchParams, renaming: Renaming): URLSearchParams {
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
function renameKeys(object: object, words: Words): Record<string, unknown> {
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

/** The vocabularies of requests and answers. */
interface Sides {
  readonly toNeutral: Renaming;
  readonly toVendor: Renaming;
}

/** A reference deployment that uses only the words of a vendor. */
export function renamedSite(
  deployment: string,
  toVendor: Renaming,
): Promise<Pick<Served, 'url' | 'user' | 'password' | 'close'>> {
  const sides = { toVendor, toNeutral: inverse(toVendor) };
  return proxiedSite({ deployment }, (asked) => translate(asked, sides));
}

async function translate(asked: ProxyRequest, { toNeutral, toVendor }: Sides): Promise<ProxyAnswer> {
  const url = new URL(asked.url);
  const route = url.searchParams.get('rest_route') ?? '';
  url.searchParams.delete('rest_route');
  const query = renamePairs(url.searchParams, toNeutral);
  url.search = '';
  if (route !== '') url.searchParams.set('rest_route', renameRoute(route, toNeutral));
  for (const [name, value] of query) url.searchParams.append(name, value);
  const body = renameBody(String(asked.headers['content-type'] ?? ''), asked.body, toNeutral);
  const answer = await forward({ ...asked, url, body });
  const json = jsonOf(answer.body);
  return json === undefined ? answer : withJson(answer, renameAnswer(json, toVendor));
}

function renameBody(type: string, body: Buffer, renaming: Renaming): Buffer {
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Buffer.from(renamePairs(new URLSearchParams(body.toString('utf8')), renaming).toString());
  if (!type.startsWith('application/json')) return body;
  // The site refuses invalid JSON itself.
  const json = jsonOf(body);
  return isObject(json) ? Buffer.from(JSON.stringify(renameCall(json, renaming))) : body;
}

/** Renames arguments, and those of the parts of a batch with their paths. */
function renameCall(call: object, renaming: Renaming): object {
  const parts = member(call, 'requests');
  if (!Array.isArray(parts)) return renameArguments(call, renaming);
  const requests = parts.map((part: unknown) => {
    const path = member(part, 'path');
    const body = member(part, 'body');
    if (!isObject(part)) return part;
    return {
      ...part,
      ...(typeof path === 'string' && { path: renamePath(path, renaming) }),
      ...(isObject(body) && { body: renameArguments(body, renaming) }),
    };
  });
  return { ...call, requests };
}

function renamePath(path: string, renaming: Renaming): string {
  const [route = '', query] = path.split('?');
  const renamed = renameRoute(route, renaming);
  return query === undefined ? renamed : `${renamed}?${renamePairs(new URLSearchParams(query), renaming)}`;
}

/** Renames an answer that has parts of the index (§1) or fields of records. */
function renameAnswer(json: unknown, renaming: Renaming): unknown {
  if (Array.isArray(json)) return json.map((item: unknown) => renameAnswer(item, renaming));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, renameMember(name, value, renaming)]),
  );
}

function renameMember(name: string, value: unknown, renaming: Renaming): unknown {
  if (name === 'namespaces' && Array.isArray(value)) return renameValue('namespace', value, renaming);
  if (name === 'namespace') return renameValue('namespace', value, renaming);
  if (name === 'routes' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([route, entry]) => [
        renameRoute(route, renaming),
        renameAnswer(entry, renaming),
      ]),
    );
  }
  if (name === 'args' && isObject(value)) return renameDeclarations(value, renaming);
  if (name === 'meta' && isObject(value)) return renameKeys(value, renaming.metaKeys);
  if (name === 'href' && typeof value === 'string')
    return value.replace(/(?<=rest_route=)[^&#]*/, (route) => renameRoute(route, renaming));
  return renameAnswer(value, renaming);
}

/** Renames descriptions of parameters: their names and values. */
function renameDeclarations(args: object, renaming: Renaming): object {
  const described = Object.entries(args).map(([name, arg]) => [name, renameDeclared(name, arg, renaming)]);
  return renameKeys(Object.fromEntries(described), renaming.parameters);
}

function renameDeclared(name: string, declared: unknown, renaming: Renaming): unknown {
  if (!isObject(declared)) return declared;
  const { enum: values, default: usual, items, properties } = declared;
  return {
    ...declared,
    ...(values !== undefined && { enum: renameValue(name, values, renaming) }),
    ...(usual !== undefined && { default: renameValue(name, usual, renaming) }),
    ...(items !== undefined && { items: renameDeclared(name, items, renaming) }),
    ...(name === 'meta' && isObject(properties) && { properties: renameKeys(properties, renaming.metaKeys) }),
  };
}
