import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testFolder } from './folder.fixture.ts';
import { resolveSchema } from './load-operations.ts';
import type { Schema } from './schema.ts';
import { UsageError } from './validators.ts';

const NONE: ReadonlySet<string> = new Set();

function resolveIn(document: unknown, schema: Schema, features: ReadonlySet<string> = NONE): Schema {
  return resolveSchema(schema, { file: 'mine.json', document }, features);
}

describe('resolveSchema', () => {
  it('replaces references, and lets members beside them override', () => {
    const document = { definitions: { page: { type: 'integer', minimum: 1, default: 1 } } };

    expect(resolveIn(document, { $ref: '#/definitions/page', default: 2 })).toEqual({
      type: 'integer',
      minimum: 1,
      default: 2,
    });
  });

  it('resolves at every depth', () => {
    const document = { definitions: { id: { type: 'integer' } } };
    const ref = { $ref: '#/definitions/id' };

    expect(
      resolveIn(document, { items: ref, properties: { a: { items: ref } }, additionalProperties: ref }),
    ).toEqual({
      items: { type: 'integer' },
      properties: { a: { items: { type: 'integer' } } },
      additionalProperties: { type: 'integer' },
    });
  });

  it('follows references of references, each relative to its file', () => {
    const folder = testFolder({
      'far.json': { $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'boolean' } } },
      'near.json': { $defs: { a: { $ref: './far.json#/$defs/a' }, b: { type: 'string' } } },
    });

    expect(
      resolveSchema(
        { $ref: './near.json#/$defs/a' },
        { file: join(folder, 'mine.json'), document: {} },
        NONE,
      ),
    ).toEqual({ type: 'boolean' });
  });

  it.each([
    ['nowhere in its own file', { $ref: '#/definitions/none' }],
    ['to something that every object inherits', { $ref: '#/constructor' }],
    ['in a circle', { $ref: '#/definitions/loop' }],
    ['in a circle through its items', { $ref: '#/definitions/nest' }],
  ])('refuses a reference that leads %s', (_case, schema) => {
    const document = {
      definitions: {
        loop: { $ref: '#/definitions/loop' },
        nest: { type: 'array', items: { $ref: '#/definitions/nest' } },
      },
    };

    expect(() => resolveIn(document, schema)).toThrow(UsageError);
    expect(() => resolveIn(document, schema)).toThrow('mine.json: ');
  });

  it('refuses a reference to a missing file', () => {
    expect(() => resolveIn({}, { $ref: './gone.json#/$defs/a' })).toThrow(/gone\.json: cannot be read/);
  });

  it('leaves its argument unchanged', () => {
    const schema = Object.freeze({
      properties: Object.freeze({ a: Object.freeze({ $ref: '#/definitions/a' }) }),
    });

    expect(() => resolveIn({ definitions: { a: { type: 'string' } } }, schema)).not.toThrow();
  });

  it.each([
    [NONE, ['always']],
    [new Set(['block-theme']), ['always', 'themed']],
    [new Set(['other']), ['always']],
  ])('keeps with the features %o the members %o', (features, names) => {
    const document = { definitions: { themed: { type: 'boolean', 'x-feature': 'block-theme' } } };
    const properties = { always: { type: 'string' }, themed: { $ref: '#/definitions/themed' } };

    expect(Object.keys(resolveIn(document, { properties }, features).properties ?? {})).toEqual(names);
  });
});
