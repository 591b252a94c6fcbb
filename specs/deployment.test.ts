import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadContract } from './contract.ts';
import { loadDeployment, namesIn } from './deployment.ts';
import { expectRefused, messageOf, testFolder } from './folder.fixture.ts';
import type { Contract } from './model.ts';
import { UsageError } from './validators.ts';

const DEPLOYMENT = { name: 'mine', title: 'A shop', operations: ['core', 'cms-v2', './shop.json'] };
const SHOP = {
  namespace: 'shop/v1',
  id: 'shop',
  section: 'Manual 3',
  root: 'stated',
  operations: [
    {
      id: 'items.read',
      methods: ['GET'],
      route: '/shop/v1/items/{id}',
      section: 'Manual 3.1',
      basis: 'stated',
      effect: 'reads',
      captures: { id: 'digits' },
      parameters: { properties: { currency: { type: 'string', enum: ['EUR', 'USD'], default: 'EUR' } } },
    },
  ],
};

function loadOwn(deployment: unknown, shop: unknown = SHOP): Contract {
  const folder = testFolder({ 'mine.json': deployment, 'shop.json': shop });
  return loadContract({ deployment: join(folder, 'mine.json'), vocabulary: 'neutral' });
}

describe('a deployment file of the user', () => {
  it('composes built-in namespaces with an operation file of its own', () => {
    const contract = loadOwn(DEPLOYMENT);
    const own = contract.operations.find(({ id }) => id === 'items.read');

    expect(contract.deployment).toBe('mine');
    expect(contract.namespaces.map(({ name }) => name)).toEqual(['cms/v2', 'shop/v1']);
    expect(own?.route).toMatchObject({ wire: '/shop/v1/items/{id}', namespace: 'shop/v1' });
    expect(own?.route.pathParameters[0]?.kind?.pattern).toBe('[\\d]+');
    expect(own?.parameters[0]).toMatchObject({ name: 'currency', section: 'Manual 3.1', required: false });
  });

  it('adds routes to a namespace that a built-in file has, with one root route for both', () => {
    const [row] = SHOP.operations;
    const contract = loadOwn(DEPLOYMENT, {
      ...SHOP,
      namespace: 'cms/v2',
      operations: [{ ...row, route: '/cms/v2/items/{id}' }],
    });

    expect(contract.namespaces.map(({ name }) => name)).toEqual(['cms/v2']);
    expect(contract.operations.filter(({ route }) => route.path === '/cms/v2').map(({ id }) => id)).toEqual([
      'cms.root',
    ]);
    expect(contract.operations.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['posts.list', 'items.read']),
    );
  });

  it.each([
    ['a misspelt member', { ...DEPLOYMENT, operation: [] }, 'does not know the member "operation"'],
    ['no title', { ...DEPLOYMENT, title: undefined }, "must have required property 'title'"],
    ['nothing to check', { ...DEPLOYMENT, operations: [] }, '/operations: must NOT have fewer than 1 items'],
    [
      'an operation file that there is not',
      { ...DEPLOYMENT, operations: ['cms-v3'] },
      'operations names "cms-v3"',
    ],
    [
      'an own file that there is not',
      { ...DEPLOYMENT, operations: ['./gone.json'] },
      'operations names "./gone.json"',
    ],
    ['text that is not JSON', '{"name":\n  mine\n}', 'is not JSON'],
  ])('with %s gets one line that names the file and the place', (_case, deployment, expected) => {
    expectRefused(() => loadOwn(deployment), 'mine.json', expected);
  });

  it.each([
    [
      'a path parameter that the route does not have',
      { captures: { ids: 'digits' } },
      'the route has no path parameter "ids"',
    ],
    ['a kind that there is not', { captures: { id: 'number' } }, 'the path parameter kind "number"'],
    ['an id that a built-in row has', { id: 'posts.list' }, 'the operation id "posts.list" is used twice'],
  ])('whose operations hold %s gets one line', (_case, change, expected) => {
    const shop = { ...SHOP, operations: SHOP.operations.map((row) => ({ ...row, ...change })) };
    const message = messageOf(() => loadOwn(DEPLOYMENT, shop));

    expect(() => loadOwn(DEPLOYMENT, shop)).toThrow(UsageError);
    expect(message).toContain(expected);
    expect(message).not.toContain('\n');
  });
});

describe('loadDeployment', () => {
  it.each(namesIn('deployments'))('finds the built-in deployment %s by its name', (name) => {
    expect(loadDeployment(name)).toMatchObject({ name });
  });

  it.each(['', 'A', '../deployments/a', 'a.json', '/dev/null'])(
    'refuses the name %j and says which there are',
    (name) => {
      const message = messageOf(() => loadDeployment(name));

      expect(message).toContain('unknown deployment');
      expect(message).toContain('a, b, core');
    },
  );

  it('says where an operation file that is missing was looked for, and which are built in', () => {
    const folder = testFolder({ 'mine.json': { ...DEPLOYMENT, operations: ['cms-v3'] } });

    expect(messageOf(() => loadDeployment(join(folder, 'mine.json')))).toMatch(/built in are .*cms-v2.*\.\//);
  });
});
