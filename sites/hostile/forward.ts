import * as proxy from '../proxy.ts';
import type { Served } from '../reference/serve.ts';
import type { Seen } from './request-log.ts';
import type { Stage } from './stage.ts';

/** An answer whose body is whole. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks the healthy site behind a hostile server, in its name: addresses and credentials are put into its words. */
export async function forward(stage: Stage, seen: Seen): Promise<ForwardedAnswer> {
  const { site } = stage;
  const [here, there] = [new URL(stage.url).port, String(site.port)];
  const { status, headers, body } = await proxy.forward({
    method: seen.method,
    url: new URL(`http://127.0.0.1:${there}${movePort(seen.url, here, there)}`),
    headers: headersFor(stage, seen),
    body: Buffer.from(movePort(seen.body.toString('latin1'), here, there), 'latin1'),
  });
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => name !== 'date')
        .map(([name, value]) => [name, movePort([value ?? ''].flat().join(', '), there, here)]),
    ),
    body: Buffer.from(movePort(body.toString('latin1'), there, here), 'latin1'),
  };
}

function headersFor(stage: Stage, { headers }: Seen): Seen['headers'] {
  return headers.authorization === basic(stage) ? { ...headers, authorization: basic(stage.site) } : headers;
}

/** The header by which a user logs in. */
export function basic({ user, password }: Pick<Served, 'user' | 'password'>): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function movePort(text: string, from: string, to: string): string {
  return text
    .replaceAll(`127.0.0.1:${from}`, `127.0.0.1:${to}`)
    .replaceAll(`127.0.0.1%3A${from}`, `127.0.0.1%3A${to}`);
}
