import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema.ts';
import { plainSchema } from './plain-schema.ts';

describe('a schema in strict form', () => {
  it.each<[string, Schema, unknown]>([
    ['annotations', { type: 'string', 'x-section': '2', 'x-absent': ['default'] }, { type: 'string' }],
    [
      'a lone default of an array',
      { type: 'array', default: 'publish' },
      { type: 'array', default: ['publish'] },
    ],
    [
      'a default of another type',
      { type: 'array', default: { ID: 'id' } },
      { type: 'array', $comment: 'stated as well: default {"ID":"id"}' },
    ],
    [
      'null beside a type',
      { type: ['string', 'null'], format: 'date' },
      { type: ['string', 'null'], format: 'date' },
    ],
    [
      'several types, each with its keywords',
      { type: ['array', 'object'], items: { type: 'integer' }, properties: {}, additionalProperties: false },
      {
        anyOf: [
          { type: 'array', items: { type: 'integer' } },
          { type: 'object', properties: {}, additionalProperties: false },
        ],
      },
    ],
    [
      'keywords without a type',
      { minimum: 1, enum: [1, 'all'] },
      { enum: [1, 'all'], allOf: [{ anyOf: [{ not: { type: 'number' } }, { type: 'number', minimum: 1 }] }] },
    ],
    [
      'what other tools cannot read',
      { type: 'string', pattern: '(?<!a)b(?', format: 'hex-color' },
      { type: 'string', $comment: 'stated as well: pattern "(?<!a)b(?", format "hex-color"' },
    ],
  ])('says %s', (_what, schema, expected) => {
    const ajv = new Ajv2020({ strict: true });
    ajvFormats.default(ajv);
    const plain = plainSchema(schema);

    expect(plain).toEqual(expected);
    expect(ajv.compile(plain)).toBeTypeOf('function');
  });
});
