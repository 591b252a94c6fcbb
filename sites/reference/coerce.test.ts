import { describe, expect, it } from 'vitest';
import { coerce, Invalid } from './arguments.ts';
import type { Json } from './json.ts';
import type { Schema } from './schema.ts';

const read = (value: Json, schema: Schema): Json | 'refused' => {
  try {
    return coerce(value, schema, 'it');
  } catch (failure) {
    if (failure instanceof Invalid) return 'refused';
    throw failure;
  }
};

const TERMS: Schema = {
  type: ['array', 'object'],
  items: { type: 'integer' },
  properties: { terms: { type: 'array', items: { type: 'integer' } }, operator: { enum: ['AND', 'OR'] } },
  additionalProperties: false,
};

const ACCEPTED: [string, Json, Schema, Json][] = [
  ['digits as an integer', '15', { type: 'integer' }, 15],
  ['a boundary', '100', { type: 'integer', maximum: 100 }, 100],
  ['true as a boolean', 'true', { type: 'boolean' }, true],
  ['0 as a boolean', '0', { type: 'boolean' }, false],
  ['a comma list of integers', '1,2', { type: 'array', items: { type: 'integer' } }, [1, 2]],
  ['an indexed list', { 0: '1', 5: '2' }, { type: 'array', items: { type: 'integer' } }, [1, 2]],
  ['nothing as an empty list', '', { type: 'array', items: { type: 'integer' } }, []],
  ['a date and time with an offset', '2024-05-06T07:08:09+02:00', dateTime(), '2024-05-06T07:08:09+02:00'],
  ['ids as a term filter', '1,2', TERMS, [1, 2]],
  ['an object as a term filter', { terms: '3', operator: 'AND' }, TERMS, { terms: [3], operator: 'AND' }],
  ['null where it is named', null, { type: ['string', 'null'], format: 'date-time' }, null],
  ['text of the greatest length', 'abc', { type: 'string', maxLength: 3 }, 'abc'],
  ['any other member', { a: 1 }, { type: 'object', additionalProperties: true }, { a: 1 }],
  ['a value without a stated type', ['x'], {}, ['x']],
];

const REFUSED: [string, Json, Schema][] = [
  ['an empty integer', '', { type: 'integer' }],
  ['letters as an integer', 'abc', { type: 'integer' }],
  ['digits and letters', '1abc', { type: 'integer' }],
  ['a fraction', '1.5', { type: 'integer' }],
  ['a boolean as an integer', true, { type: 'integer' }],
  ['a list as an integer', ['1'], { type: 'integer' }],
  ['beyond the maximum', 101, { type: 'integer', maximum: 100 }],
  ['below the minimum', 0, { type: 'integer', minimum: 1 }],
  ['yes as a boolean', 'yes', { type: 'boolean' }],
  ['2 as a boolean', 2, { type: 'boolean' }],
  ['a list as a boolean', ['true'], { type: 'boolean' }],
  ['an empty boolean', '', { type: 'boolean' }],
  ['a date alone', '2024-05-06', dateTime()],
  ['month 13', '2024-13-06T07:08:09', dateTime()],
  ['an empty date', '', dateTime()],
  ['a word outside the enum', 'middle', { type: 'string', enum: ['asc', 'desc'] }],
  ['a list as a word of an enum', ['asc'], { enum: ['asc', 'desc'] }],
  ['a word in a list of integers', '1,abc', { type: 'array', items: { type: 'integer' } }],
  ['a list in a list of integers', [[1]], { type: 'array', items: { type: 'integer' } }],
  ['a duplicate where members are unique', 'a,a', { type: 'array', uniqueItems: true }],
  ['too few members', [], { type: 'array', minItems: 1 }],
  ['too many members', [1, 2], { type: 'array', maxItems: 1 }],
  ['text that is too long', 'abcd', { type: 'string', maxLength: 3 }],
  ['text that is too short', '', { type: 'string', minLength: 1 }],
  ['text off the pattern', 'a b', { type: 'string', pattern: '^[\\w-]+$' }],
  ['text that is no address', 'not one', { type: 'string', format: 'uri' }],
  ['a structure as text', { a: 'b' }, { type: 'string' }],
  ['a list as text', ['a'], { type: 'string' }],
  ['an unknown member of a term filter', { other: '1' }, TERMS],
  ['a lower-case operator', { terms: '1', operator: 'and' }, TERMS],
  ['an empty term filter', '', TERMS],
  ['an object without a required member', {}, { type: 'object', required: ['path'] }],
  ['a wrong extra member', { a: {} }, { type: 'object', additionalProperties: { type: 'string' } }],
];

function dateTime(): Schema {
  return { type: 'string', format: 'date-time' };
}

describe('coerce', () => {
  it.each(ACCEPTED)('takes %s', (_, value, schema, expected) => {
    expect(read(value, schema)).toEqual(expected);
  });

  it.each(REFUSED)('refuses %s', (_, value, schema) => {
    expect(read(value, schema)).toBe('refused');
  });
});
