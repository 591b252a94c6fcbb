import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Served, serve } from '../../reference/serve.ts';
import type { Behaviour } from '../../reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../reference/standard-behaviour.ts';
import type { IndexDocument } from '../index-document.ts';
import type { Change, Passing } from './change.ts';

/** A reference deployment with changes, and the account that is served. */
export interface OtherwiseSite extends Pick<Served, 'url' | 'user' | 'password'> {
  close(): Promise<void>;
}

/** Starts a reference deployment that does what the changes say. */
export async function otherwiseSite(deployment: string, changes: readonly Change[]): Promise<OtherwiseSite> {
  let behaviour: Behaviour = STANDARD_BEHAVIOUR;
  for (const change of changes) behaviour = { ...behaviour, ...change.behaviour?.(behaviour) };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const healthy = await serve({ deployment, behaviour, url });
  const behind = `http://127.0.0.1:${healthy.port}`;
  server.on('request', (message, response) => forward(behind, changes, message, response));
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await healthy.close();
  };
  const { user, password } = healthy;
  return { url, user, password, close };
}

function forward(
  healthy: string,
  changes: readonly Change[],
  message: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(message.url ?? '/', healthy);
  const route = url.searchParams.get('rest_route') ?? '';
  const { method = 'GET', headers } = message;
  for (const change of changes) change.request?.(headers);
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
      const anonymous = headers.authorization === undefined;
      const passing = { method, route, anonymous, status, headers: {}, json };
      applyTo(passing, changes);
      const { 'content-length': _, ...kept } = answer.headers;
      response.writeHead(passing.status, { ...kept, ...passing.headers }).end(JSON.stringify(passing.json));
    });
  });
  message.pipe(sent);
}

function applyTo(passing: Passing, changes: readonly Change[]): void {
  for (const change of changes) {
    if (passing.route !== '/') change.answer?.(passing);
    else if (isIndex(passing.json)) change.index?.(passing.json);
  }
}

function isIndex(json: unknown): json is IndexDocument {
  return typeof json === 'object' && json !== null && 'routes' in json && 'namespaces' in json;
}
