import { onTestFinished } from 'vitest';
import { forward, startProxy } from '../sites/proxy.ts';

/** A request and its response on the wire. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly status: number;
}

/** A proxy that records all requests. */
interface Recorder {
  readonly url: string;
  readonly seen: readonly Recorded[];
}

/** Starts a recorder that stops after the test. @param site the address of the site behind it */
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
