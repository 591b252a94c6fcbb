import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { askedOf, type Exchange, keyOf, SITE } from './exchange.ts';
import { NOT_RECORDED } from './note-unknown.ts';
import { wholeOf } from './whole-of.ts';

/** A site that answers what was recorded, and 404 with a mark otherwise. */
export interface Replay {
  readonly url: string;
  /** What was asked for and is not recorded. */
  readonly unknown: ReadonlySet<string>;
  close(): void;
}

/**
 * Serves exchanges on a free port of loopback. Every credentials are those of the user. What was asked several times is
 * answered in the order in which it was, and then as it was the last time.
 */
export async function serveExchanges(exchanges: readonly Exchange[]): Promise<Replay> {
  const left = new Map([...Map.groupBy(exchanges, keyOf)].map(([key, all]) => [key, [...all]]));
  const unknown = new Set<string>();
  const server = createServer((message, response) => {
    void answer(message, response, (key) => {
      const answers = left.get(key) ?? [];
      if (answers.length === 0) unknown.add(key);
      return answers.length > 1 ? answers.shift() : answers[0];
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    unknown,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  find: (key: string) => Exchange | undefined,
): Promise<void> {
  const url = `http://${message.headers.host ?? ''}`;
  const found = find(keyOf(askedOf(message, await wholeOf(message), url)));
  if (found === undefined) {
    response.writeHead(404, { 'content-type': 'application/json', [NOT_RECORDED]: '1' }).end('{}');
    return;
  }
  const { status, headers, body } = found;
  const text = 'text' in body ? body.text : JSON.stringify(body.json);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text.replaceAll(SITE, url));
}
