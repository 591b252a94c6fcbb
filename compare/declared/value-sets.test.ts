import { expect, it } from 'vitest';
import { effectOfSchemas } from './value-sets.ts';

const UUID = { type: 'string', format: 'uuid' };
/** Objects that differ by their member `type`. */
const edits = (...names: readonly string[]): unknown => ({
  type: 'object',
  required: ['type'],
  oneOf: names.map((name) => ({ properties: { type: { type: 'string', enum: [name] } } })),
});
const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };
const object = (a: unknown): object => ({ type: 'object', properties: { a } });
const ENUM = { type: 'string', enum: ['a', 'b'] };

it.each<[unknown, unknown, string]>([
  [{ enum: ['a', 'b'] }, { enum: ['a'] }, 'narrows'],
  [{ enum: ['a'] }, { enum: ['a', 'b'] }, 'widens'],
  [{ enum: ['a'] }, { enum: ['b'] }, 'incomparable'],
  [{ enum: ['a', 'b'] }, { enum: ['b', 'a'] }, 'none'],
  [{ enum: { a: 'a', b: 'b' } }, { enum: ['a'] }, 'narrows'],
  [{}, { enum: ['a'] }, 'narrows'],
  [{ enum: ['a'] }, {}, 'widens'],
  [{ type: 'integer' }, { type: 'number' }, 'widens'],
  [{ type: 'number' }, { type: 'integer' }, 'narrows'],
  [{ type: 'int' }, { type: 'integer' }, 'none'],
  [{ type: 'integer' }, { type: ['integer', 'null'] }, 'widens'],
  [{ type: 'integer' }, { type: 'string' }, 'incomparable'],
  [{ minimum: 1 }, { minimum: 2 }, 'narrows'],
  [{ minimum: 2 }, { minimum: 1 }, 'widens'],
  [{}, { minimum: 0 }, 'narrows'],
  [{ minimum: 1, maximum: 100 }, { minimum: 2, maximum: 200 }, 'incomparable'],
  [{ minimum: 1, exclusiveMinimum: true }, { minimum: 1 }, 'widens'],
  [{ maximum: 50 }, { maximum: '50' }, 'unknown'],
  [{ maxLength: 20 }, { maxLength: 10 }, 'narrows'],
  [{ minItems: 1 }, { minItems: 0 }, 'widens'],
  [{}, { uniqueItems: true }, 'narrows'],
  [{}, { pattern: '^a$' }, 'narrows'],
  [{ pattern: '^a$' }, {}, 'widens'],
  [{ pattern: '^a$' }, { pattern: '^b$' }, 'incomparable'],
  [{ pattern: '^a+$' }, { pattern: '^a*$' }, 'unknown'],
  [{ pattern: '^[\\w-]+$' }, { pattern: '^[\\w%-]+$' }, 'widens'],
  [{ pattern: '^[\\w%-]+$' }, { pattern: '^[\\w-]+$' }, 'narrows'],
  [{ pattern: '^[^a]$' }, { pattern: '^[^ab]$' }, 'narrows'],
  [{ pattern: '^[^ab]$' }, { pattern: '^[^a]$' }, 'widens'],
  [{ pattern: '^\\[a]x$' }, { pattern: '^\\[ab]x$' }, 'unknown'],
  [{ pattern: '(?<=a)b' }, { pattern: '(?<=a)c' }, 'unknown'],
  [{ format: 'email' }, { format: 'uri' }, 'incomparable'],
  [{ format: 'strange' }, { format: 'stranger' }, 'unknown'],
  [{}, { oneOf: [{}] }, 'none'],
  [{}, { oneOf: [{}, { type: 'string' }] }, 'narrows'],
  [{ 'x-unheard-of': 1 }, { 'x-unheard-of': 2 }, 'unknown'],
  [{ 'x-unheard-of': 1, maximum: 9 }, { 'x-unheard-of': 1, maximum: 5 }, 'narrows'],
  [{ properties: [] }, { properties: {} }, 'none'],
  [7, { type: 'string' }, 'unknown'],
])('from %j to %j it %s', (before, after, expected) => {
  expect(effectOfSchemas(before, after).effect).toBe(expected);
});

