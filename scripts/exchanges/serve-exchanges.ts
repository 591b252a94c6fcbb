import { createServer } from 'node:http';
import { type Exchange, keyOf, SITE } from './exchange.ts';

/** A site that answers what was recorded, and 404 otherwise. */
export interface Replay {
  readonly url: string;
  /** What was asked for and is not recorded. */
  readonly unknown: ReadonlySet<string>;
  /** Whether a request is recorded, by its key. */
  knows(key: string): boolean;
  close(): void;
}

/** Serves exchanges on a free port of loopback. Every credentials are those of the user. */
export async function serveExchanges(exchanges: readonly Exchange[]): Promise<Replay> {
  const known = new Map<string, Exchange>();
  for (const one of exchanges) known.set(`${one.who} ${one.method} ${one.route} ${one.query}`, one);
  const unknown = new Set<string>();
  const server = createServer((message, response) => {
    const url = `http://${message.headers.host ?? ''}`;
    const key = keyOf(message.method ?? '', message.url ?? '/', message.headers.authorization, url);
    const found = known.get(key);
    if (found === undefined) unknown.add(key);
    const { status = 404, headers = {}, body = { json: { code: 'not_recorded' } } } = found ?? {};
    const text = 'text' in body ? body.text : JSON.stringify(body.json);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text.replaceAll(SITE, url));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    unknown,
    knows: (key) => known.has(key),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
