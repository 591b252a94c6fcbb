import { describe, expect, it } from 'vitest';
import type { Schema } from '../specs/schema.ts';
import { boundaryValues } from './boundaries.ts';
import { Unsatisfiable } from './generated.ts';
import { coercibleValues, invalidValues } from './invalid-values.ts';
import { hostileValues } from './unusual-values.ts';
import { validValues } from './valid-values.ts';

/** A schema with words that ours do not have. */
function written(text: object): Schema {
  return text;
}

describe('a schema with keywords that the generators do not know', () => {
  it.each([
    ['the keyword "multipleOf"', { type: 'integer', multipleOf: 5 }],
    ['the keyword "oneOf"', { type: 'array', items: { oneOf: [] } }],
    ['the keyword "$ref"', { properties: { a: { $ref: '#/definitions/a' } } }],
    ['the keyword "not"', { type: 'object', additionalProperties: { not: {} } }],
    ['the type "decimal"', { type: 'decimal' }],
    ['the format "email"', { type: 'string', format: 'email' }],
  ])('stops every generator with %s', (what, schema) => {
    for (const generate of [validValues, invalidValues, coercibleValues, hostileValues, boundaryValues]) {
      expect(() => generate(written(schema))).toThrow(what);
    }
  });

  it('names the place', () => {
    const schema = written({ type: 'array', items: { properties: { age: { const: 1 } } } });

    expect(() => validValues(schema)).toThrow(
      'the schema, items, age: no values can be generated for the keyword "const"',
    );
  });

  it('takes every annotation', () => {
    expect(() => validValues(written({ type: 'string', 'x-anything': 1, description: 'a' }))).not.toThrow();
  });
});

describe('a schema that nothing satisfies', () => {
  it.each([
    ['limits that exclude each other', { type: 'integer', minimum: 2, maximum: 1 }],
    ['no whole number between its limits', { type: 'integer', minimum: 1.2, maximum: 1.8 }],
    [
      'too few different items',
      { type: 'array', items: { type: 'boolean' }, minItems: 3, uniqueItems: true },
    ],
    ['a pattern that its length excludes', { type: 'string', pattern: '^a$', minLength: 2 }],
    ['a pattern that is none', { type: 'string', pattern: '(' }],
    ['an enum without members', { enum: [] }],
  ])('stops with an error for %s', (_case, schema) => {
    expect(() => validValues(schema)).toThrow(Unsatisfiable);
  });
});
