import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, listen } from '../listen.ts';
import { wholeOf } from '../proxy.ts';
import { askedOf, keyOf, type RecordedExchange, SITE } from './recording.ts';

/** The header of an answer to what was never recorded. */
export const NOT_RECORDED = 'x-not-recorded';

/** A site that answers what was recorded, and 404 with a mark otherwise. */
interface Replay extends Listening {
  /** What was asked for and is not recorded. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * Serves exchanges on a free port of loopback. Every credentials are those of the user. What was asked several times is
 * answered in the order in which it was, and then as it was the last time.
 */
export async function serveExchanges(exchanges: readonly RecordedExchange[]): Promise<Replay> {
  const left = new Map([...Map.groupBy(exchanges, keyOf)].map(([key, all]) => [key, [...all]]));
  const unknown = new Set<string>();
  const server = createServer((message, response) => {
    void answer(message, response, (key) => {
      const answers = left.get(key) ?? [];
      if (answers.length === 0) unknown.add(key);
      return answers.length > 1 ? answers.shift() : answers[0];
    });
  });
  return { ...(await listen(server)), unknown };
}

async function answer(
  message: IncomingMessage,
  response: ServerResponse,
  find: (key: string) => RecordedExchange | undefined,
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
