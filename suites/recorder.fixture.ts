import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** An exchange as it went over the wire. */
export interface Recorded {
  readonly method: string;
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly status: number;
}

/** A site in front of another one that lets everything through and keeps it. */
export interface Recorder {
  readonly url: string;
  readonly seen: readonly Recorded[];
}

/** Starts a recorder that stops when the test ends. @param site the address of the other one */
export async function recorder(site: string): Promise<Recorder> {
  const seen: Recorded[] = [];
  const server = createServer((message, response) => forward(site, message, response, seen));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, seen };
}

function forward(site: string, message: IncomingMessage, response: ServerResponse, seen: Recorded[]): void {
  const url = new URL(message.url ?? '/', site);
  const chunks: Buffer[] = [];
  const { method = '', headers } = message;
  const sent = request(url, { method, headers }, (answer) => {
    const status = answer.statusCode ?? 0;
    const query = url.searchParams;
    const body = Buffer.concat(chunks).toString('latin1');
    seen.push({ method, route: query.get('rest_route') ?? '', query, headers, body, status });
    response.writeHead(status, answer.headers);
    answer.pipe(response);
  });
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.pipe(sent);
}
