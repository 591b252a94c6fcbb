import { toList } from './arguments.ts';
import { requireAccount } from './calls.ts';
import { emptyObjectsAsArrays, isJson, isObject, type Json, type JsonObject, mapped, text } from './json.ts';
import { type Contract, type Operation, routePattern } from './load-contract.ts';
import { type ApiRequest, demand, parseQuery, Refusal, routeOf } from './request.ts';
import { isSchema, type Parameters, type Schema } from './schema.ts';
import {
  type Answer,
  answer,
  type Call,
  type Endpoint,
  type Entry,
  type Handler,
  type IndexDocument,
  type Site,
  Text,
} from './site.ts';

/** Answers a request in the order of real software: route, JSON, required arguments, validity, permission, meaning. */
export async function dispatch(site: Site, request: ApiRequest): Promise<Answer> {
  if (request.method === 'OPTIONS') return describeRoute(site, request);
  return finish(await perform(() => prepare(site, request)), request);
}

/** Runs the handler of a call. @param prepared makes the call, or refuses it */
async function perform(prepared: () => Call): Promise<Answer> {
  try {
    const call = prepared();
    return await handlerOf(call.site, call.operation)(call);
  } catch (failure) {
    if (failure instanceof Refusal) return refused(failure);
    throw failure;
  }
}

function refused({ body, status }: Refusal): Answer {
  return answer(body, status);
}

/**
 * Does everything before the handler: finds the operation and reads valid arguments.
 * @param admit checks the operation before its arguments are read, and may throw
 * @throws Refusal 404 without a route, 400 for broken JSON and missing or invalid arguments
 */
function prepare(site: Site, request: ApiRequest, admit: (operation: Operation) => void = () => {}): Call {
  const { operation, pathParameters } = match(site, request);
  admit(operation);
  demand(!request.brokenJson, 'rest_invalid_json', 'Invalid JSON body passed.', 400);
  const given = collectParameters(request, pathParameters);
  const args = site.behaviour.readArguments(operation.parameters, given, { site, operation, request });
  return { site, operation, request, args };
}

/** A JSON body overrides a form body, that the query, and that the path. Null counts as absent. */
function collectParameters(request: ApiRequest, pathParameters: Record<string, string>): JsonObject {
  const collected: JsonObject = {};
  for (const layer of [pathParameters, request.query, request.form, request.json ?? {}]) {
    for (const [name, value] of Object.entries(layer)) if (value !== null) collected[name] = value;
  }
  return collected;
}

function match(site: Site, request: ApiRequest): Match {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = candidates(site, request.route).find(({ operation }) => operation.methods.includes(method));
  demand(found, 'rest_no_route', 'No route was found matching the URL and request method.', 404);
  return found;
}

type Match = { readonly operation: Operation; readonly pathParameters: Record<string, string> };

/** Cached by route, because runs repeat routes. */
const MATCHES = new WeakMap<Contract, Map<string, readonly Match[]>>();

function candidates({ contract }: Site, route: string): readonly Match[] {
  const known = MATCHES.get(contract) ?? new Map<string, readonly Match[]>();
  MATCHES.set(contract, known);
  const found = known.get(route) ?? matchAll(contract, route);
  known.set(route, found);
  return found;
}

function matchAll({ operations }: Contract, route: string): Match[] {
  const count = ({ pathParameters }: Match): number => Object.keys(pathParameters).length;
  return operations
    .flatMap((operation) => {
      const pathParameters = matchRoute(operation, route);
      return pathParameters ? [{ operation, pathParameters }] : [];
    })
    .toSorted((one, other) => count(one) - count(other));
}

const EXPRESSIONS = new WeakMap<Operation, RegExp>();

/** Matches a whole route against `operation`, ignoring case as real software does. @returns the path parameters */
function matchRoute(operation: Operation, route: string): Record<string, string> | undefined {
  const expression =
    EXPRESSIONS.get(operation) ?? new RegExp(`^${routePattern(operation).replaceAll('(?P<', '(?<')}$`, 'i');
  EXPRESSIONS.set(operation, expression);
  const match = expression.exec(route);
  return match ? { ...match.groups } : undefined;
}

/** Answers OPTIONS with the route's entry of the index and the methods in `Allow`; empty without a route. */
function describeRoute(site: Site, request: ApiRequest): Answer {
  const [first] = candidates(site, request.route);
  if (!first) return answer([]);
  const pattern = routePattern(first.operation);
  const sharing = site.contract.operations.filter((operation) => routePattern(operation) === pattern);
  const methods = [...new Set(sharing.flatMap((operation) => operation.methods))];
  const entry = emptyObjectsAsArrays(routeEntry(pattern, sharing, site.url));
  return answer(entry, 200, { Allow: methods.join(', ') });
}

