import { forward, jsonOf, type ProxyAnswer, type ProxyRequest, proxiedSite, withJson } from './proxy.ts';
import { isObject, member } from './reference/json.ts';
import type { Served } from './reference/serve.ts';
import {
  inverse,
  type Renaming,
  renameArguments,
  renameKeys,
  renamePairs,
  renameRoute,
  renameValue,
} from './renaming.ts';

/** A site with two vocabularies: what it is asked in, and what it answers in. */
interface Sides {
  readonly toNeutral: Renaming;
  readonly toVendor: Renaming;
}

/** A reference deployment that speaks the words of a vendor and understands no other. */
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
  // What is no JSON is for the site to refuse.
  const json = jsonOf(body);
  return isObject(json) ? Buffer.from(JSON.stringify(renameCall(json, renaming))) : body;
}

/** Arguments, and those of the parts of a batch with their paths. */
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

/** Wherever an answer is of the index (§1) or shows the fields of records, in the words of the vendor. */
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

/** The descriptions of parameters: their names, and what their values are called. */
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
