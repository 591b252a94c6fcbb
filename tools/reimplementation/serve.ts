import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Part, runBatch } from './batch.ts';
import {
  batchEndpoint,
  declaredOf,
  type Endpoint,
  isServed,
  isWholeIndex,
  namespacesOf,
  parametersOf,
  shownBy,
} from './endpoints.ts';
import { indexOf, routesOf } from './index-document.ts';
import { type Arguments, readArguments } from './parameter.ts';
import { Refusal } from './refusal.ts';
import { type Received, readForm, receive } from './request.ts';
import { sampleContent } from './sample-content.ts';
import type { Call, Reply, Site } from './site.ts';
import { Store } from './store.ts';

export interface ServeOptions {
  /** What the site can do; asked for anew at each request. */
  readonly features: () => ReadonlySet<string>;
  readonly password: string;
  readonly port?: number;
  /** Without the records that it comes with. */
  readonly empty?: boolean;
}

/** Starts the site on loopback. @returns its address, and how to stop it */
export async function serve(options: ServeOptions): Promise<{ url: string; close: () => Promise<void> }> {
  const store = new Store();
  if (options.empty !== true) sampleContent(store);
  let home = '';
  const server = createServer((request, response) => {
    receive(request, options.password)
      .then((received) => answer({ store, home, features: options.features() }, received))
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.status, body: { refused: error.message } };
      })
      .then(
        (reply) => send(response, reply),
        () => send(response, { status: 500, body: { broken: true } }),
      );
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  // A server that listens on a port has an address that is no text.
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: home,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

function answer(site: Site, received: Received): Reply {
  const served = shownBy(site);
  const { route, method } = received;
  if (method === 'GET') {
    if (route === '/') return { status: 200, body: indexOf(site, [...served, ...batches(site)]) };
    const root = namespacesOf(site).find((name) => route === `/${name}`);
    if (root !== undefined)
      return { status: 200, body: { namespace: root, routes: routesOf(site, served, root) } };
  }
  return call(site, [...served, ...batches(site, received)], received);
}

/** The batch route, where the site has it by now. */
function batches(site: Site, received?: Received): Endpoint[] {
  if (!site.features.has('batch') && !isWholeIndex(site)) return [];
  const inner = shownBy(site).filter(({ batch }) => batch);
  const asReceived = ({ method, path, body }: Part): Received => {
    const [route = '', query = ''] = path.split('?');
    return {
      method,
      route,
      query: readForm(new URLSearchParams(query)),
      body,
      upload: undefined,
      user: received?.user,
    };
  };
  return [
    batchEndpoint((outer) =>
      runBatch(outer, {
        check: (part) => void prepare(site, inner, asReceived(part)),
        run: (part) => call(site, inner, asReceived(part)),
      }),
    ),
  ];
}

function call(site: Site, endpoints: readonly Endpoint[], received: Received): Reply {
  const { endpoint, prepared } = prepare(site, endpoints, received);
  return endpoint.run(prepared);
}

/** Finds what a request asks for and reads its arguments. @throws Refusal */
function prepare(
  site: Site,
  endpoints: readonly Endpoint[],
  { route, method, query, body, upload, user }: Received,
): { endpoint: Endpoint; prepared: Call } {
  const found = endpoints.flatMap((endpoint) => {
    const path = pathArguments(endpoint.route, route);
    return path === undefined ? [] : [{ endpoint, path }];
  });
  if (found.length === 0) throw new Refusal(404, `there is no ${route}`);
  const one = found.find(({ endpoint }) => endpoint.methods.includes(method));
  if (one === undefined) throw new Refusal(405, `${route} does not take ${method}`);
  if (!isServed(one.endpoint, site)) throw new Refusal(501, `${method} ${route} is not there yet`);
  const strict = site.features.has(method === 'GET' ? 'refusals-of-reads' : 'refusals-of-writes');
  const sent: Arguments = { ...query, ...body, ...one.path };
  const read = readArguments(declaredOf(one.endpoint, site), sent, strict);
  const heeded = Object.keys(parametersOf(one.endpoint, site));
  const args = { ...Object.fromEntries(heeded.map((name) => [name, read[name]])), ...one.path };
  return { endpoint: one.endpoint, prepared: { site, user, args, upload } };
}

/** The path parameters of a route; undefined where it is another route. */
function pathArguments(pattern: string, route: string): Arguments | undefined {
  const wanted = pattern.split('/');
  const parts = route.split('/');
  if (wanted.length !== parts.length) return undefined;
  const path: Record<string, unknown> = {};
  for (const [at, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(wanted[at] ?? '')?.[1];
    if (name === undefined ? part !== wanted[at] : !/^[0-9]+$/.test(part)) return undefined;
    if (name !== undefined) path[name] = Number(part);
  }
  return path;
}
