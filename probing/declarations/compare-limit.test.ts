import { describe, expect, it } from 'vitest';
import type { Difference } from '../../engine/equal.ts';
import type { LimitKeyword, Schema } from '../../specs/schema.ts';
import { compareLimit } from './compare-keywords.ts';
import { readDescriptor } from './descriptor.ts';

function compare(keyword: LimitKeyword, schema: Schema, raw: unknown): Difference | undefined {
  return compareLimit(keyword, schema, readDescriptor(raw) ?? expect.fail('no descriptor'));
}

describe('compareLimit', () => {
  it.each<[LimitKeyword, Schema, unknown]>([
    ['minimum', {}, { minimum: 3 }],
    ['minimum', { minimum: 1 }, { minimum: 1 }],
    ['minimum', { minimum: 0 }, { minimum: 0 }],
    ['minimum', { minimum: 1 }, { type: 'integer', minimum: 0, exclusiveMinimum: true }],
    ['minimum', { minimum: 1 }, { type: 'int', exclusiveMinimum: 0 }],
    ['maximum', { maximum: 100 }, { type: 'integer', maximum: 101, exclusiveMaximum: true }],
    ['maximum', { maximum: 100 }, { type: 'integer', exclusiveMaximum: 101 }],
    ['maximum', { maximum: 100 }, { type: 'integer', maximum: 500, exclusiveMaximum: 101 }],
    ['maximum', { maximum: 100 }, { type: 'integer', maximum: 100, exclusiveMaximum: false }],
    ['maximum', { maximum: 100 }, { oneOf: [{ type: 'integer', maximum: 100 }, { type: 'null' }] }],
    ['maxItems', { maxItems: 25 }, { maxItems: 25 }],
  ])('finds no difference in %s between %j and %j', (keyword, schema, raw) => {
    expect(compare(keyword, schema, raw)).toBeUndefined();
  });

  it.each<[LimitKeyword, number, unknown, string]>([
    ['minimum', 1, { minimum: 0 }, 'wider'],
    ['minimum', 1, { minimum: 2 }, 'narrower'],
    ['minimum', 1, { type: 'integer', minimum: 1, exclusiveMinimum: true }, 'narrower'],
    ['maximum', 100, { maximum: 101 }, 'wider'],
    ['maximum', 100, { maximum: 99 }, 'narrower'],
    ['maximum', 100, { type: 'integer', exclusiveMaximum: 100 }, 'narrower'],
    ['minLength', 1, { minLength: 0 }, 'wider'],
    ['maxLength', 500, { maxLength: 100 }, 'narrower'],
    ['minItems', 1, { minItems: 2 }, 'narrower'],
    ['maxItems', 25, { maxItems: 50 }, 'wider'],
  ])('says of %s %i against %j that it is %s, and which side breaks', (keyword, limit, raw, word) => {
    const difference = compare(keyword, { [keyword]: limit }, raw);
    const side = word === 'wider' ? 'those who rely on the limit break' : 'callers that send them break';

    expect(difference?.message).toContain(`has a ${word} ${keyword}: `);
    expect(difference?.message).toContain(side);
    expect(difference?.expected).toBe(String(limit));
  });

  it('says that there is none', () => {
    expect(compare('maximum', { maximum: 100 }, {})).toMatchObject({
      message: expect.stringContaining('declares no maximum'),
      observed: 'nothing',
    });
  });
});