it.each<[string, unknown, unknown, string]>([
  ['a form that takes nothing as well', UUID, { oneOf: [UUID, { type: 'string', enum: [''] }] }, 'widens'],
  ['a form that another member tells', edits('crop', 'turn'), edits('flip', 'crop', 'turn'), 'widens'],
  ['a form that no member distinguishes', edits('crop'), edits('crop', 'crop'), 'narrows'],
  ['the reverse of it', { oneOf: [UUID, { type: 'string', enum: [''] }] }, UUID, 'narrows'],
  [
    'a set that became its values one by one, and more',
    ENUM,
    { oneOf: ['a', 'b', 'c'].map((one) => ({ type: 'string', enum: [one] })) },
    'widens',
  ],
  ['a text in place of which each of two types does', TEXT, { anyOf: [TEXT, INTEGER] }, 'widens'],
  ['a removed type of a choice', { anyOf: [TEXT, INTEGER] }, TEXT, 'narrows'],
  [
    'several types, each with a branch of its own',
    { type: ['string', 'integer'] },
    { oneOf: [TEXT, INTEGER] },
    'none',
  ],
  ['branches that exclude what both take', TEXT, { oneOf: [TEXT, { ...TEXT, maxLength: 3 }] }, 'narrows'],
  ['a set that moved into items', ENUM, { type: 'array', items: ENUM }, 'unknown'],
  ['a list of anything that takes a set now', { type: 'array' }, { type: 'array', items: ENUM }, 'narrows'],
  ['a member of another type', object(INTEGER), object({ type: 'number' }), 'widens'],
  ['an object that is closed', object({}), { ...object({}), additionalProperties: false }, 'narrows'],
  ['a required member', { properties: { a: { required: true } } }, { properties: { a: {} } }, 'widens'],
  [
    'a closed branch beside members that it does not name',
    { properties: { a: {} }, additionalProperties: false, anyOf: [{ properties: { b: {} } }] },
    { properties: { b: {} }, additionalProperties: false },
    'incomparable',
  ],
])('sees what the whole schema takes: %s', (_title, before, after, expected) => {
  expect(effectOfSchemas(before, after).effect).toBe(expected);
});

it.each<[unknown, unknown, string]>([
  [{ type: 'integer' }, { type: 'string' }, 'widens'],
  [{ type: 'string' }, { type: 'boolean' }, 'narrows'],
  [{ type: 'string' }, { type: 'array' }, 'unknown'],
  [{ type: 'integer' }, { type: 'string', minLength: 5 }, 'incomparable'],
  [{ type: 'integer', enum: [1, 2] }, { type: 'string', enum: ['1', '2', '3'] }, 'widens'],
])('reads everything as text in a query: from %j to %j it %s', (before, after, expected) => {
  expect(effectOfSchemas(before, after, true).effect).toBe(expected);
});

it('ends soon, whatever a target declares', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? { type: 'string' } : { anyOf: [nested(depth - 1), nested(depth - 1)] };
  const names = Array.from({ length: 20_000 }, (_, at) => `member-${at}`);
  const branches = names
    .slice(0, 60)
    .map((name) => ({ required: [name], properties: { [name]: { enum: names.slice(0, 30) } } }));
  const begin = performance.now();

  for (const before of [
    nested(5),
    nested(8),
    { pattern: '(a+)+$' },
    { pattern: `${'(a{1,99}){1,99}'.repeat(9)}` },
    { required: names },
    { oneOf: branches },
    { anyOf: [{ enum: names }, { enum: names }] },
  ]) {
    expect(effectOfSchemas(before, { type: 'object', properties: { a: nested(4) } }).effect).toMatch(
      /narrows|incomparable|unknown/,
    );
  }
  expect(performance.now() - begin).toBeLessThan(10_000);
});

it('names a value that is no longer accepted', () => {
  expect(effectOfSchemas({ type: 'integer' }, { type: 'integer', maximum: 50 })).toEqual({
    effect: 'narrows',
    example: 51,
  });
});
