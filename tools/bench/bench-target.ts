import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent } from 'undici';
import { routeUrl } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { member } from '../../client/json.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { PASSWORD_VARIABLE } from '../../engine/run-options.ts';
import { serve } from '../../sites/reference/serve.ts';

/** The target of a benchmark, and its user. */
interface BenchTarget {
  readonly label: string;
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly words: { readonly deployment: string; readonly vocabulary: string };
  close(): Promise<void>;
}

/** The site at WORDPRESS_URL with the user of SITE_CONFORMANCE_USER, otherwise the embedded deployment B. */
export async function openBenchTarget(): Promise<BenchTarget> {
  const { WORDPRESS_URL: url, SITE_CONFORMANCE_USER: user } = process.env;
  if (url !== undefined) {
    const words = { deployment: 'core', vocabulary: 'wordpress' };
    const password = process.env[PASSWORD_VARIABLE];
    return { label: 'the given site', url, user, password, words, close: async () => {} };
  }
  const site = await serve({ deployment: 'b' });
  return {
    label: 'embedded B',
    url: site.url,
    user: site.user,
    password: site.password,
    words: { deployment: 'b', vocabulary: 'neutral' },
    close: () => site.close(),
  };
}

/** The reference deployment core in a process of its own, so that its cost does not count as the suite's. */
export async function serveCore(): Promise<Record<'url' | 'user' | 'password', string> & { close(): void }> {
  const child = fork(join(import.meta.dirname, 'serve-core.ts'));
  const [about]: unknown[] = await once(child, 'message');
  const named = (name: string): string => String(member(about, name));
  return {
    url: named('url'),
    user: named('user'),
    password: named('password'),
    close: () => child.disconnect(),
  };
}

/** A client that remembers its requests in order. */
export class RecordingClient extends Client {
  readonly sent: RequestSpec[] = [];

  override request(spec: RequestSpec, bytes?: number): Promise<Observation> {
    this.sent.push(spec);
    return super.request(spec, bytes);
  }
}

/** Sends requests again and ignores the answers. @returns seconds */
export async function replay(
  specs: readonly RequestSpec[],
  { url, user, password }: Pick<BenchTarget, 'url' | 'user' | 'password'>,
  concurrency: number,
): Promise<number> {
  const agent = new Agent({ connections: concurrency });
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const queue = specs.values();
  const worker = async (): Promise<void> => {
    for (const spec of queue) {
      const address = new URL(routeUrl(new URL(url), spec.route, spec.query));
      const json =
        spec.body !== undefined && 'json' in spec.body ? JSON.stringify(spec.body.json) : undefined;
      const answer = await agent.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method: spec.method,
        headers: {
          ...(spec.as === 'user' && user !== undefined && { authorization: basic }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: json }),
      });
      await answer.body.dump();
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - begun) / 1000;
  await agent.close();
  return seconds;
}
