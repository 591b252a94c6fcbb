import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../specs/schema.ts';
import { coercibleValues } from './invalid-values.ts';
import { hostileValues } from './unusual-values.ts';

const VALUES = fc.sample(hostileValues({}), { numRuns: 20_000, seed: 1 }).map(({ value }) => value);
const TEXTS = VALUES.filter((value) => typeof value === 'string');

describe('hostile values', () => {
  it('hold long texts, halves of characters and deep structures', () => {
    expect(TEXTS.some((text) => text.length > 200_000)).toBe(true);
    expect(TEXTS.some((text) => !text.isWellFormed())).toBe(true);
    expect(VALUES.some((value) => JSON.stringify(value).startsWith('[[[[[[[[[[['))).toBe(true);
  });

  it('are bounded in size, and rarely long', () => {
    const sizes = VALUES.map((value) => Buffer.byteLength(JSON.stringify(value)));

    expect(Math.max(...sizes)).toBeLessThan(500_000);
    expect(sizes.filter((size) => size > 10_000).length).toBeLessThan(200);
  });

  it('appear at every depth of a schema', () => {
    const schema: Schema = {
      type: 'object',
      properties: { terms: { type: 'array', items: { type: 'integer' } }, name: { type: 'string' } },
    };
    const values = fc.sample(hostileValues(schema), { numRuns: 400, seed: 1 });
    const texts = values.map(({ value }) => JSON.stringify(value));
    const beginning = (start: string): number => texts.filter((text) => text.startsWith(start)).length;

    expect(texts.length - beginning('{"')).toBeGreaterThan(20);
    expect(beginning('{"name":')).toBeGreaterThan(20);
    expect(beginning('{"terms":') - beginning('{"terms":[')).toBeGreaterThan(20);
    expect(beginning('{"terms":[')).toBeGreaterThan(20);
  });
});

describe('coercible values', () => {
  it.each<[string, Schema, readonly unknown[]]>([
    ['integers', { type: 'integer' }, ['1e1', '12345678901234567890']],
    ['booleans', { type: 'boolean' }, ['TRUE', 1, '0']],
    ['dates', { type: 'string', format: 'date-time' }, ['2024-05-06 07:08:09', '2024-02-30T00:00:00']],
    ['enums', { enum: ['asc'] }, ['ASC', ' asc', 'asc,']],
    ['lists', { type: 'array', items: { type: 'integer' } }, ['1,1', 1, '1,,1', '']],
    ['objects', { type: 'object' }, ['sample', {}]],
  ])('are other spellings of %s', (_case, schema, spellings) => {
    const values = fc.sample(coercibleValues(schema) ?? expect.fail(), { numRuns: 300, seed: 1 });

    for (const value of spellings) expect(values).toContainEqual(expect.objectContaining({ value }));
    expect(values.every((one) => one.expect === 'unasserted')).toBe(true);
  });
});
