import { Agent } from 'undici';
import { routeUrl } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';

/** A client that remembers what it sent, in its order. */
export class RecordingClient extends Client {
  readonly sent: RequestSpec[] = [];

  override request(spec: RequestSpec, bytes?: number): Promise<Observation> {
    this.sent.push(spec);
    return super.request(spec, bytes);
  }
}

/** Who sends requests again, where to, and how many at once. */
interface Replay {
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly concurrency: number;
}

/** Sends the same requests again, without looking at the answers. @returns seconds */
export async function replay(
  specs: readonly RequestSpec[],
  { url, user, password, concurrency }: Replay,
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
