import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../client/json.ts';
import { loadContract } from '../../specs/contract.ts';
import { type Part, toOpenApi } from './openapi.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const documents = ['b', 'core'].map((deployment) => {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  return [deployment, toOpenApi(contract, new Set(contract.operations.map(({ id }) => id)))] as const;
});

describe.each(documents)('the OpenAPI document of %s', (_name, document) => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const parametersOf = ({ parameters }: Part): Part[] =>
    Array.isArray(parameters) ? parameters.filter(isObject) : [];

  it('names its version, itself, and paths with methods that there are', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toEqual({ title: expect.any(String), version: expect.any(String) });
    expect(operations.length).toBeGreaterThan(30);
    expect(operations.filter(({ path }) => !path.startsWith('/'))).toEqual([]);
    expect(operations.filter(({ method }) => !METHODS.includes(method))).toEqual([]);
  });

  it('gives each operation an id of its own and an answer', () => {
    const ids = operations.map(({ operation }) => operation.operationId);

    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations) {
      const answers = isObject(operation.responses) ? operation.responses : {};

      expect(Object.keys(answers).filter((status) => !/^(default|20[01])$/.test(status))).toEqual([]);
      expect(answers.default).toEqual({ description: expect.any(String) });
    }
  });

  it('declares every capture of a path once, as required, and no parameter twice', () => {
    for (const { path, operation } of operations) {
      const parameters = parametersOf(operation);
      const captured = parameters.filter((one) => one.in === 'path');
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

      expect(captured.map(({ name }) => name)).toEqual(names);
      expect(captured.every(({ required }) => required === true)).toBe(true);
      expect(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(parameters.length);
    }
  });

  it('holds JSON Schema 2020-12 alone, which a strict reader compiles', () => {
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      strictRequired: false,
      strictTypes: false,
    });
    ajvFormats.default(ajv);
    for (const { operation } of operations) {
      const body = operation.requestBody;
      const content = isObject(body) && isObject(body.content) ? body.content['application/json'] : undefined;
      const schemas = [
        ...parametersOf(operation).map(({ schema }) => schema),
        ...(isObject(content) ? [content.schema] : []),
      ];

      for (const schema of schemas) expect(() => ajv.compile(isObject(schema) ? schema : {})).not.toThrow();
    }
  });
});

it('writes arguments of a read into its query, and those of a write into its body', () => {
  const [, core] = documents.at(-1) ?? [];
  const posts = core?.paths['/cms/v2/posts'];

  expect(posts?.get).toMatchObject({
    parameters: expect.arrayContaining([
      {
        name: 'author',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'integer' } },
      },
    ]),
  });
  expect(posts?.get).toMatchObject({
    parameters: expect.arrayContaining([
      expect.objectContaining({
        name: 'orderby',
        schema: { type: 'string', enum: expect.not.arrayContaining(['relevance']) },
      }),
    ]),
  });
  expect(posts?.post).toMatchObject({
    requestBody: {
      content: { 'application/json': { schema: { properties: { status: { type: 'string' } } } } },
    },
  });
});
