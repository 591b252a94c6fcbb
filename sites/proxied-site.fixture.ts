import { type Handle, type ProxyAnswer, startProxy } from './proxy.ts';
import { type Served, type ServeOptions, serve } from './reference/serve.ts';

/** A reference deployment behind a proxy whose address it takes for its own. */
export async function proxiedSite(
  options: Omit<ServeOptions, 'url'>,
  handle: Handle,
): Promise<Pick<Served, 'url' | 'user' | 'password' | 'close'>> {
  let behind = '';
  const proxy = await startProxy(() => behind, handle);
  const { port, user, password, close } = await serve({ ...options, url: proxy.url });
  behind = `http://127.0.0.1:${port}`;
  return {
    url: proxy.url,
    user,
    password,
    async close() {
      await proxy.close();
      await close();
    },
  };
}

/** The same answer with another body. */
export function withJson<A extends ProxyAnswer>(answer: A, json: unknown): A {
  return { ...answer, body: Buffer.from(JSON.stringify(json)) };
}
