import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract.ts';
import { testFolder } from '../folder.fixture.ts';
import { jsonSchemaDocument, jsonSchemaFile, jsonSchemas } from './json-schema.ts';
import { toOpenApi } from './openapi.ts';

function strict(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, validateFormats: true });
  ajvFormats.default(ajv);
  return ajv;
}

const AJV = strict();
const IN_NEUTRAL_WORDS = jsonSchemas(loadContract({ deployment: 'b', vocabulary: 'neutral' }));

function valid(name: string, value: unknown, schemas = IN_NEUTRAL_WORDS): boolean {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return AJV.validate(jsonSchemaFile(schema), value);
}

describe('the JSON Schemas of a contract', () => {
  it.each([
    ['a', 'neutral'],
    ['b', 'wordpress'],
  ])('compile in a strict validator: %s, %s', (deployment, vocabulary) => {
    const contract = loadContract({ deployment, vocabulary });
    const ajv = strict();
    const names = Object.keys(jsonSchemas(contract));
    ajv.addSchema(jsonSchemaDocument(contract), 'contract');
    for (const name of names) expect(ajv.getSchema(`contract#/$defs/${name}`)).toBeTypeOf('function');
    expect(names.length).toBeGreaterThan(contract.operations.length);
  });

  it.each<[string, string, unknown, boolean]>([
    ['a call', 'posts.list.arguments', { per_page: 5, status: ['draft'], categories: { terms: [1] } }, true],
    ['a limit that is broken', 'posts.list.arguments', { per_page: 101 }, false],
    ['a member that an object excludes', 'posts.list.arguments', { tags: { include_children: true } }, false],
    ['a member of another set', 'posts.list.arguments', { status: ['wild'] }, false],
    ['a missing path parameter', 'posts.read.arguments', {}, false],
    ['a text that a path parameter refuses', 'seo.import.arguments', { plugin: 'a.b', type: 'c' }, false],
    ['a field', 'posts.fields', { title: { raw: 'x' }, date: null }, true],
    ['a field of another type', 'posts.fields', { author: 'me' }, false],
    ['a record', 'posts.view', { id: 5, title: { rendered: 'x' }, meta: [], more: 1 }, true],
    ['a record that belongs to none', 'media.view', { id: 5, post: null }, true],
    ['a record without an id', 'posts.view', { title: { rendered: 'x' } }, false],
    ['a member of another context', 'posts.view', { id: 5, title: { raw: 'x' } }, false],
    ['that member in its own context', 'posts.edit', { id: 5, title: { raw: 'x', rendered: 'x' } }, true],
    ['a revision', 'post-revisions.view', { id: 5, parent: 4 }, true],
    ['a revision of nothing', 'post-revisions.view', { id: 5 }, false],
  ])('evaluate %s', (_what, name, value, expected) => {
    expect(valid(name, value)).toBe(expected);
  });

  it('use the words of the vocabulary', () => {
    const args = { is_woo_product_entity: 'x' };
    const wordpress = jsonSchemas(loadContract({ deployment: 'b', vocabulary: 'wordpress' }));

    expect(valid('seo.ai-generator.get-usage.arguments', args, wordpress)).toBe(false);
    expect(valid('seo.ai-generator.get-usage.arguments', args)).toBe(true);
  });

  it('take the records of a published contract from the site, with any field nullable', () => {
    const row = {
      section: 'published',
      basis: 'published',
      effect: 'reads',
      methods: ['GET'],
      answer: 'posts',
    };
    const order = {
      type: 'object',
      properties: {
        id: { type: ['integer', 'string'] },
        total: { type: 'number', 'x-contexts': ['edit'] },
        lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      },
    };
    const folder = testFolder({
      'shop.json': {
        ...{ namespace: 'shop/v1', id: 'shop', section: 'published', root: 'published' },
        records: { posts: order },
        resources: [{ id: 'orders', kind: 'records', section: 'published', basis: 'published' }],
        operations: [
          { ...row, id: 'orders.list', resource: 'orders', role: 'list', route: '/shop/v1/orders' },
          { ...row, id: 'orders.read', resource: 'orders', role: 'read', route: '/shop/v1/orders/{id}' },
        ],
      },
      'deployment.json': { name: 'own', title: 'Own', operations: ['core', 'cms-v2', './shop.json'] },
    });
    const contract = loadContract({ deployment: `${folder}/deployment.json`, vocabulary: 'neutral' });
    const schemas = jsonSchemas(contract);
    expect(Object.keys(schemas).filter((name) => name.endsWith('.view'))).toContain('posts-2.view');
    expect(Object.keys(schemas)).not.toContain('orders.view');
    expect(valid('posts-2.view', { id: 'x', lines: [{ sku: null }] }, schemas)).toBe(true);
    expect(valid('posts-2.view', { id: 'x', total: 5 }, schemas)).toBe(false);
    expect(valid('posts-2.edit', { id: null, total: 5, lines: null }, schemas)).toBe(true);
    expect(valid('posts-2.edit', { total: 'much' }, schemas)).toBe(false);
    expect(toOpenApi(contract, { base: undefined, pretty: 'api' }).paths['/shop/v1/orders']).toMatchObject({
      get: {
        responses: {
          '2XX': {
            content: {
              'application/json': {
                schema: { items: { anyOf: [{ $ref: '#/components/schemas/posts-2.view' }, {}, {}] } },
              },
            },
          },
        },
      },
    });
  });
});
