import { onTestFinished } from 'vitest';
import { forward, startProxy } from '../sites/proxy.ts';

/** An exchange as it went over the wire. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
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
  const proxy = await startProxy(site, async (asked) => {
    const { method, url, headers } = asked;
    const answer = await forward(asked);
    const [query, body] = [url.searchParams, asked.body.toString('latin1')];
    const route = query.get('rest_route') ?? '';
    seen.push({ method, path: url.pathname, route, query, headers, body, status: answer.status });
    return answer;
  });
  onTestFinished(() => proxy.close());
  return { url: proxy.url, seen };
}
