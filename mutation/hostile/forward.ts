import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Served } from '../../reference/serve.ts';
import type { Seen } from './request-log.ts';
import type { Stage } from './stage.ts';

/** An answer whose body is whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const AGENT = new Agent({ keepAlive: true, maxSockets: 16 });

/** Asks the healthy site behind a hostile server, in its name: addresses and credentials are put into its words. */
export function forward(stage: Stage, seen: Seen): Promise<Answer> {
  const { site } = stage;
  const [here, there] = [portOf(stage.url), String(site.port)];
  const body = Buffer.from(movePort(seen.body.toString('latin1'), here, there), 'latin1');
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: site.port,
        agent: AGENT,
        method: seen.method,
        path: movePort(seen.url, here, there),
        headers: headersFor(stage, seen, body),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('latin1');
          resolve({
            status: answer.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(answer.headers)
                .filter(([name]) => !HOP_BY_HOP.has(name))
                .map(([name, value]) => [name, movePort([value ?? ''].flat().join(', '), there, here)]),
            ),
            body: Buffer.from(movePort(text, there, here), 'latin1'),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
]);

function headersFor(stage: Stage, seen: Seen, body: Buffer): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(seen.headers)) if (!HOP_BY_HOP.has(name)) headers[name] = value;
  if (body.length > 0) headers['content-length'] = body.length;
  if (headers.authorization === basic(stage)) headers.authorization = basic(stage.site);
  return headers;
}

/** The header by which a user logs in. */
export function basic({ user, password }: Pick<Served, 'user' | 'password'>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function portOf(url: string): string {
  return new URL(url).port;
}

function movePort(text: string, from: string, to: string): string {
  return text
    .replaceAll(`127.0.0.1:${from}`, `127.0.0.1:${to}`)
    .replaceAll(`127.0.0.1%3A${from}`, `127.0.0.1%3A${to}`);
}