/** The handler of an operation: by its id, by its role on its resource, for namespace roots, or a plain success. */
export function handlerOf({ behaviour }: Site, { id, resource, role = '' }: Operation): Handler {
  const own = behaviour.handlers[id] ?? (resource && behaviour.roles[resource.kind][role]);
  return own ?? (id.endsWith('.root') ? readNamespace : success);
}

/** The answer of a plugin to a logged-in caller. It returns the arguments, so that clients see applied defaults. */
const success: Handler = (call) => {
  requireAccount(call);
  return answer({ success: true, arguments: call.args });
};

/** Applies `_fields`, which keeps the named members, and `_envelope`, which wraps status, headers and body. */
function finish(result: Answer, request: ApiRequest): Answer {
  const { _fields: fields, _envelope: envelope } = request.query;
  if (result.body instanceof Text) return result;
  const paths = toList(fields ?? []).map((field) => String(field).split('.'));
  const isCut = fields !== undefined && result.status < 300;
  const kept = isCut ? { ...result, body: keep(result.body, paths) } : result;
  return envelope === undefined ? kept : answer(wrap(kept));
}

function wrap({ status, headers, body }: Answer): JsonObject {
  return { body: body instanceof Text ? String(body.content) : body, status, headers };
}

function keep(body: Json, wanted: string[][]): Json {
  if (Array.isArray(body)) return body.map((member) => keep(member, wanted));
  if (!isObject(body)) return body;
  const kept = Object.entries(body).flatMap(([name, value]): [string, Json][] => {
    const matching = wanted.filter(([first]) => first === name);
    if (matching.length === 0) return [];
    if (matching.some((path) => path.length === 1)) return [[name, value]];
    const inner = matching.map((path) => path.slice(1));
    return [[name, keep(value, inner)]];
  });
  return Object.fromEntries(kept);
}

/**
 * Runs several requests in one (§4.2): 207 with their answers in order. Every part is validated before the first one
 * runs. With `require-all-validate`, none runs if one is invalid.
 */
export const runBatch: Handler = async (call) => {
  const parts = Array.isArray(call.args.requests) ? call.args.requests : [];
  const prepared = parts.map((part) => preparePart(call, part));
  const invalid = prepared.some((part) => part instanceof Refusal);
  if (invalid && call.args.validation === 'require-all-validate') {
    const responses = prepared.map((part) => (part instanceof Refusal ? wrap(refused(part)) : null));
    return answer({ failed: 'validation', responses }, 207);
  }
  const responses: JsonObject[] = [];
  for (const part of prepared) {
    responses.push(wrap(part instanceof Refusal ? refused(part) : await perform(() => part)));
  }
  return answer({ responses }, 207);
};

function preparePart(call: Call, part: Json): Call | Refusal {
  try {
    return prepare(call.site, partRequest(call.request, isObject(part) ? part : {}), requireBatchable);
  } catch (failure) {
    if (failure instanceof Refusal) return failure;
    throw failure;
  }
}

function requireBatchable({ batchable }: Operation): void {
  demand(batchable, 'rest_batch_not_allowed', 'The requested route does not support batch requests.', 400);
}

/** A part as a request of the same caller. Its path may have a query, and may be a whole address. */
function partRequest(whole: ApiRequest, part: JsonObject): ApiRequest {
  const [path = '', query = ''] = text(part.path, '')
    .replace(/^\w+:\/\/[^/]*/, '')
    .split('?');
  const headers = isObject(part.headers) ? Object.entries(part.headers) : [];
  return {
    method: text(part.method, 'POST').toUpperCase(),
    route: routeOf(path),
    query: parseQuery(query),
    form: isObject(part.body) ? part.body : {},
    json: undefined,
    brokenJson: false,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), String(value)])),
    bytes: new Uint8Array(),
    files: {},
    account: whole.account,
  };
}

interface SiteTexts {
  name: string;
  description: string;
  /** Address without a trailing slash. */
  url: string;
}

/** The address of a route in the form of §1. */
export function routeAddress(url: string, route: string): string {
  return `${url}/index.php?rest_route=${route}`;
}

/** The index of the site (§1), before empty objects become arrays. */
export function indexDocument(contract: Contract, texts: SiteTexts): IndexDocument {
  return {
    name: texts.name,
    description: texts.description,
    url: texts.url,
    home: texts.url,
    gmt_offset: '0',
    timezone_string: '',
    page_for_posts: 0,
    page_on_front: 0,
    show_on_front: 'posts',
    namespaces: [...contract.namespaces],
    authentication: {
      'application-passwords': {
        endpoints: { authorization: `${texts.url}/admin/authorize-application.php` },
      },
    },
    routes: routeEntries(contract.operations, texts.url),
    site_logo: 0,
    site_icon: 0,
    site_icon_url: '',
    _links: { help: [{ href: `${texts.url}/help/rest-interface` }] },
  };
}

