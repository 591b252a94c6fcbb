import { hash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { listen } from '../listen.ts';
import { isObject } from '../reference/json.ts';
import { ACCOUNTS } from '../reference/request.ts';
import { type Served, serve } from '../reference/serve.ts';
import { basic, Exchange, type HostileContext, PASSWORD, partsOf, type Seen, USER } from './exchange.ts';
import type { HostileServer } from './server.ts';

interface OpenServer {
  readonly url: string;
  /** Every request so far, in order. */
  readonly seen: readonly Seen[];
  /** Every request that reached the other origin. */
  readonly misdirected: readonly Seen[];
  /** The content of the site behind the server, when it was opened and now. */
  readonly before: Census;
  census(): Promise<Census>;
  close(): Promise<void>;
}

/** Starts a server of the catalogue, a site behind it (default: a healthy one), and another origin; closes all. */
export async function openServer(
  server: Pick<HostileServer, 'handler'>,
  site?: Standing,
): Promise<OpenServer> {
  const [seen, misdirected]: [Seen[], Seen[]] = [[], []];
  const other = await listen(
    createServer(async (message, response) => {
      misdirected.push(await readSeen(message));
      response.end('{}');
    }),
  );
  const own = await listen(
    createServer({ keepAliveTimeout: 60_000, noDelay: true }, async (message, response) => {
      try {
        const one = await readSeen(message);
        seen.push(one);
        await handle(new Exchange(one, seen.length, context, { message, response }));
      } catch {
        // The client has disconnected, or the site behind is closing.
        message.socket.destroy();
      }
    }),
  );
  const standing = site ?? (await serveBehind(own.url));
  const { url: behind, user, password, close, census = () => takeCensus(standing) } = standing;
  const before = await census();
  const foreign = foreignIn(before);
  const context: HostileContext = { behind, user, password, elsewhere: other.url, url: own.url, foreign };
  const handle = server.handler(context);
  return {
    url: own.url,
    seen,
    misdirected,
    before,
    census,
    async close() {
      await Promise.all([own.close(), other.close(), close?.()]);
    },
  };
}

type Login = Pick<Served, 'url' | 'user' | 'password'>;

/** A running site. */
export interface Standing extends Login {
  /** What it holds; default: every record of the reference deployment. */
  census?(): Promise<Census>;
  close?(): Promise<void>;
}

/** Serves the reference deployment with the user of hostile servers only. @param url its own address for itself */
async function serveBehind(url: string): Promise<Standing> {
  const [administrator] = ACCOUNTS;
  const login = basic({ user: USER, password: PASSWORD });
  const { port, close } = await serve({
    deployment: 'core',
    url,
    behaviour: {
      authenticate: ({ authorization }) => (authorization === login ? administrator : undefined),
    },
  });
  return { url: `http://127.0.0.1:${port}`, user: USER, password: PASSWORD, close };
}

async function readSeen(message: IncomingMessage): Promise<Seen> {
  const { method = '', url = '' } = message;
  return { method, url, headers: message.headers, body: await buffer(message) };
}

/** The content of a site: each record as JSON, by collection and id (`posts/12`). */
export type Census = ReadonlyMap<string, string>;

/** The ids of the records in a census, the oldest first. */
function foreignIn(census: Census): HostileContext['foreign'] {
  const ids = (collection: string): number[] =>
    [...census.keys()]
      .flatMap((place) => (place.startsWith(`${collection}/`) ? [Number(place.split('/')[1])] : []))
      .toSorted((one, other) => one - other);
  return { posts: ids('posts'), pages: ids('pages'), media: ids('media') };
}

/** Records that changed or disappeared. */
export function changedIn(before: Census, after: Census): string[] {
  return [...before].filter(([place, record]) => after.get(place) !== record).map(([place]) => place);
}

/** Records that are new. */
export function madeIn(before: Census, after: Census): string[] {
  return [...after.keys()].filter((place) => !before.has(place) && /^(?:posts|pages|media)\//.test(place));
}

const STATUSES: Readonly<Record<string, string>> = {
  posts: 'publish,future,draft,pending,private,trash,auto-draft',
  pages: 'publish,future,draft,pending,private,trash,auto-draft',
  media: 'inherit,private,trash',
};

/** Reads every record of the reference deployment in every status. @throws Error if a list is refused */
async function takeCensus(site: Login): Promise<Census> {
  const census = new Map<string, string>();
  for (const [collection, status] of Object.entries(STATUSES)) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = new URLSearchParams({
        rest_route: `/cms/v2/${collection}`,
        context: 'edit',
        per_page: '100',
        page: String(page),
        status,
      });
      const answer = await fetch(`${site.url}/index.php?${query}`, {
        headers: { authorization: basic(site) },
      });
      const records: unknown = await answer.json();
      if (!answer.ok || !Array.isArray(records))
        throw new Error(`${collection} cannot be listed: ${answer.status}`);
      pages = Number(answer.headers.get('x-wp-totalpages'));
      for (const record of records)
        if (isObject(record)) census.set(`${collection}/${record.id}`, JSON.stringify(record));
    }
  }
  return census;
}

/** Methods that change nothing. */
export const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The records that a request tries to change, such as `posts/12`. */
export function writtenRecords(seen: Seen): string[] {
  return partsOf(seen).flatMap(({ method, about }) =>
    SAFE.has(method) || about?.id === undefined ? [] : [`${about.collection}/${about.id}`],
  );
}

const COLLECTIONS: Readonly<Record<string, string>> = { post: 'posts', page: 'pages', attachment: 'media' };

/** A digest of every row in the SQLite table of posts of a WordPress, by collection and id, otherwise by type and id. */
export function readPosts(file: string): Census {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT * FROM wp_posts ORDER BY ID').all();
    return new Map(
      rows.map((row) => {
        const type = String(row.post_type);
        const digest = hash('sha256', JSON.stringify(row));
        return [`${COLLECTIONS[type] ?? type}/${String(row.ID)}`, digest];
      }),
    );
  } finally {
    database.close();
  }
}
