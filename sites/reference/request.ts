import type { IncomingMessage } from 'node:http';
import { isObject, type Json, type JsonObject, mapped } from './json.ts';

/** Thrown to refuse a request. The server answers in the error format of real software. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: JsonObject;

  /** @param code such as `rest_no_route` @param status of HTTP @param details further members of `data` */
  constructor(code: string, message: string, status: number, details: JsonObject = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** The body of the answer. */
  get body(): JsonObject {
    return { code: this.code, message: this.message, data: { status: this.status, ...this.details } };
  }
}

/** Refuses a request unless something holds. @throws Refusal with the rest */
export function demand(holds: unknown, ...refusal: ConstructorParameters<typeof Refusal>): asserts holds {
  if (!holds) throw new Refusal(...refusal);
}

/** An account. */
export interface Account {
  id: number;
  login: string;
  name: string;
  /** Application password; blanks are ignored. */
  password: string;
}

/** Accounts of the reference deployment. The passwords are public, because it listens on loopback only. */
export const ACCOUNTS: readonly Account[] = [
  { id: 1, login: 'admin', name: 'Administrator', password: 'open sesame admin' },
  { id: 2, login: 'editor', name: 'Editor', password: 'open sesame editor' },
];

interface UploadedFile {
  name: string;
  bytes: Uint8Array;
}

/** One request to a route, from HTTP or from a part of a batch. */
export interface ApiRequest {
  /** Upper case, after method overrides. */
  method: string;
  /** Starts with `/`, without a trailing slash unless it is the index. */
  route: string;
  query: JsonObject;
  form: JsonObject;
  /** Parameters of a JSON body, undefined when there is none. */
  json: JsonObject | undefined;
  /** Whether a JSON body is not valid JSON. */
  brokenJson: boolean;
  /** Names in lower case. */
  headers: Record<string, string>;
  bytes: Uint8Array;
  files: Record<string, UploadedFile>;
  /** The caller; undefined for anonymous. */
  account: Account | undefined;
}

/** The route in the value of `rest_route`. A trailing slash does not matter. */
export function routeOf(text: string): string {
  const trimmed = text.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed;
}

/** Parses the parameters of a JSON body: undefined for an empty text, `broken` for invalid JSON. */
function parseJsonBody(text: string): JsonObject | 'broken' | undefined {
  if (text === '') return undefined;
  try {
    const value: Json = JSON.parse(text);
    if (isObject(value)) return value;
    // A list is a map of numbers to members. A lone value has no parameters.
    return Array.isArray(value) ? Object.fromEntries(value.entries()) : {};
  } catch {
    return 'broken';
  }
}

interface Tree {
  [key: string]: Tree | string;
}

function emptyTree(): Tree {
  return Object.create(null);
}

/**
 * Parses name-value pairs as PHP does: `a[]=1&a[]=2` and `a[0]=1` are lists, and `a[b]=1` is an object. The last of two
 * equal plain names wins. Blanks and dots in a name become underscores. All values are strings.
 */
function parsePairs(pairs: Iterable<readonly [string, string]>): JsonObject {
  const root = emptyTree();
  for (const [name, value] of pairs) {
    const open = name.indexOf('[');
    const first = (open > 0 ? name.slice(0, open) : name).replaceAll(/[ .]/g, '_');
    if (first === '') continue;
    const inner = open > 0 ? name.slice(open) : '';
    const steps = [...inner.matchAll(/\[([^\]]*)\]/g)].map(([, step = '']) => step);
    put(root, [first, ...steps], value);
  }
  const parsed = plain(root);
  return isObject(parsed) ? parsed : {};
}

/** Parses a query or a form body in the same way. */
export function parseQuery(text: string): JsonObject {
  return parsePairs(new URLSearchParams(text));
}

function put(into: Tree, [step = '', ...rest]: string[], value: string): void {
  const key = step === '' ? nextIndex(into) : step;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const known = into[key];
  const child = typeof known === 'object' ? known : emptyTree();
  into[key] = child;
  put(child, rest, value);
}

function nextIndex(tree: Tree): string {
  const indexes = Object.keys(tree).filter((key) => /^\d+$/.test(key));
  return String(indexes.length === 0 ? 0 : Math.max(...indexes.map(Number)) + 1);
}

function plain(tree: Tree | string, depth = 0): Json {
  if (typeof tree === 'string') return tree;
  const entries = Object.entries(tree);
  const isList = depth > 0 && entries.every(([key], position) => key === String(position));
  if (isList) return entries.map(([, member]) => plain(member, depth + 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, plain(member, depth + 1)]));
}

const NOTHING = new Uint8Array();
/** Larger bodies are refused. Real sites accept 8 MB or more. */
const BODY_LIMIT = 16 * 1024 * 1024;

/**
 * Reads an HTTP request to the interface: its body, its parameters, the caller, and the method (`_method` in the query,
 * otherwise the header `X-HTTP-Method-Override`, otherwise that of HTTP).
 * @param route value of `rest_route`
 * @param query parameters of the address, with `rest_route`
 * @param authenticateBy finds the account by the headers, with lower-case names
 * @throws Refusal 413 if the body is too large
 */
export async function readRequest(
  message: IncomingMessage,
  route: string,
  query: JsonObject,
  authenticateBy: (headers: ApiRequest['headers']) => Account | undefined,
): Promise<ApiRequest> {
  const headers = mapped(message.headers, (value) => [value ?? ''].flat().join(', '));
  const bytes = await readBytes(message);
  const override = query._method ?? headers['x-http-method-override'];
  const { rest_route: _, ...parameters } = query;
  return {
    method: (typeof override === 'string' ? override : (message.method ?? 'GET')).toUpperCase(),
    route: routeOf(route),
    query: parameters,
    headers,
    bytes,
    account: authenticateBy(headers),
    ...(await readBody(headers['content-type'] ?? '', bytes)),
  };
}

type Body = Pick<ApiRequest, 'form' | 'json' | 'brokenJson' | 'files'>;

async function readBody(contentType: string, bytes: Uint8Array): Promise<Body> {
  const media = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const none: Body = { form: {}, json: undefined, brokenJson: false, files: {} };
  if (/^application\/([\w!#$&^.+-]+\+)?json$/.test(media)) {
    const json = parseJsonBody(new TextDecoder().decode(bytes));
    return json === 'broken' ? { ...none, brokenJson: true } : { ...none, json };
  }
  if (media === 'application/x-www-form-urlencoded') {
    return { ...none, form: parseQuery(new TextDecoder().decode(bytes)) };
  }
  if (media === 'multipart/form-data') return { ...none, ...(await readMultipart(contentType, bytes)) };
  return none;
}

async function readMultipart(contentType: string, bytes: Uint8Array): Promise<Pick<Body, 'form' | 'files'>> {
  const fields: [string, string][] = [];
  const files: Record<string, UploadedFile> = {};
  try {
    const body = new Uint8Array(bytes);
    const data = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    for (const [name, value] of data) {
      if (typeof value === 'string') fields.push([name, value]);
      else files[name] = { name: value.name, bytes: await value.bytes() };
    }
  } catch {
    // As in PHP, an unreadable multipart body is empty.
  }
  return { form: parsePairs(fields), files };
}

async function readBytes(message: IncomingMessage): Promise<Uint8Array> {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  // Skips reading, because most requests have no body, and reading none takes as long as answering.
  if (length === undefined && encoding === undefined) return NOTHING;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    demand(size <= BODY_LIMIT, 'rest_body_too_large', 'The request body is too large.', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
