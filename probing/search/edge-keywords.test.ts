import { expect, it } from 'vitest';
import type { Schema } from '../../specs/schema.ts';
import { edgeKeywords } from './tried-sets.ts';

it.each<[string, Schema, 'accepted' | 'refused', Record<string, boolean>]>([
  [
    'every limit',
    { type: 'integer', minimum: 1, maximum: 9 },
    'accepted',
    { type: true, minimum: true, maximum: true },
  ],
  ['a keyword without a value that is sure', { type: 'object' }, 'accepted', { type: false }],
  [
    'keywords of items',
    { type: 'array', items: { type: 'string', enum: ['a'] } },
    'accepted',
    { type: true, enum: true },
  ],
  ['no type beside an enum that says more', { type: 'string', enum: ['a'] }, 'refused', { enum: true }],
  ['nothing of what is about the declaration', { default: 1 }, 'accepted', {}],
])('knows %s', (_what, schema, side, keywords) => {
  expect(Object.fromEntries(edgeKeywords(schema, side))).toEqual(keywords);
});
