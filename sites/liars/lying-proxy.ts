import type { Listening } from '../listen.ts';
import { forward, jsonOf, type ProxyAnswer, type ProxyRequest, startProxy } from '../proxy.ts';
import { member } from '../reference/json.ts';

/** The collections that are lied about. */
const COLLECTIONS = ['posts', 'pages', 'media'] as const;

/** One of them. */
export type LiarCollection = (typeof COLLECTIONS)[number];

/** A request as the proxy reads it. */
export interface Asked extends ProxyRequest {
  /** The collection that the route is about, the record in it, and what follows; undefined on other routes. */
  readonly about: RouteSubject | undefined;
  /** The parts of a batch; none in anything else. */
  readonly parts: readonly Part[];
}

/** What a route names. */
interface RouteSubject {
  readonly collection: LiarCollection;
  readonly id: number | undefined;
  readonly below: string;
}

/** A part of a batch, and what its path names. */
interface Part {
  readonly method: string;
  readonly about: RouteSubject | undefined;
}

/** An answer, its body parsed where it is JSON. */
export interface Reply extends ProxyAnswer {
  readonly json: unknown;
}

/** What a liar works with. */
export interface LiarContext {
  /** Ids of records that were there before, by collection. */
  readonly foreign: Readonly<Record<LiarCollection, readonly number[]>>;
  /** What the liar remembers, by names of its own. */
  readonly memory: Map<string, unknown>;
  /** Asks the site, as it was asked or otherwise. */
  forward(asked: Asked): Promise<Reply>;
}

/** Answers a request in place of the site. */
export type Liar = (asked: Asked, context: LiarContext) => Promise<Reply>;

/** A running proxy, and what was asked through it. */
export interface LyingProxy extends Listening {
  readonly log: readonly Asked[];
}

/** Starts a proxy on loopback that lies about a site. @param site its address; @param foreign ids that are there already */
export async function startLyingProxy(
  site: string,
  foreign: LiarContext['foreign'],
  liar: Liar,
): Promise<LyingProxy> {
  const log: Asked[] = [];
  const context: LiarContext = { foreign, memory: new Map(), forward: reply };
  const proxy = await startProxy(site, (request) => {
    const asked = read(request);
    log.push(asked);
    return liar(asked, context);
  });
  return { ...proxy, log };
}

/** An answer with JSON of one's own. */
export function replying(json: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    json,
    body: Buffer.from(JSON.stringify(json)),
  };
}

/** An answer with another body. */
export function withJson(reply: Reply, json: unknown): Reply {
  return { ...replying(json, reply.status), headers: reply.headers };
}

async function reply(asked: Asked): Promise<Reply> {
  const answer = await forward(asked);
  return { ...answer, json: jsonOf(answer.body) };
}

function read(request: ProxyRequest): Asked {
  const route = request.url.searchParams.get('rest_route') ?? '';
  const parts = route.startsWith('/batch/') ? partsOf(request.body) : [];
  return { ...request, about: aboutOf(route), parts };
}

function partsOf(body: Buffer): Part[] {
  const requests = member(jsonOf(body), 'requests');
  if (!Array.isArray(requests)) return [];
  return requests.map((part: unknown) => {
    const [method, path] = [member(part, 'method'), member(part, 'path')];
    const route = typeof path === 'string' ? (path.split('?')[0] ?? '') : '';
    return { method: typeof method === 'string' ? method : 'POST', about: aboutOf(route) };
  });
}

/** Reads a route of the neutral words or of WordPress. */
function aboutOf(route: string): RouteSubject | undefined {
  const [, name, id, below = ''] = /^\/(?:cms|wp)\/v2\/(\w+)(?:\/(\d+)(\/.*)?)?$/.exec(route) ?? [];
  const collection = COLLECTIONS.find((one) => one === name);
  return collection && { collection, id: id === undefined ? undefined : Number(id), below };
}
