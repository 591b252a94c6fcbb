import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract.ts';
import { testFolder } from '../folder.fixture.ts';
import { toOpenApi } from './openapi.ts';
import type { Part } from './plain-schema.ts';

function exported(deployment: string, pretty?: string, vocabulary = 'neutral'): ReturnType<typeof toOpenApi> {
  return toOpenApi(loadContract({ deployment, vocabulary }), { base: undefined, pretty });
}

function parameterOf(
  document: ReturnType<typeof toOpenApi>,
  path: string,
  name: string,
  method = 'get',
): Part | undefined {
  const parameters = document.paths[path]?.[method]?.parameters;
  return Array.isArray(parameters) ? parameters.find((one) => one.name === name) : undefined;
}

describe('the OpenAPI document of a contract', () => {
  it.each([
    { deployment: 'core', pretty: undefined, vocabulary: 'neutral' },
    { deployment: 'a', pretty: undefined, vocabulary: 'wordpress' },
    { deployment: 'b', pretty: undefined, vocabulary: 'neutral' },
    { deployment: 'b', pretty: 'api', vocabulary: 'wordpress' },
  ])('is valid in OpenAPI 3.1: $deployment, $pretty', async (about) => {
    const validator = new Validator();
    const document = exported(about.deployment, about.pretty, about.vocabulary);
    const { valid, errors } = await validator.validate({ ...document });

    expect({ valid, errors, version: validator.version }).toEqual({
      valid: true,
      errors: undefined,
      version: '3.1',
    });
  });

  it('would be invalid with anything that OpenAPI does not know', async () => {
    const document = { ...exported('core'), servers: [{ url: 5 }] };

    expect(await new Validator().validate(document)).toMatchObject({ valid: false });
  });

  it('has each method of each operation once, with our ids', () => {
    const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });
    const ids = Object.values(exported('b').paths).flatMap((item) =>
      Object.values(item).map((one) => one.operationId),
    );

    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(contract.operations.reduce((sum, { methods }) => sum + methods.length, 0));
    expect(ids).toEqual(expect.arrayContaining(contract.operations.map(({ id }) => id)));
  });

  it('has the route as a query parameter, as in the interface', () => {
    const document = exported('core');
    const [server] = Array.isArray(document.servers) ? document.servers : [];

    expect(server).toMatchObject({ url: '{base}' });
    expect(parameterOf(document, '/index.php#/cms/v2/posts', 'rest_route')).toMatchObject({
      required: true,
      schema: { enum: ['/cms/v2/posts'] },
    });
    const item = parameterOf(document, '/index.php#/cms/v2/posts/:id', 'rest_route');
    const pattern = new RegExp(String(Object(item?.schema).pattern));
    expect(pattern.test('/cms/v2/posts/12')).toBe(true);
    expect(pattern.test('/cms/v2/posts/abc')).toBe(false);
    expect(pattern.test('/cms/v2/posts/12/revisions')).toBe(false);
  });

  it('has the route as a path if the site has such addresses', () => {
    const document = toOpenApi(loadContract({ deployment: 'b', vocabulary: 'wordpress' }), {
      base: 'https://site.example/blog',
      pretty: 'api',
    });

    expect(document.servers).toEqual([{ url: 'https://site.example/blog/api' }]);
    expect(parameterOf(document, '/wp/v2/posts/{id}', 'id')).toMatchObject({
      in: 'path',
      schema: { type: 'integer' },
    });
    expect(parameterOf(document, '/yoast/v1/import/{plugin}/{type}', 'type', 'post')).toMatchObject({
      schema: { pattern: '^(?:[\\w-]+)$' },
    });
  });

  it('distinguishes paths that differ only in names of parameters', async () => {
    const row = { methods: ['GET'], section: 'own', basis: 'stated', effect: 'reads' };
    const operations = [
      { ...row, id: 'shop.by-id', route: '/shop/v1/things/{id}', captures: { id: 'digits' } },
      { ...row, id: 'shop.by-slug', route: '/shop/v1/things/{slug}', captures: { slug: 'letter-word' } },
    ];
    const folder = testFolder({
      'shop.json': { namespace: 'shop/v1', id: 'shop', section: 'own', root: 'stated', operations },
      'deployment.json': { name: 'own', title: 'Own', operations: ['core', './shop.json'] },
    });
    const document = exported(`${folder}/deployment.json`, 'api');

    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/shop/v1/things/{id}', '/shop/v1/things/{slug}#slug']),
    );
    expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
  });

  it('writes arrays with brackets and objects nested', () => {
    const document = exported('b');
    const list = '/index.php#/cms/v2/posts';

    expect(parameterOf(document, list, 'status[]')).toMatchObject({
      style: 'form',
      explode: true,
      schema: { type: 'array', default: ['publish'] },
      'x-name': 'status',
    });
    expect(parameterOf(document, list, 'categories[]')).toMatchObject({
      schema: { type: 'array', items: { type: 'integer' } },
      'x-object-form': { type: 'object', additionalProperties: false },
    });
    expect(parameterOf(document, '/index.php#/seo/v1/get_tasks', 'options')).toMatchObject({
      style: 'deepObject',
    });
  });

  it('accepts bodies as JSON and as forms, but no list of structures in a form', () => {
    const { paths } = exported('core', 'api');
    const create = Object(paths['/cms/v2/posts']?.post?.requestBody).content;
    const batch = Object(paths['/batch/v1']?.post?.requestBody).content;

    expect(Object.keys(create)).toEqual(['application/json', 'application/x-www-form-urlencoded']);
    expect(create['application/x-www-form-urlencoded']).toMatchObject({
      schema: { properties: { 'categories[]': { type: 'array' } } },
      encoding: { title: { style: 'deepObject' }, 'categories[]': { explode: true } },
    });
    expect(Object.keys(batch)).toEqual(['application/json']);
    expect(Object.keys(Object(paths['/cms/v2/media']?.post?.requestBody).content)).toContain(
      'multipart/form-data',
    );
  });

  it('requires no credentials for reads, and requires them for anything else', () => {
    const { paths, security } = exported('core', 'api');

    expect(security).toContainEqual({});
    expect(paths['/cms/v2/posts']?.get?.security).toBeUndefined();
    expect(paths['/cms/v2/posts']?.post?.security).toEqual([{ applicationPassword: [] }]);
  });

  it('answers with records by context, and states nothing about errors', () => {
    const document = exported('core', 'api');
    const schemas = Object(document.components).schemas;

    expect(document.paths['/cms/v2/posts']?.get?.responses).toMatchObject({
      '2XX': {
        content: {
          'application/json': {
            schema: {
              type: 'array',
              items: { anyOf: [{ $ref: '#/components/schemas/posts.view' }, {}, {}] },
            },
          },
        },
      },
    });
    expect(Object.keys(schemas['posts.view'].properties.title.anyOf[0].properties)).toEqual(['rendered']);
    expect(Object.keys(schemas['posts.edit'].properties.title.anyOf[0].properties)).toEqual([
      'raw',
      'rendered',
    ]);
    expect(schemas.error.properties).toEqual({ code: {}, message: {}, data: {} });
  });
});
