import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Contract, Operation } from './load-contract.ts';
import type { Account, ApiRequest } from './request.ts';
import type { Parameters, ResourceKind } from './schema.ts';
import type { Store, StoredRecord } from './store.ts';

/** The answer of a route. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Printed as JSON, unless it is a `Text`. */
  body: Json | Text;
}

/** A body that is not JSON. */
export class Text {
  readonly type: string;
  readonly content: string | Uint8Array;

  /** @param type the `Content-Type` */
  constructor(type: string, content: string | Uint8Array) {
    this.type = type;
    this.content = content;
  }
}

/** A plain answer with a JSON body. */
export function answer(body: Json, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers, body };
}

/** A running reference deployment: everything that its routes use. */
export interface Site {
  contract: Contract;
  accounts: readonly Account[];
  store: Store;
  behaviour: Behaviour;
  /** The current time in milliseconds since 1970. */
  now: () => number;
  /** Address without a trailing slash. */
  url: string;
  title: string;
}

/** A request with its operation and valid arguments. */
export interface Call {
  site: Site;
  operation: Operation;
  request: ApiRequest;
  /** Arguments in their declared types, with defaults. */
  args: JsonObject;
}

/** Answers a call: checks permission, then meaning. Throws a `Refusal` to refuse. */
export type Handler = (call: Call) => Answer | Promise<Answer>;

/** What a filter needs besides the record and its own value. */
export interface ListQuery {
  /** All arguments of the list, validated and typed. */
  args: Record<string, Json>;
  /** Whether the caller is logged in. */
  known: boolean;
}

/** Whether a record passes the filter of a parameter with this value. */
export type Filter = (record: StoredRecord, value: Json, query: ListQuery) => boolean;

/** A comparison for a list in ascending order, and whether `order=desc` reverses it. */
export interface Order {
  compare: (query: ListQuery) => (one: StoredRecord, other: StoredRecord) => number;
  turns: boolean;
}

/** Writes the value of one parameter into a record. */
export type Writer = (record: StoredRecord, value: Json, site: Site) => Partial<StoredRecord>;

/** What arguments are read for. */
export type Asked = Pick<Call, 'site' | 'operation' | 'request'>;

/** A parameter in the index (§1). */
export type Arg = {
  type?: string | string[];
  required?: Json;
  default?: Json;
  enum?: Json[];
  items?: Arg;
  oneOf?: Arg[];
  properties?: Record<string, Arg>;
  [keyword: string]: Json;
};

/** An endpoint of a route in the index. */
export type Endpoint = {
  methods: string[];
  args: Record<string, Arg>;
  allow_batch?: Json;
  [member: string]: Json;
};

/** A route in the index. */
export type Entry = {
  namespace: string;
  methods: string[];
  endpoints: Endpoint[];
  _links?: Json;
  [member: string]: Json;
};

/** The index. */
export type IndexDocument = {
  namespaces: string[];
  routes: Record<string, Entry>;
  [member: string]: Json;
};

/** The parts of a site that can be replaced one by one. */
export interface Behaviour {
  /** The account that the headers of a request prove. */
  authenticate: (headers: Record<string, string>, accounts: readonly Account[]) => Account | undefined;
  /** Sends the answer to an HTTP request. */
  send: (message: IncomingMessage, response: ServerResponse, answer: Answer) => void | Promise<void>;
  /** Changes the index before it is shown; a healthy site shows what it does. */
  declare: (index: IndexDocument) => void;
  /** Validates and converts the arguments of an operation. */
  readArguments: (parameters: Parameters, given: JsonObject, asked: Asked) => JsonObject;
  /** By parameter name. A parameter without an entry does not filter. */
  filters: Readonly<Record<string, Filter>>;
  /** By value of `orderby`. */
  orders: Readonly<Record<string, Order>>;
  /** Contexts by member of a record, nested ones as `title.raw`. */
  contexts: Readonly<Record<string, readonly Context[]>>;
  /** By writable field. */
  writers: Readonly<Record<string, Writer>>;
  /** By operation id; they have precedence over roles. */
  handlers: Readonly<Record<string, Handler>>;
  /** By kind of resource and role of the operation. */
  roles: Readonly<Record<ResourceKind, Readonly<Record<string, Handler>>>>;
}

/** Replaces parts of a site. @param usual the site without it, possibly with other alterations */
export type Alter = (usual: Behaviour) => Partial<Behaviour>;

/** A context of a response (§2). */
export type Context = 'view' | 'embed' | 'edit';

/** All contexts. */
export const CONTEXT_NAMES: readonly Context[] = ['view', 'embed', 'edit'];

/** The contexts in which each member of a record appears. Other members appear in all. */
export const CONTEXTS: Readonly<Record<string, readonly Context[]>> = {
  ...shownIn(
    ['view', 'edit'],
    [
      ...['date_gmt', 'guid', 'modified', 'modified_gmt', 'status', 'class_list', 'content', 'template'],
      ...['comment_status', 'ping_status', 'sticky', 'format', 'meta', 'categories', 'tags', 'parent'],
      ...['menu_order', 'description', 'post', 'filename', 'filesize'],
    ],
  ),
  ...shownIn(
    ['edit'],
    [
      ...['guid.raw', 'title.raw', 'content.raw', 'excerpt.raw', 'description.raw', 'caption.raw'],
      ...['password', 'permalink_template', 'generated_slug', 'content.block_version', 'missing_image_sizes'],
    ],
  ),
};

function shownIn(
  contexts: readonly Context[],
  members: readonly string[],
): Record<string, readonly Context[]> {
  return Object.fromEntries(members.map((name) => [name, contexts]));
}

/** A record without the members that `context` does not show. */
export function forContext(
  record: JsonObject,
  context: Context,
  contexts: Readonly<Record<string, readonly Context[]>>,
  prefix = '',
): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(record)) {
    const path = `${prefix}${name}`;
    if (contexts[path]?.includes(context) === false) continue;
    shown[name] =
      prefix === '' && isObject(value) && name !== 'meta'
        ? forContext(value, context, contexts, `${name}.`)
        : value;
  }
  return shown;
}

/** Sends an answer, without headers that have no value. For HEAD, sends only the headers. */
export function respond(method: string | undefined, response: ServerResponse, answer: Answer): void {
  const text = answer.body instanceof Text ? answer.body.content : JSON.stringify(answer.body);
  const type = answer.body instanceof Text ? answer.body.type : 'application/json; charset=UTF-8';
  const headers = {
    'Content-Type': type,
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
    ...answer.headers,
  };
  const sent = Object.entries(headers).filter(([, value]) => value !== '');
  response.writeHead(answer.status, Object.fromEntries(sent));
  response.end(method === 'HEAD' ? undefined : text);
}
