import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { forward, jsonOf, type ProxyAnswer, type ProxyRequest } from '../proxy.ts';
import { isObject, member, type UnknownObject } from '../reference/json.ts';
import type { Served } from '../reference/serve.ts';

/** What a hostile server can use in one run. */
export interface HostileContext {
  /** The address of the healthy site behind it, which takes the server's address for its own. */
  readonly behind: string;
  /** The user of the command line. */
  readonly user: string;
  readonly password: string;
  /** Another origin, which no request may reach. */
  readonly elsewhere: string;
  /** Its own address. */
  readonly url: string;
  /** The ids of the records that were there before the run, the oldest first. */
  readonly foreign: Readonly<Record<(typeof COLLECTIONS)[number], readonly number[]>>;
}

/** A user and a password for which all encodings differ. */
export const USER = 'hostile-tester';
export const PASSWORD = `Zq7 w"x<y&z>'/(tok)*!~é+pLm9 %kR`;

/** A received request. */
export interface Seen extends Pick<ProxyRequest, 'method' | 'body'> {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

function routeOf({ url }: Pick<Seen, 'url'>): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : (new URLSearchParams(url.slice(mark + 1)).get('rest_route') ?? '');
}

/** The collections that a run writes to. */
const COLLECTIONS = ['posts', 'pages', 'media'] as const;

/** The parts of a route: a collection, a record in it, and the rest. */
interface Subject {
  readonly collection: (typeof COLLECTIONS)[number];
  readonly id: number | undefined;
  readonly below: string;
}

/** Parses a route or path in neutral or WordPress words; undefined for other collections. */
export function subjectOf(path: string): Subject | undefined {
  const [, name, id, below = ''] = /^\/(?:cms|wp)\/v2\/(\w+)(?:\/(\d+)(\/[^?]*)?)?(?:$|\?)/.exec(path) ?? [];
  const collection = COLLECTIONS.find((one) => one === name);
  return collection && { collection, id: id === undefined ? undefined : Number(id), below };
}

/** The method and subject of a request, or of each part of a batch. */
export function partsOf(seen: Seen): { readonly method: string; readonly about: Subject | undefined }[] {
  const route = routeOf(seen);
  if (!route.startsWith('/batch/')) return [{ method: seen.method, about: subjectOf(route) }];
  const requests = member(jsonOf(seen.body), 'requests');
  if (!Array.isArray(requests)) return [];
  return requests.map((part: unknown) => {
    const [method, path] = [member(part, 'method'), member(part, 'path')];
    return { method: typeof method === 'string' ? method : 'POST', about: subjectOf(String(path)) };
  });
}

/** The header by which a user logs in. */
export function basic({ user, password }: Pick<Served, 'user' | 'password'>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** One request to a hostile server, and ways to answer it. */
export class Exchange {
  readonly seen: Seen;
  /** The value of `rest_route`. */
  readonly route: string;
  /** 1 for the first request of the run. */
  readonly nth: number;
  readonly stage: HostileContext;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;

  constructor(
    seen: Seen,
    nth: number,
    context: HostileContext,
    http: { message: IncomingMessage; response: ServerResponse },
  ) {
    this.seen = seen;
    this.route = routeOf(seen);
    this.nth = nth;
    this.stage = context;
    this.message = http.message;
    this.response = http.response;
  }

  /** The healthy site's answer to this request, or to a changed one. */
  async forward(changes: Partial<Seen> = {}): Promise<ProxyAnswer> {
    const seen = { ...this.seen, ...changes };
    const answer = await forward({ ...seen, url: new URL(`${this.stage.behind}${seen.url}`) });
    const { date: _, ...headers } = answer.headers;
    return { ...answer, headers };
  }

  /** Answers as the healthy site does. */
  async pass(): Promise<void> {
    this.send(await this.forward());
  }

  /** Sends an answer. */
  send({ status, headers, body }: ProxyAnswer): void {
    this.response.writeHead(status, headers);
    this.response.end(this.seen.method === 'HEAD' ? undefined : body);
  }

  /** Answers with a JSON text, or a value. */
  json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    this.send({ status, headers: { 'content-type': 'application/json', ...headers }, body });
  }

  /** Writes raw bytes instead of HTTP, and closes the connection unless it is kept. */
  raw(text: string | Buffer, keep: 'keep' | 'close' = 'close'): void {
    const { socket } = this.message;
    const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
    if (keep === 'keep') socket.write(bytes);
    else socket.end(bytes);
  }
}

/** Answers one request, or leaves it unanswered on purpose. */
export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Whether a request reads the list of posts, pages or media. */
export function isList({ seen, route }: Exchange): boolean {
  const about = subjectOf(route);
  return seen.method === 'GET' && about !== undefined && about.id === undefined;
}

/** Answers with a JSON text, or a value. */
export function json(...given: Parameters<Exchange['json']>): Handler {
  return (exchange) => exchange.json(...given);
}

/** Writes raw bytes instead of HTTP, and closes the connection. */
export function raw(text: string | Buffer): Handler {
  return (exchange) => exchange.raw(text);
}

/** Answers as a healthy site does, changed. */
export function answering(turn: (answer: ProxyAnswer, exchange: Exchange) => ProxyAnswer): Handler {
  return async (exchange) => exchange.send(turn(await exchange.forward(), exchange));
}

/** An answer with further headers. */
export function withHeaders(answer: ProxyAnswer, headers: ProxyAnswer['headers']): ProxyAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

/** What a request to posts, pages or media wants; `look` for anything that changes nothing. */
export function actionOf({
  route,
  seen: { method },
}: Exchange): 'create' | 'update' | 'delete' | 'batch' | 'look' {
  if (method === 'POST' && route === '/batch/v1') return 'batch';
  const { id, below } = subjectOf(route) ?? { below: route };
  if (method === 'POST' && below === '' && id === undefined) return 'create';
  if (below !== '' || id === undefined) return 'look';
  if (method === 'DELETE') return 'delete';
  return ['POST', 'PUT', 'PATCH'].includes(method) ? 'update' : 'look';
}

/** An accepted answer with its JSON object changed. */
export function turned(answer: ProxyAnswer, turn: (value: UnknownObject) => unknown): ProxyAnswer {
  return turnedJson(answer, (value) => (isObject(value) ? turn(value) : value));
}

/** An accepted answer with each of its records changed, in a list or alone. */
export function eachRecord(answer: ProxyAnswer, turn: (record: UnknownObject) => unknown): ProxyAnswer {
  const one = (item: unknown): unknown => (isObject(item) && typeof item.id === 'number' ? turn(item) : item);
  return turnedJson(answer, (value) => (Array.isArray(value) ? value.map(one) : one(value)));
}

/** An accepted answer with its JSON value changed. */
export function turnedJson(answer: ProxyAnswer, turn: (value: unknown) => unknown): ProxyAnswer {
  if (answer.status >= 300) return answer;
  return { ...answer, body: Buffer.from(JSON.stringify(turn(JSON.parse(answer.body.toString('utf8'))))) };
}
