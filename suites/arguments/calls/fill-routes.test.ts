import { expect, it, onTestFinished } from 'vitest';
import { sendJson, testServer } from '../../../client/server.fixture.ts';
import { testSession } from '../../../engine/session.fixture.ts';
import { pathParameters } from '../../../sites/reference/calls.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { serve } from '../../../sites/reference/serve.ts';
import { healthy, STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../../specs/contract.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { fillRoute, otherRoutes } from './fill-routes.ts';

it('names a record of another author where a user may not see the revisions of one', async () => {
  let first: number | undefined;
  const site = await serve({
    deployment: 'core',
    behaviour: {
      handlers: {
        ...STANDARD_BEHAVIOUR.handlers,
        'post-revisions.list': (call) => {
          const author = call.site.store.get(Number(call.args[pathParameters(call).first]))?.author;
          first ??= author;
          if (author !== first) return healthy(call);
          throw new Refusal('rest_cannot_read', 'No.', 403);
        },
      },
    },
  });
  onTestFinished(() => site.close());
  const { url, user, password } = site;
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const children = operationFor(contract, 'post-revisions', 'list');

  const route = children && (await fillRoute(testSession({ contract, url, user, password }), children));

  expect(route).toMatch(/^\/cms\/v2\/posts\/\d+\/revisions$/);
});

it.each([
  ['a list', [{ id: 7 }]],
  ['the list in an object', { posts: [{ id: 7 }], total: 1 }],
])('names the first record of %s', async (_, shown) => {
  const { url } = await testServer((_request, response) => sendJson(response, shown));
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const read = operationFor(contract, 'posts', 'read');

  expect(read && (await fillRoute(testSession({ contract, url }), read))).toBe('/cms/v2/posts/7');
});

const KITS = '/x/v1/kits';

it.each([
  ['links to itself by an id with a slash', `${KITS}/{kit}`, ['[^/]+/[^/]+'], 'linked', `${KITS}/core/one`],
  [
    'links to itself by two parts',
    `${KITS}/{space}/{name}`,
    ['[a-z]+', '[a-z]+'],
    'linked',
    `${KITS}/core/one`,
  ],
  ['has something below it', `${KITS}/{kit}/parts`, ['[^/]+/[^/]+'], 'linked', `${KITS}/core/one/parts`],
  ['has a member of that name', `${KITS}/{kit}`, ['[^/]+/[^/]+'], 'named', `${KITS}/core/one`],
  ['links elsewhere', `${KITS}/{kit}`, ['[a-z]+'], 'linked', `${KITS}/sample`],
])('names an entry of the list above that %s', async (_, path, patterns, kind, expected) => {
  const { url } = await testServer((_request, response) => {
    const href = `${url}/index.php?rest_route=${KITS}/core/one`;
    sendJson(response, [kind === 'named' ? { id: 7, kit: 'core/one' } : { _links: { self: [{ href }] } }]);
  });
  const core = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const [any] = core.operations;
  if (any === undefined) throw new Error('the contract has no operation');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParameters = names.map((name, at) => {
    return { name, kind: { pattern: patterns[at] ?? '', accepts: [], refuses: [] } };
  });
  const plain = { ...any, resource: undefined, role: undefined, methods: ['GET'], parameters: [] } as const;
  const item = { ...plain, id: 'kits.read', route: { ...any.route, path, wire: path, pathParameters } };
  const route = { ...any.route, path: KITS, wire: KITS, pathParameters: [] };
  const contract = { ...core, operations: [...core.operations, { ...plain, id: 'kits.list', route }, item] };

  const routes = await otherRoutes(testSession({ contract, url }), item);

  expect(routes[0] ?? `${KITS}/sample`).toBe(expected);
});
