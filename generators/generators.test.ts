import { describe, expect, it } from 'vitest';
import { loadContract } from '../specs/contract.ts';
import { constraintsOf, type Schema } from '../specs/schema.ts';
import { acceptedValues, refusedValues } from './constraint-values.ts';
import { goodValue } from './valid-values.ts';
import { brokenInForms, brokenKeywords } from './validator.fixture.ts';

const contract = loadContract({ deployment: 'b', vocabulary: 'neutral' });
const parameters = contract.operations.flatMap(({ id, parameters: list }) =>
  list.map((parameter) => ({ ...parameter, name: `${id}/${parameter.name}` })),
);

describe('generators, over every parameter of the contract', () => {
  it('gives good values that the schema accepts', () => {
    const wrong = parameters.filter(({ schema }) => brokenInForms(schema, goodValue(schema)).length > 0);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each(['^[0-9X-]+$', '^\\d{4}$', '[A-Z]{3}'])('gives a good value for the pattern %s', (pattern) => {
    expect(goodValue({ type: 'string', pattern })).toMatch(new RegExp(`^(?:${pattern})$`));
  });

  it('makes no text of the greatest length where a pattern says of which characters', () => {
    const schema = { type: 'string', pattern: '^[0-9X-]+$', maxLength: 17 } as const;
    const values = constraintsOf(schema, false).flatMap((constraint) => acceptedValues(schema, constraint));

    expect(values.filter(({ value }) => !/^[0-9X-]+$/.test(String(value)))).toEqual([]);
  });

  it('breaks exactly the requested keyword', () => {
    const wrong: string[] = [];
    let probes = 0;
    for (const { name, schema, required } of parameters) {
      for (const constraint of constraintsOf(schema, required)) {
        for (const { value } of refusedValues(schema, constraint)) {
          if (value === undefined) continue;
          probes += 1;
          const broken = new Set(brokenKeywords(schema, value));
          // In JSON Schema, an excluded member makes its object closed.
          const keyword = constraint.kind === 'absent' ? 'additionalProperties' : constraint.kind;
          if (broken.size !== 1 || !broken.has(keyword)) {
            wrong.push(
              `${name} ${constraint.kind}: ${JSON.stringify(value)} breaks ${[...broken].join(', ')}`,
            );
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(probes).toBeGreaterThan(300);
  });

  it('accepts only what the schema accepts, in the form encoding', () => {
    const wrong: string[] = [];
    for (const { name, schema, required } of parameters) {
      for (const constraint of constraintsOf(schema, required)) {
        for (const { value } of acceptedValues(schema, constraint)) {
          const errors = brokenInForms(schema, value);
          if (errors.length > 0)
            wrong.push(`${name} ${constraint.kind}: ${JSON.stringify(value)} (${errors.join(', ')})`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each<[string, Schema]>([
    ['items of any kind', { type: ['array', 'object'] }],
    ['items that may be words', { type: ['array', 'object'], items: { type: ['integer', 'string'] } }],
    ['a text as well', { type: ['string', 'object'] }],
  ])('takes a word for no violation of a schema of several types with %s', (_, schema) => {
    expect(refusedValues(schema, { kind: 'type', steps: [], schema })).toEqual([]);
  });

  it('breaks keywords that a quick look at the schema does not see', () => {
    const whole = { type: 'integer' };
    const list = { type: 'array', items: whole, uniqueItems: true };
    const words = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } };
    const valuesFor = (...[schema, constraint]: Parameters<typeof refusedValues>): unknown[] =>
      refusedValues(schema, constraint).map(({ value }) => value);

    expect(valuesFor(whole, { kind: 'type', steps: [], schema: whole })).toEqual([
      'abc',
      '1abc',
      [1],
      true,
      '',
      1.5,
    ]);
    expect(valuesFor(list, { kind: 'type', steps: [], schema: list })).toEqual([
      [1, 'abc'],
      [1, 1, '1.5'],
    ]);
    expect(valuesFor(list, { kind: 'uniqueItems', steps: [], schema: list })).toEqual([[1, 2, 1]]);
    expect(valuesFor(words, { kind: 'enum', steps: [{ to: 'items' }], schema: words.items })).toEqual([
      ['not-a-member'],
      ['a', 'not-a-member'],
    ]);
  });
});
