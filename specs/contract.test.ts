import { describe, expect, it } from 'vitest';
import { loadContract } from './contract.ts';
import type { Contract } from './model.ts';
import { UsageError } from './validators.ts';

const A = loadContract({ deployment: 'a', vocabulary: 'neutral' });
const B = loadContract({ deployment: 'b', vocabulary: 'neutral' });
const CORE = loadContract({ deployment: 'core', vocabulary: 'neutral' });
/** Sections and subsections of the specification. */
const SECTIONS = new Set([
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(String),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `4.${n}`),
]);

function namespacesOf(contracts: readonly Contract[]): string[] {
  return contracts.flatMap((contract) => contract.namespaces.map(({ name }) => name));
}

function routesOf(contracts: readonly Contract[]): string[] {
  return contracts.flatMap((contract) => contract.routes.map(({ path }) => path));
}

function pairsOf(contracts: readonly Contract[]): string[] {
  return contracts
    .flatMap((contract) => contract.operations)
    .flatMap(({ methods, route }) => methods.map((method) => `${method} ${route.path}`));
}

function operation(contract: Contract, id: string): Contract['operations'][number] {
  return contract.operations.find((one) => one.id === id) ?? expect.fail(`no operation ${id}`);
}

function parameter(
  contract: Contract,
  id: string,
  name: string,
): Contract['operations'][number]['parameters'][number] {
  return operation(contract, id).parameters.find((one) => one.name === name) ?? expect.fail(`${id} ${name}`);
}

describe('the contract', () => {
  it.each([
    ['A', [A], 8, 38, 59],
    ['B', [B], 16, 165, 213],
    ['the union of A and B', [A, B], 17, 171, 221],
  ])('of %s counts as the independent reading does', (_name, contracts, namespaces, routes, pairs) => {
    expect(new Set(namespacesOf(contracts)).size).toBe(namespaces);
    expect(new Set(routesOf(contracts)).size).toBe(routes);
    expect(new Set(pairsOf(contracts)).size).toBe(pairs);
  });

  it.each([
    ['a', A],
    ['b', B],
    ['core', CORE],
  ])('%s names each namespace, route and method on a route once', (_name, contract) => {
    for (const subjects of [namespacesOf([contract]), routesOf([contract]), pairsOf([contract])]) {
      expect(subjects.filter((one, at) => subjects.indexOf(one) !== at)).toEqual([]);
    }
  });

  it.each([
    ['a', A],
    ['b', B],
  ])('%s gives every row its section and its basis', (_name, contract) => {
    const rows = [
      ...contract.routes.map(({ path, section, basis }) => ({ what: path, section, basis })),
      ...contract.operations.flatMap(({ id, section, basis, parameters }) => [
        { what: id, section, basis },
        ...parameters.map((one) => ({ what: `${id} ${one.name}`, section: one.section, basis: one.basis })),
      ]),
    ];
    const wrong = rows.filter(
      ({ section, basis }) => !SECTIONS.has(section) || !['stated', 'implied', 'doubtful'].includes(basis),
    );

    expect(wrong).toEqual([]);
  });

  it('has in core what A and B share, without the meta key of their theme (R39)', () => {
    const shared = namespacesOf([A]).filter((name) => namespacesOf([B]).includes(name));
    const meta = (contract: Contract): string[] =>
      Object.keys(parameter(contract, 'posts.create', 'meta').schema.properties ?? {});

    expect(shared).toEqual(expect.arrayContaining(namespacesOf([CORE])));
    expect(meta(A)).toContain('_theme_block_theme_hide_title');
    expect(meta(B)).toContain('_theme_block_theme_hide_title');
    expect(meta(CORE)).toEqual(['footnotes']);
  });

  it('gives every namespace a root route that states its own name and the default context (R2)', () => {
    for (const { name, id } of B.namespaces) {
      const root = operation(B, `${id}.root`);

      expect(root.route.path).toBe(`/${name}`);
      expect(root.parameters.map(({ schema }) => schema.default)).toEqual([name, 'view']);
    }
  });

  it('leaves open whether a path parameter is required, unless its row says so (R9)', () => {
    const flags = new Set(
      B.operations.flatMap((one) => one.parameters.filter((p) => p.in === 'path').map((p) => p.required)),
    );

    expect(flags).not.toContain(false);
    expect(parameter(B, 'posts.list', 'search').required).toBe(false);
    expect(parameter(B, 'batch.run', 'requests').required).toBe(true);
  });

  it('leaves the required flag and the default of force silent where a revision is deleted (R8)', () => {
    const force = parameter(B, 'post-revisions.delete', 'force');

    expect(force.required).toBeUndefined();
    expect(force.schema).not.toHaveProperty('default');
  });

  it('takes the status list of pages without menu_order into media (R7)', () => {
    const orders = parameter(B, 'pages.list', 'orderby').schema.enum;

    expect(orders).toContain('menu_order');
    expect(parameter(B, 'media.list', 'orderby').schema.enum).not.toContain('menu_order');
    expect(operation(B, 'media.list').parameters.map(({ name }) => name)).not.toContain('menu_order');
  });

  it('cannot be changed by those who read it', () => {
    expect(Object.isFrozen(B)).toBe(true);
    expect(Object.isFrozen(parameter(B, 'posts.list', 'status').schema.items)).toBe(true);
  });

  it('has one digest for one content, and another for another', () => {
    const again = loadContract({ deployment: 'a', vocabulary: 'neutral' });
    const spoken = loadContract({ deployment: 'a', vocabulary: 'wordpress' });

    expect(again.digest).toBe(A.digest);
    expect(new Set([A.digest, B.digest, CORE.digest, spoken.digest]).size).toBe(4);
  });

  it.each([
    [{ deployment: 'c', vocabulary: 'neutral' }, 'unknown deployment "c": expected one of a, b, core, auto'],
    [
      { deployment: 'a', vocabulary: 'drupal' },
      'unknown vocabulary "drupal": expected one of neutral, wordpress',
    ],
    [{ deployment: 'none.json', vocabulary: 'neutral' }, 'unknown deployment "none.json"'],
  ])('refuses the unknown name in %o and says which there are', (options, message) => {
    expect(() => loadContract(options)).toThrow(UsageError);
    expect(() => loadContract(options)).toThrow(message);
  });
});

it('lets an autosave have the parent that is a parameter there, though posts have none (R14)', () => {
  const { absent } = operation(CORE, 'post-autosaves.create');

  expect(absent?.map(({ name }) => name)).toEqual(['menu_order']);
});
