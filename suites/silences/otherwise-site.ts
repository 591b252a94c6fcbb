import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Behaviour, STANDARD_BEHAVIOUR } from '../../reference/behaviour.ts';
import { type Served, serve } from '../../reference/serve.ts';
import type { IndexDocument } from '../declared/test-index.ts';
import type { Change, Passing } from './change.ts';

/** A reference deployment with changes, and the account that is served. */
export interface OtherwiseSite extends Pick<Served, 'url' | 'user' | 'password'> {
  /** The changes that have changed an answer so far; changes of the behaviour do not show there. */
  readonly effective: ReadonlySet<Change>;
}

/** Starts a reference deployment that does what the changes say; it stops when the test ends. */
export async function otherwiseSite(deployment: string, changes: readonly Change[]): Promise<OtherwiseSite> {
  let behaviour: Behaviour = STANDARD_BEHAVIOUR;
  const effective = new Set<Change>();
  for (const change of changes) behaviour = { ...behaviour, ...change.behaviour?.(behaviour) };
  const healthy = await serve({ deployment, behaviour });
  const server = createServer((message, response) =>
    forward(healthy.url, { changes, effective }, message, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await healthy.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { ...healthy, effective, url: `http://127.0.0.1:${port}` };
}

interface Changing {
  readonly changes: readonly Change[];
  readonly effective: Set<Change>;
}

function forward(
  healthy: string,
  changing: Changing,
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(message.url ?? '/', healthy);
  const route = url.searchParams.get('rest_route') ?? '';
  const { method = 'GET', headers } = message;
  const sent = request(url, { method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const body = Buffer.concat(chunks);
      const status = answer.statusCode ?? 500;
      if (!/json/.test(answer.headers['content-type'] ?? '')) {
        response.writeHead(status, answer.headers).end(body);
        return;
      }
      const json: unknown = JSON.parse(body.toString('utf8'));
      const passing = {
        method,
        route,
        anonymous: headers.authorization === undefined,
        status,
        headers: {},
        json,
      };
      applyTo(passing, changing);
      const { 'content-length': _, ...kept } = answer.headers;
      response.writeHead(passing.status, { ...kept, ...passing.headers }).end(JSON.stringify(passing.json));
    });
  });
  message.pipe(sent);
}

function applyTo(passing: Passing, { changes, effective }: Changing): void {
  let before = JSON.stringify(passing);
  for (const change of changes) {
    if (passing.route !== '/') change.answer?.(passing);
    else if (isIndex(passing.json)) change.index?.(passing.json);
    const after = JSON.stringify(passing);
    if (after !== before) effective.add(change);
    before = after;
  }
}

function isIndex(json: unknown): json is IndexDocument {
  return typeof json === 'object' && json !== null && 'routes' in json && 'namespaces' in json;
}
