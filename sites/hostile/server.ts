import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { forward, jsonOf, type ProxyAnswer, type ProxyRequest } from '../proxy.ts';
import { member } from '../reference/json.ts';
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
  readonly foreign: Readonly<Record<Collection, readonly number[]>>;
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
export type Collection = (typeof COLLECTIONS)[number];

const COLLECTIONS = ['posts', 'pages', 'media'] as const;

/** The parts of a route: a collection, a record in it, and the rest. */
export interface Subject {
  readonly collection: Collection;
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

/** The records that a request tries to change, such as `posts/12`. */
export function writtenRecords(seen: Seen): string[] {
  return partsOf(seen).flatMap(({ method, about }) =>
    SAFE.has(method) || about?.id === undefined ? [] : [`${about.collection}/${about.id}`],
  );
}

/** Methods that change nothing. */
export const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Answers one request, or leaves it unanswered on purpose. */
export type Handler = (exchange: Exchange) => void | Promise<void>;

/** How far a run came: nothing could be evaluated, it ended early, or the whole plan ran. */
export type Ending = 'unreached' | 'early' | 'whole';

/** What is expected of a run against a server, besides what is expected of every run. */
export interface Expected {
  /** Correct exit codes. */
  readonly codes: readonly number[];
  readonly endings: readonly Ending[];
}

/** A server of the catalogue. */
export interface HostileServer {
  /** The family and the deviation: `transport/slow-loris`. */
  readonly name: string;
  /** A sentence about the server, in the present tense. */
  readonly title: string;
  readonly mode: 'read' | 'write';
  /** Whether the run has no credentials. */
  readonly anonymous: boolean;
  /** Globs of the checks to run; empty for all. */
  readonly only: readonly string[];
  /** Further arguments of the run. */
  readonly further: readonly string[];
  /** Whether the run always uses up its budget. Then a small one is enough. */
  readonly hurried: boolean;
  readonly expected: Expected;
  /** A handler with its own state, for one run. */
  readonly handler: (context: HostileContext) => Handler;
}

/** What the servers of a family have in common, unless one says otherwise. */
export type Defaults = Partial<Pick<HostileServer, 'mode' | 'anonymous' | 'only' | 'further' | 'hurried'>>;

/** A server as a family describes it. */
export type Description = Pick<HostileServer, 'title' | 'expected' | 'handler'> & Defaults;

/** The servers of a family, by name. @param defaults apply unless a server says otherwise */
export function family(
  name: string,
  servers: Readonly<Record<string, Description>>,
  defaults: Defaults = {},
): readonly HostileServer[] {
  return Object.entries(servers).map(([wrong, description]) => ({
    mode: 'read',
    anonymous: false,
    only: [],
    further: [],
    hurried: false,
    ...defaults,
    ...description,
    name: `${name}/${wrong}`,
  }));
}

/** All checks, in a family that runs only some. */
export const ALL_CHECKS: Defaults = { only: [] };

/** Enough checks for a server that is hostile in its index only. */
export const INDEX_CHECKS: readonly string[] = [
  'index/**',
  'index.read/**',
  'namespaces/**',
  'routes/**',
  'cms.root/**',
  ...['context', 'order', 'orderby', 'per_page', 'page', 'include', 'offset', 'search'].map(
    (name) => `posts.list/${name}/**`,
  ),
];

/** Enough checks for a server that lies about writes. */
export const WRITING_CHECKS: readonly string[] = [
  ...['posts.create', 'posts.update', 'posts.delete', 'pages.create', 'media.create', 'media.delete'],
  ...['batch', 'states', 'slugs'],
].map((area) => `${area}/**`);

/** Expected outcomes of a run. */
export const EXPECTED = {
  /** Nothing can be evaluated, because no index was read. */
  unreached: { codes: [3], endings: ['unreached'] },
  /** The whole plan runs, and something fails. */
  fails: { codes: [1], endings: ['whole'] },
  /** The whole plan runs and nothing fails, because the deviation does not concern the contract. */
  conforms: { codes: [0], endings: ['whole'] },
  /** The whole plan runs; failures are allowed. */
  evaluated: { codes: [0, 1], endings: ['whole'] },
  /** The run ends early. Failures until then count. */
  cutShort: { codes: [1, 3], endings: ['early', 'unreached'] },
  /** Something fails, however far the run comes. */
  failsSomehow: { codes: [1], endings: ['whole', 'early'] },
  /** Any outcome is correct, as long as nothing else goes wrong. */
  anyhow: { codes: [0, 1, 3], endings: ['whole', 'early', 'unreached'] },
} as const;

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
