import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** The collections that are lied about. */
export const COLLECTIONS = ['posts', 'pages', 'media'] as const;

/** One of them. */
export type Collection = (typeof COLLECTIONS)[number];

/** A request as the proxy reads it. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The collection that the route is about, the record in it, and what follows; undefined on other routes. */
  readonly about: About | undefined;
  /** The parts of a batch; none in anything else. */
  readonly parts: readonly Part[];
}

/** What a route names. */
export interface About {
  readonly collection: Collection;
  readonly id: number | undefined;
  readonly below: string;
}

/** A part of a batch, and what its path names. */
export interface Part {
  readonly method: string;
  readonly about: About | undefined;
}

/** An answer, its body parsed where it is JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly json: unknown;
  readonly bytes: Buffer;
}

/** What a liar works with. */
export interface Stage {
  /** Ids of records that were there before, by collection. */
  readonly foreign: Readonly<Record<Collection, readonly number[]>>;
  /** What the liar remembers, by names of its own. */
  readonly memory: Map<string, unknown>;
  /** Asks the site, as it was asked or otherwise. */
  forward(asked: Asked): Promise<Reply>;
}

/** Answers a request in place of the site. */
export type Liar = (asked: Asked, stage: Stage) => Promise<Reply>;

/** A running proxy, and what was asked through it. */
export interface LyingProxy {
  readonly url: string;
  readonly log: readonly Asked[];
  close(): Promise<void>;
}

/** Starts a proxy on loopback that lies about a site. @param site its address; @param foreign ids that are there already */
export async function startLyingProxy(
  site: string,
  foreign: Stage['foreign'],
  liar: Liar,
): Promise<LyingProxy> {
  const log: Asked[] = [];
  const stage: Stage = { foreign, memory: new Map(), forward: (asked) => forward(asked) };
  const server = createServer((message, response) => {
    void answer(site, message, response, log, (asked) => liar(asked, stage));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An answer with JSON of one's own. */
export function replying(json: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    json,
    bytes: Buffer.from(JSON.stringify(json)),
  };
}

/** An answer with another body. */
export function withJson(reply: Reply, json: unknown): Reply {
  return { ...replying(json, reply.status), headers: reply.headers };
}

async function answer(
  site: string,
  message: IncomingMessage,
  response: ServerResponse,
  log: Asked[],
  lie: (asked: Asked) => Promise<Reply>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const url = new URL(message.url ?? '/', site);
  const body = Buffer.concat(chunks);
  const route = url.searchParams.get('rest_route') ?? '';
  const parts = route.startsWith('/batch/') ? partsOf(body) : [];
  const { method = 'GET', headers } = message;
  const asked: Asked = { method, url, headers, body, about: aboutOf(route), parts };
  log.push(asked);
  try {
    const { status, headers: answered, bytes } = await lie(asked);
    const kept = Object.entries(answered).filter(([name]) => !HOPS.has(name));
    response.writeHead(status, { ...Object.fromEntries(kept), 'content-length': String(bytes.length) });
    response.end(method === 'HEAD' ? undefined : bytes);
  } catch {
    response.destroy();
  }
}

const HOPS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
]);

function forward({ method, url, headers, body }: Asked): Promise<Reply> {
  const { connection: _, 'content-length': __, host: ___, ...kept } = headers;
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(body.length) };
    const sent = request(url, { method, headers: { ...kept, ...length } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, json: parse(bytes), bytes });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function partsOf(body: Buffer): Part[] {
  const json = parse(body);
  const requests: unknown =
    typeof json === 'object' && json !== null ? Reflect.get(json, 'requests') : undefined;
  if (!Array.isArray(requests)) return [];
  return requests.map((part: unknown) => {
    const get = (name: string): unknown =>
      typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined;
    const [method, path] = [get('method'), get('path')];
    const route = typeof path === 'string' ? (path.split('?')[0] ?? '') : '';
    return { method: typeof method === 'string' ? method : 'POST', about: aboutOf(route) };
  });
}

/** Reads a route of the neutral words or of WordPress. */
function aboutOf(route: string): About | undefined {
  const [, name, id, below = ''] = /^\/(?:cms|wp)\/v2\/(\w+)(?:\/(\d+)(\/.*)?)?$/.exec(route) ?? [];
  const collection = COLLECTIONS.find((one) => one === name);
  return collection && { collection, id: id === undefined ? undefined : Number(id), below };
}
