import assert from 'node:assert/strict';
import { isJson, isObject, type JsonObject } from '../../reference/json.ts';
import type { Operation, ResourceKind } from '../../reference/load-contract.ts';
import { type Behaviour, type Call, Text } from '../../reference/site.ts';
import type { StoredRecord } from '../../reference/store.ts';
import type { Alteration } from '../alteration.ts';
import type { Arg, Entry, IndexDocument } from '../declarations.ts';
import { type Wrapper, wrappedRoles } from '../handling.ts';

/** An answer of the healthy site, on its way to the caller. */
export interface Passing {
  readonly method: string;
  readonly route: string;
  readonly anonymous: boolean;
  status: number;
  readonly headers: Record<string, string>;
  json: unknown;
}

/** What a site does otherwise where the specification is silent. */
export interface Change {
  /** In the index. */
  readonly index?: (index: IndexDocument) => void;
  /** In any other answer. */
  readonly answer?: (passing: Passing) => void;
  /** In what it does. */
  readonly behaviour?: (behaviour: Behaviour) => Partial<Behaviour>;
  /** What a caller sees in that place and no other; the index where it is left out. Every call has a fresh site. */
  readonly shows?: (ask: Ask) => Promise<unknown>;
  /** The one deployment that has the place; every one where it is left out. */
  readonly deployment?: 'b';
}

/** A site that does otherwise in all places that some changes are about. */
export function otherwise(changes: readonly Change[]): Alteration {
  return {
    id: 'otherwise',
    title: `the site does otherwise in ${changes.length} places where the specification is silent`,
    behaviour: (usual) => {
      let site = usual;
      for (const change of changes) site = { ...site, ...change.behaviour?.(site) };
      return { ...site, send: (...sent) => sendOtherwise(changes, usual.send, ...sent) };
    },
  };
}

function sendOtherwise(
  changes: readonly Change[],
  send: Behaviour['send'],
  ...[message, response, { status, headers, body }]: Parameters<Behaviour['send']>
): ReturnType<Behaviour['send']> {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (body instanceof Text || message.method === 'HEAD')
    return send(message, response, { status, headers, body });
  const route = new URL(message.url ?? '/', 'http://127.0.0.1').searchParams.get('rest_route') ?? '';
  const passing: Passing = {
    method: message.method ?? 'GET',
    route,
    anonymous: message.headers.authorization === undefined,
    status,
    headers: lower,
    json: structuredClone(body),
  };
  for (const change of changes) {
    if (route !== '/') change.answer?.(passing);
    else if (isIndex(passing.json)) change.index?.(passing.json);
  }
  const json = isJson(passing.json) ? passing.json : null;
  return send(message, response, { status: passing.status, headers: passing.headers, body: json });
}

function isIndex(json: unknown): json is IndexDocument {
  return isObject(json) && 'routes' in json && 'namespaces' in json;
}

/** Changes every declaration of a parameter, those inside of others too. */
export function eachArg(index: IndexDocument, change: (arg: Arg, entry: Entry) => void): void {
  const inside = (arg: Arg, entry: Entry): void => {
    for (const inner of Object.values(arg.properties ?? {})) inside(inner, entry);
    if (arg.items !== undefined) inside(arg.items, entry);
    change(arg, entry);
  };
  for (const entry of Object.values(index.routes)) {
    for (const { args } of entry.endpoints) for (const arg of Object.values(args)) inside(arg, entry);
  }
}

/** The declarations of a parameter on the routes whose pattern fits; there is one at least. */
export function argsOf(index: IndexDocument, pattern: RegExp, name: string): Arg[] {
  const found = Object.entries(index.routes)
    .filter(([route]) => pattern.test(route))
    .flatMap(([, { endpoints }]) => endpoints)
    .map(({ args }) => args[name])
    .filter((arg) => arg !== undefined);
  assert(found.length > 0, `no route like ${pattern.source} declares ${name}`);
  return found;
}

/** A request of a demonstration. */
interface Asked {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Without credentials; the administrator asks otherwise. */
  readonly anonymous?: boolean;
}

/** What came back, the address of the site as `{site}`. */
export interface SeenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

/** Sends one request to a site; whatever is answered is seen. */
export type Ask = (asked: Asked) => Promise<SeenAnswer>;

/** A site that can be asked. */
interface AskedSite {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Asks a site as its administrator, or as nobody. @throws when the answer is empty or no JSON */
export function askOf(site: AskedSite): Ask {
  const authorization = `Basic ${Buffer.from(`${site.user}:${site.password}`).toString('base64')}`;
  return async ({ method = 'GET', route, query = {}, body, anonymous = false }) => {
    const address = new URL('/index.php', site.url);
    address.searchParams.set('rest_route', route);
    for (const [name, value] of Object.entries(query)) {
      address.searchParams.set(name, value.replaceAll('{site}', site.url));
    }
    const answer = await fetch(address, {
      method,
      headers: {
        ...(anonymous ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body).replaceAll('{site}', site.url) }),
    });
    const text = await answer.text();
    assert(text !== '', `no body for ${route}`);
    const json: unknown = JSON.parse(text.replaceAll(site.url, '{site}'));
    return { status: answer.status, headers: answer.headers, json };
  };
}

/** Which operations are meant. */
type Meant = (operation: Operation) => boolean;

/** A behaviour in which a wrapper stands before the handlers of those operations on resources that are meant. */
export function wrapped(usual: Behaviour, meant: Meant, wrapper: Wrapper): Partial<Behaviour> {
  return {
    roles: wrappedRoles(usual, (call, next) => (meant(call.operation) ? wrapper(call, next) : next(call))),
  };
}

/** Those of some roles on resources of one kind. */
export function on(kind: ResourceKind, ...roles: readonly string[]): Meant {
  return ({ resource, role = '' }) => resource?.kind === kind && roles.includes(role);
}

/** A behaviour that changes a record once it was written, and answers it as it is then. */
export function settling(
  usual: Behaviour,
  meant: Meant,
  settle: (record: StoredRecord, args: JsonObject) => void,
): Partial<Behaviour> {
  return wrapped(usual, meant, async (call, next) => {
    const done = await next(call);
    const body = isObject(done.body) ? done.body : {};
    const record = typeof body.id === 'number' ? call.site.store.get(body.id) : undefined;
    if (record === undefined) return done;
    settle(record, call.args);
    return { ...done, body: { ...body, status: record.status, slug: record.slug } };
  });
}

/** A behaviour that looks at what is given to an operation, and may change or refuse it, before it is checked. */
export function rereading(
  usual: Behaviour,
  read: (given: JsonObject, asked: Parameters<Behaviour['readArguments']>[2]) => JsonObject,
): Partial<Behaviour> {
  return {
    readArguments: (parameters, given, asked) => usual.readArguments(parameters, read(given, asked), asked),
  };
}

/** The record that the path parameter of a route names. */
export function recordOf({ site, args }: Call): StoredRecord | undefined {
  return typeof args.id === 'number' ? site.store.get(args.id) : undefined;
}
