import { describe, expect, it } from 'vitest';
import { type LintFinding, readParameterSchema } from './parameter-schema.ts';

function read(raw: unknown): {
  schema: unknown;
  required: boolean | undefined;
  rules: LintFinding['rule'][];
} {
  const rules: LintFinding['rule'][] = [];
  return { ...readParameterSchema(raw, 'a', (rule) => rules.push(rule)), rules };
}

describe('readParameterSchema', () => {
  it('takes every keyword over, in one order', () => {
    const raw = {
      required: false,
      context: ['view', 'edit'],
      pattern: '^[a-z]+$',
      maxLength: 9,
      minLength: 1,
      default: 'ab',
      enum: ['ab', 'cd'],
      type: 'string',
      description: 'A word.',
      title: 'Word',
    };

    const { schema, rules } = read(raw);

    expect(rules).toEqual([]);
    expect(JSON.stringify(schema)).toBe(
      '{"title":"Word","description":"A word.","type":"string","enum":["ab","cd"],"minLength":1,"maxLength":9,"pattern":"^[a-z]+$","x-contexts":["view","edit"],"default":"ab"}',
    );
  });

  it('takes lists and objects over at any depth, with what their members require', () => {
    const raw = {
      type: 'object',
      properties: {
        b: { type: 'array', items: { type: 'integer', minimum: 1 }, uniqueItems: true, minItems: 1 },
        a: { type: 'string', required: true, readonly: true },
      },
      additionalProperties: false,
    };

    expect(read(raw).schema).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', readOnly: true },
        b: { type: 'array', items: { type: 'integer', minimum: 1 }, uniqueItems: true, minItems: 1 },
      },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('leaves out and reports a keyword that stands among the members', () => {
    const properties = { a: { type: 'string' }, anyOf: [{ required: ['a'] }], b: [] };

    const { schema, rules } = read({ type: 'object', properties });

    expect(schema).toEqual({ type: 'object', properties: { a: { type: 'string' }, b: {} } });
    expect(rules).toContain('keyword-shape');
  });

  it.each([
    [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }],
    [{ type: 'string', format: 'email' }],
    [{ type: 'string', pattern: '^(a|b)+(c|d)*$' }],
  ])('keeps what no value can be made from, to be compared alone: %o', (raw) => {
    const { schema, rules } = read(raw);

    expect(rules).toEqual([]);
    expect(schema).toHaveProperty('x-published');
  });

  it.each([
    [
      { minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
      { minimum: 1, maximum: 8 },
    ],
    [
      { minimum: 1, exclusiveMinimum: false, exclusiveMaximum: 9 },
      { minimum: 1, maximum: 8 },
    ],
  ])('reads exclusive limits of an integer as those that may be reached: %o', (limits, expected) => {
    expect(read({ type: 'integer', ...limits }).schema).toEqual({ type: 'integer', ...expected });
  });

  it.each<[LintFinding['rule'], unknown]>([
    ['default-outside-enum', { type: 'string', enum: ['a'], default: 'b' }],
    ['default-outside-enum', { type: 'array', items: { type: 'string', enum: ['a'] }, default: ['b'] }],
    ['default-outside-limits', { type: 'integer', minimum: 5, default: 1 }],
    ['default-type', { type: 'integer', default: 'many' }],
    ['required-with-default', { type: 'integer', required: true, default: 1 }],
    ['required-unknown', { type: 'object', properties: { a: {} }, required: ['b'] }],
    ['limits-crossed', { type: 'integer', minimum: 5, maximum: 1 }],
    ['limits-crossed', { type: 'string', minLength: 5, maxLength: 1 }],
    ['enum-type', { type: 'integer', enum: ['a'] }],
    ['enum-type', { type: 'array', enum: ['a'] }],
    ['enum-empty', { type: 'string', enum: [] }],
    ['enum-repeated', { type: 'string', enum: ['a', 'a'] }],
    ['type-unknown', { type: 'mixed' }],
    ['keyword-shape', 'text'],
    ['keyword-shape', { type: 'integer', minimum: 'one' }],
    ['keyword-beside-type', { type: 'string', minimum: 1 }],
    ['pattern-invalid', { type: 'string', pattern: '([a-z' }],
    ['pattern-not-comparable', { type: 'string', pattern: '^(?!a).+$' }],
  ])('reports %s of %o', (rule, raw) => {
    expect(read(raw).rules).toEqual([rule]);
  });

  it('leaves out what contradicts itself, and says nothing of what is required beside a default', () => {
    expect(read({ type: 'integer', minimum: 5, maximum: 1, default: 3 }).schema).toEqual({
      type: 'integer',
      default: 3,
      'x-silent': ['minimum', 'maximum'],
    });
    expect(read({ type: 'integer', required: true, default: 1 })).toMatchObject({
      schema: { default: 1, 'x-silent': ['required'] },
      required: undefined,
    });
  });

  it('takes words for the same types and values that a form carries for good', () => {
    const raw = { type: 'int', default: '10', enum: ['10', 20] };

    expect(read(raw)).toMatchObject({ schema: { type: 'integer' }, rules: [] });
  });

  it('reads a description that is nested without end up to a bound', () => {
    let raw: unknown = { type: 'string' };
    for (let depth = 0; depth < 1000; depth += 1) raw = { type: 'array', items: raw };

    expect(read(raw).rules).toEqual(['too-deep']);
  });
});
