import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../listen.ts';
import { dispatch } from './dispatch.ts';
import { type Contract, loadContract } from './load-contract.ts';
import { ACCOUNTS, type Account, parseQuery, Refusal, readRequest } from './request.ts';
import { seedStore } from './seed.ts';
import { type Alter, answer, type Behaviour, respond, type Site, Text } from './site.ts';
import { STANDARD_BEHAVIOUR } from './standard-behaviour.ts';

// An import would read every member of the module, and so load Node's browser APIs too.
const { createServer } = process.getBuiltinModule('node:http');

/** Options for serving a site. */
export interface ServeOptions {
  /** Name of a deployment (`a`, `b`, `core`), or the path of a deployment file (`….json`). */
  deployment: string;
  /** What it serves; default: the contract of the deployment. */
  contract?: Contract;
  /** Default: 0, a free port. */
  port?: number;
  /** The site's own address, if it is reached through another server. */
  url?: string;
  /** Content of the fresh site; default: `full`. */
  seed?: 'full' | 'empty';
  /** The time when the site starts; default: the real time. */
  now?: Date;
  /** Parts that replace those of the healthy site, or a function that makes them. */
  behaviour?: Partial<Behaviour> | Alter;
  /** May alter a request before the site reads it. */
  before?: (message: IncomingMessage) => void;
}

/** A running reference deployment. */
export interface Served {
  /** Address of the site without a trailing slash. */
  url: string;
  port: number;
  /** An administrator and the application password (HTTP Basic). */
  user: string;
  password: string;
  /** A second account, an editor. */
  editor: { user: string; password: string };
  /** Stops listening and closes all connections at once. */
  close(): Promise<void>;
}

/**
 * Starts a fresh reference deployment on loopback, with its content in memory.
 * @throws Error if the deployment cannot be loaded or the port is taken
 */
export async function serve(options: ServeOptions): Promise<Served> {
  const [administrator, editor] = ACCOUNTS;
  if (!administrator || !editor) throw new Error('the reference deployment has no accounts');
  const { behaviour = {}, contract = loadContract(options.deployment) } = options;
  const site: Site = {
    contract,
    accounts: ACCOUNTS,
    store: seedStore(options.seed ?? 'full', contract.resources),
    behaviour: {
      ...STANDARD_BEHAVIOUR,
      ...(typeof behaviour === 'function' ? behaviour(STANDARD_BEHAVIOUR) : behaviour),
    },
    now: clock(options.now),
    url: '',
    title: `Reference ${contract.name.toUpperCase()}`,
  };
  const server = createServer((message, response) => {
    options.before?.(message);
    handle(site, message, response).catch((failure: unknown) => {
      const text = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
      respond(message.method, response, answer({ code: 'internal_server_error', message: text }, 500));
    });
  });
  const { url, close } = await listen(server, options.port);
  site.url = options.url ?? url;
  return {
    url: site.url,
    port: Number(new URL(url).port),
    ...credentials(administrator),
    editor: credentials(editor),
    close,
  };
}

/** A clock that starts at `start`, or at the real time. */
function clock(start: Date | undefined): () => number {
  const ahead = start === undefined ? 0 : start.getTime() - Date.now();
  return () => Date.now() + ahead;
}

function credentials(account: Account): { user: string; password: string } {
  return { user: account.login, password: account.password };
}

async function handle(site: Site, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = message.url ?? '/';
  const mark = address.indexOf('?');
  const path = mark < 0 ? address : address.slice(0, mark);
  const query = parseQuery(mark < 0 ? '' : address.slice(mark + 1));
  const route = query.rest_route;
  if (!['/', '/index.php'].includes(path) || typeof route !== 'string' || route === '') {
    const page = new Text('text/html; charset=UTF-8', '<!doctype html><title>A site in memory</title>');
    const isFound = path === '/' || path === '/index.php';
    respond(message.method, response, { status: isFound ? 200 : 404, headers: {}, body: page });
    return;
  }
  try {
    const request = await readRequest(message, route, query, (headers) =>
      site.behaviour.authenticate(headers, site.accounts),
    );
    await site.behaviour.send(message, response, await dispatch(site, request));
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    respond(message.method, response, answer(failure.body, failure.status, { Connection: 'close' }));
  }
}