function namespaceDocument(contract: Contract, namespace: string, url: string): JsonObject {
  const operations = contract.operations.filter((operation) => operation.namespace === namespace);
  return {
    namespace,
    routes: routeEntries(operations, url),
    _links: { up: [{ href: routeAddress(url, '/') }] },
  };
}

function routeEntries(operations: readonly Operation[], url: string): IndexDocument['routes'] {
  const byRoute = Map.groupBy(operations, routePattern);
  return Object.fromEntries(
    [...byRoute].map(([pattern, sharing]) => [pattern, routeEntry(pattern, sharing, url)]),
  );
}

/** One entry of `routes`: the operations of a route, one endpoint each. */
function routeEntry(pattern: string, operations: readonly Operation[], url: string): Entry {
  const entry: Entry = {
    namespace: operations[0]?.namespace ?? '',
    methods: [...new Set(operations.flatMap(({ methods }) => methods))],
    endpoints: operations.map(endpoint),
  };
  // A route with path parameters has no single address (R19).
  if (!pattern.includes('(?P<')) entry._links = { self: [{ href: routeAddress(url, pattern) }] };
  return entry;
}

function endpoint(operation: Operation): Endpoint {
  return {
    methods: [...operation.methods],
    ...(operation.batchable ? { allow_batch: { v1: true } } : {}),
    args: describeParameters(operation.parameters),
  };
}

/** The `args` of an endpoint in the index, without our annotations (`x-…`); nested `required` is a boolean (R28). */
function describeParameters(parameters: Parameters): Endpoint['args'] {
  return mapped(parameters.properties, (schema, name) => ({
    ...describeSchema(schema),
    required: parameters.required.includes(name),
  }));
}

/** What the index shows for keywords that it does not have under their name, or with another value. */
const SHOWN: Readonly<Record<string, (schema: Schema, value: unknown) => JsonObject>> = {
  required: () => ({}),
  properties: (schema) => ({ properties: describeMembers(schema) }),
  readOnly: ({ readOnly = false }) => ({ readonly: readOnly }),
  'x-contexts': ({ 'x-contexts': context = [] }) => ({ context: [...context] }),
  'x-variants': ({ 'x-variants': variants = [] }) => ({ oneOf: variants.map(describeSchema) }),
  'x-published': (_, value) => (isJson(value) && isObject(value) ? structuredClone(value) : {}),
};

function describeSchema(schema: Schema): JsonObject {
  const shown: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const isOwn = keyword.startsWith('$') || keyword.startsWith('x-');
    const other = SHOWN[keyword];
    if (other !== undefined) Object.assign(shown, other(schema, value));
    else if (!isOwn) shown[keyword] = describeValue(keyword, value);
  }
  return shown;
}

function describeMembers(schema: Schema): JsonObject {
  return mapped(schema.properties ?? {}, (member, name) => {
    const described = describeSchema(member);
    if (schema.required?.includes(name)) described.required = true;
    return described;
  });
}

function describeValue(keyword: string, value: unknown): Json {
  if (keyword === 'oneOf' || keyword === 'anyOf') {
    return Array.isArray(value) ? value.filter(isSchema).map(describeSchema) : [];
  }
  const nested = keyword === 'items' || keyword === 'additionalProperties';
  if (nested && isSchema(value)) return describeSchema(value);
  // A copy, because alterations change the index, and sites share the contract.
  return isJson(value) ? structuredClone(value) : null;
}

/** Answers the index (§1). */
export const readIndex: Handler = ({ site, args }) => {
  const texts = { name: site.title, description: 'A site in memory', url: site.url };
  const document = indexDocument(site.contract, texts);
  site.behaviour.declare(document);
  return answer(inContext(args, emptyObjectsAsArrays(document)));
};

/** Answers the root of a namespace (§4.1), or of the one in the argument `namespace`. */
const readNamespace: Handler = ({ site, args }) => {
  const namespace = String(args.namespace);
  const isKnown = site.contract.namespaces.includes(namespace);
  demand(isKnown, 'rest_invalid_namespace', 'The specified namespace could not be found.', 404);
  return answer(inContext(args, emptyObjectsAsArrays(namespaceDocument(site.contract, namespace, site.url))));
};

/** Real software adds more in the context `help`. */
function inContext(args: JsonObject, document: Json): Json {
  return args.context === 'help' && isObject(document) ? { ...document, help: true } : document;
}
