import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectRefused, testFolder } from './folder.fixture.ts';
import { type LoadedFile, loadFiles } from './load-operations.ts';

const ROW = {
  id: 'items.list',
  methods: ['GET'],
  route: '/shop/v1/items',
  section: '2',
  basis: 'stated',
  effect: 'reads',
};
const FILE = { namespace: 'shop/v1', id: 'shop', section: '1', root: 'stated', operations: [ROW] };

function load(file: unknown, more: Readonly<Record<string, unknown>> = {}): LoadedFile {
  const path = join(testFolder({ ...more, 'shop.json': file }), 'shop.json');
  const [loaded] = loadFiles({ name: 'mine', files: [path], features: new Set(), amendments: {} });
  return loaded ?? expect.fail('nothing was loaded');
}

describe('loadFiles', () => {
  it('puts the root route of the namespace before its rows', () => {
    const { operations } = load(FILE);

    expect(operations.map(({ row }) => [row.id, row.route])).toEqual([
      ['shop.root', '/shop/v1'],
      ['items.list', '/shop/v1/items'],
    ]);
  });

  it('has no root route without a namespace', () => {
    const { operations } = load({ ...FILE, namespace: '', root: undefined });

    expect(operations.map(({ row }) => row.id)).toEqual(['items.list']);
  });

  it('merges sets in order and own parameters last, with all required members', () => {
    const { operations } = load({
      ...FILE,
      parameterSets: {
        first: { properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
        second: { properties: { b: { type: 'integer' } }, required: ['b'] },
      },
      operations: [
        {
          ...ROW,
          include: ['first', 'second'],
          parameters: { properties: { a: { type: 'boolean' } }, required: ['a'] },
        },
      ],
    });

    expect(operations[1]?.parameters).toEqual({ a: { type: 'boolean' }, b: { type: 'integer' } });
    expect(operations[1]?.required).toEqual(['a', 'b']);
  });

  it('takes over the fields of a schema file, and resolves them there', () => {
    const { operations } = load(withRow({ include: ['./fields.json'] }), {
      'fields.json': { $defs: { n: { type: 'integer' } }, properties: { n: { $ref: '#/$defs/n' } } },
    });

    expect(operations[1]?.parameters).toEqual({ n: { type: 'integer' } });
  });

  it('gives the section of a set to its parameters, unless they have one of their own', () => {
    const { operations } = load({
      ...FILE,
      parameterSets: { set: { section: '3', properties: { a: {}, b: { 'x-section': '4' } } } },
      operations: [{ ...ROW, include: ['set'] }],
    });

    expect(operations[1]?.parameters).toEqual({ a: { 'x-section': '3' }, b: { 'x-section': '4' } });
  });

  it.each([
    ['a member that it does not know', { ...FILE, opeartions: [] }, 'does not know the member "opeartions"'],
    ['no section', { ...FILE, section: undefined }, "must have required property 'section'"],
    [
      'records without statuses',
      { ...FILE, resources: [{ id: 'items', kind: 'records', section: '1' }] },
      "/resources/0: must have required property 'statuses' (schema",
    ],
    ['a misspelt keyword', withParameter({ maximun: 3 }), 'does not know the member "maximun"'],
    ['a type that there is not', withParameter({ type: 'text' }), '/operations/0/parameters/properties/a'],
    [
      'a basis that there is not',
      withRow({ basis: 'sure' }),
      '/operations/0/basis: must be one of ["stated",',
    ],
    ['an unknown set', withRow({ include: ['none'] }), 'includes "none", which parameterSets does not have'],
    ['a file of fields without any', withRow({ include: ['./shop.json'] }), 'has no "properties"'],
    [
      'a required parameter that there is not',
      withRow({ parameters: { properties: {}, required: ['a'] } }),
      'items.list requires "a"',
    ],
    ['a route of another namespace', withRow({ route: '/shp/v1/items' }), 'items.list is on /shp/v1/items'],
    ['text that is not JSON', '{\n  "namespace": "shop/v1",\n  oops\n}\n', 'is not JSON'],
  ])('refuses %s in one line with file and place', (_case, file, expected) => {
    expectRefused(() => load(file), 'shop.json', expected);
  });
});

function withRow(changes: object): object {
  return { ...FILE, operations: [{ ...ROW, ...changes }] };
}

function withParameter(schema: unknown): object {
  return withRow({ parameters: { properties: { a: schema } } });
}
