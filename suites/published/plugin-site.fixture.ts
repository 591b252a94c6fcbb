import type { IncomingMessage } from 'node:http';
import { sendJson, type TestServer, testServer } from '../../client/server.fixture.ts';
import { indexOf, ORDER, ORDERS, type Plugin, PRICES } from './plugin.fixture.ts';

type Args = Readonly<Record<string, string>>;

/** The id of the last order that was made: none is used twice. */
let made = 100;

/** A refusal with its status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Serves a site with a plugin on loopback. Tests can change the plugin at any time. */
export async function pluginSite(plugin: () => Plugin): Promise<TestServer> {
  const server: TestServer = await testServer(async (request, response) => {
    try {
      const body = bodyIn(await textOf(request));
      sendJson(response, answer(plugin(), request, server.url, body));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendJson(response, { code: 'refused', data: { status: error.status } }, error.status);
    }
  });
  return server;
}

function bodyIn(text: string): Record<string, unknown> {
  return text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function answer(
  plugin: Plugin,
  request: IncomingMessage,
  url: string,
  body: Record<string, unknown>,
): unknown {
  const address = new URL(request.url ?? '/', url);
  const route = address.searchParams.get('rest_route') ?? '/';
  if (route === '/') return indexOf(plugin, url);
  const item = /^\/acme\/v1\/orders\/(\d+)$/.exec(route);
  const key = item === null ? route : ORDER;
  const endpoints = plugin.routes[key];
  if (endpoints === undefined) throw new Refusal(404);
  if (request.method === 'OPTIONS') {
    return { namespace: 'acme/v1', endpoints, ...(key !== PRICES && { schema: plugin.schema }) };
  }
  const endpoint = endpoints.find(({ methods }) => methods.includes(request.method ?? ''));
  if (endpoint === undefined) throw new Refusal(404);
  const isUser = request.headers.authorization !== undefined;
  if (request.method !== 'GET') {
    if (!isUser) throw new Refusal(401);
    return write(plugin, request.method ?? '', Number(item?.[1] ?? 0), body);
  }
  const given: Record<string, string> = {};
  for (const [written, value] of address.searchParams) {
    const name = written.replace(/\[.*$/, '');
    // A list may be sent in several pairs.
    given[name] = given[name] === undefined ? value : `${given[name]},${value}`;
  }
  if (given.context === 'edit' && !isUser) throw new Refusal(401);
  for (const [name, declared] of Object.entries(endpoint.args)) {
    if (!plugin.unenforced.has(name)) enforce(declared, given[name]);
  }
  if (key === ORDERS) return list(plugin, given, endpoint.args);
  if (key === ORDER) return read(plugin, Number(item?.[1]), given);
  return key === PRICES ? { price: 1, currency: given.currency } : { namespace: 'acme/v1', routes: {} };
}

function enforce(declared: Readonly<Record<string, unknown>>, value: string | undefined): void {
  if (value === undefined) {
    if (declared.required === true) throw new Refusal(400);
    return;
  }
  const { type, enum: members, minimum = -Infinity, maximum = Infinity } = declared;
  const items: unknown = declared.items;
  const isNumber = type === 'integer' || (type === 'array' && items !== undefined);
  const numbers = isNumber ? value.split(',').map(Number) : [];
  const isRefused =
    numbers.some((one) => !Number.isInteger(one)) ||
    numbers.some((one) => one < Number(minimum) || one > Number(maximum)) ||
    (Array.isArray(members) && !members.includes(value));
  if (isRefused) throw new Refusal(400);
}

function list(
  { orders, schema, ignored }: Plugin,
  given: Args,
  args: Readonly<Record<string, Record<string, unknown>>>,
): unknown {
  const take = (name: string): string => given[name] ?? String(args[name]?.default ?? '');
  const included = take('include').split(',').filter(Boolean).map(Number);
  const [page, size] = [Number(take('page')), Number(take('per_page'))];
  return orders
    .filter(({ id }) => included.length === 0 || included.includes(Number(id)))
    .filter(({ status }) => ignored.has('status') || ['any', '', status].includes(take('status')))
    .slice((page - 1) * size, page * size)
    .map((order) => shown(schema, order, given));
}

/** Carries out a write of an order, unless the plugin ignores that method. */
function write(plugin: Plugin, method: string, id: number, body: Record<string, unknown>): unknown {
  const { orders, forgotten } = plugin;
  if (id === 0) {
    made += 1;
    const order = { status: 'open', total: 0, ...body, id: made };
    if (!forgotten.has('fields')) orders.push(order);
    else orders.push({ ...order, customer: `${String(body.customer)}, but other` });
    return order;
  }
  const at = orders.findIndex((order) => order.id === id);
  if (at === -1) throw new Refusal(404);
  const changed = { ...orders[at], ...(method === 'DELETE' ? {} : body) };
  if (forgotten.has(method)) return changed;
  if (method === 'DELETE') orders.splice(at, 1);
  else orders[at] = changed;
  return changed;
}

function read({ orders, schema }: Plugin, id: number, given: Args): unknown {
  const order = orders.find((one) => one.id === id);
  if (order === undefined) throw new Refusal(404);
  return shown(schema, order, given);
}

/** A record in a context; the edit context needs a user. */
function shown(
  { properties }: Plugin['schema'],
  order: Readonly<Record<string, unknown>>,
  { context = 'view' }: Args,
): unknown {
  return Object.fromEntries(
    Object.entries(order).filter(([name]) => {
      const contexts = properties[name]?.context;
      return Array.isArray(contexts) && contexts.includes(context);
    }),
  );
}
