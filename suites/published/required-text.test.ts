import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { proxiedSite } from '../../sites/proxied-site.fixture.ts';
import { forward, type ProxyAnswer, type ProxyRequest } from '../../sites/proxy.ts';
import type { JsonObject } from '../../sites/reference/json.ts';
import { Refusal } from '../../sites/reference/request.ts';
import type { Behaviour, Call } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { allChecks } from '../all-checks.ts';
import { runInProcess } from '../run-checks.ts';

const TAG = 'sc-required-text';
const ROUTE = '/acme/v1/orders';
const id = { type: 'integer' };
const common = { resource: 'orders', section: 'own', basis: 'stated', captures: { id: 'digits' } };
const operation = (role: string, methods: string[], parameters: object): object => ({
  ...common,
  ...(role === 'list' || role === 'create' ? { captures: {}, route: ROUTE } : { route: `${ROUTE}/{id}` }),
  id: `orders.${role}`,
  role,
  methods,
  effect: methods[0] === 'GET' ? 'reads' : 'writes',
  parameters,
});

/** The contract of an owner whose records have one text, which a creation requires. */
function ordersContract(resource: object): string {
  const file = {
    namespace: 'acme/v1',
    id: 'acme',
    section: 'own',
    root: 'stated',
    strict: true,
    resources: [{ id: 'orders', kind: 'records', section: 'own', ...resource }],
    operations: [
      operation('list', ['GET'], {
        properties: { page: { type: 'integer' }, per_page: { type: 'integer' } },
      }),
      operation('create', ['POST'], {
        properties: { title: { type: 'string', maxLength: 80 }, pages: { type: 'integer', minimum: 0 } },
        required: ['title'],
      }),
      operation('read', ['GET'], { properties: { id } }),
      operation('delete', ['DELETE'], { properties: { id } }),
    ],
  };
  const deployment = { name: 'shop', title: 'A shop', operations: ['core', './acme.json'] };
  return join(testFolder({ 'acme.json': file, 'shop.json': deployment }), 'shop.json');
}

/** Denies anonymous writes before their arguments are validated. */
async function denyFirst(asked: ProxyRequest): Promise<ProxyAnswer> {
  if (asked.method === 'GET' || asked.headers.authorization !== undefined) return forward(asked);
  const headers = { 'content-type': 'application/json' };
  return { status: 401, headers, body: Buffer.from('{"code":"denied"}') };
}

it.each([
  ['published', { basis: 'published', writable: true }],
  ['described', { statuses: { open: 'publish', kept: [], listed: ['publish'] } }],
])('leaves out a required text that would carry the tag, and tags the others: %s', async (_how, resource) => {
  const deployment = ordersContract(resource);
  const orders = new Map<number, JsonObject>([[7, { id: 7, title: 'An old order' }]]);
  const created: unknown[] = [];
  const find = (call: Call): JsonObject => {
    const order = orders.get(Number(call.args.id));
    if (order === undefined) throw new Refusal('unknown', 'no such order', 404);
    return order;
  };
  const handlers: Behaviour['handlers'] = {
    ...STANDARD_BEHAVIOUR.handlers,
    'orders.list': () => ({ status: 200, headers: {}, body: [...orders.values()] }),
    'orders.create': (call) => {
      const order = { ...call.args, id: orders.size + 7 };
      created.push(call.args.title);
      orders.set(order.id, order);
      return { status: 201, headers: {}, body: order };
    },
    'orders.read': (call) => ({ status: 200, headers: {}, body: find(call) }),
    'orders.delete': (call) => {
      const order = find(call);
      orders.delete(Number(order.id));
      return { status: 200, headers: {}, body: order };
    },
  };
  const site = await closedAfter(proxiedSite({ deployment, behaviour: { handlers } }, denyFirst));
  const contract = loadContract({ deployment, vocabulary: 'neutral' });

  const { results } = await runInProcess({
    url: site.url,
    contract,
    checks: allChecks(contract),
    mode: 'write',
    user: { user: site.user, password: site.password },
    only: ['orders.create/**'],
    fuzz: { examples: 20, kept: [] },
    journal: { path: join(testFolder(), 'journal.ndjson'), tag: TAG },
  });

  const wrong = [...results.values()].filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));

  expect(wrong).toEqual([]);
  expect(results.get('orders.create/title/required/enforced')?.verdict).toBe('pass');
  expect(created.length).toBeGreaterThan(0);
  expect(created.filter((title) => !String(title).includes(TAG))).toEqual([]);
});
