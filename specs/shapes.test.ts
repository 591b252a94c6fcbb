import { describe, expect, it } from 'vitest';
import { firstViolation, memberOnly, publishedSchema, typeWords, withoutContents } from './shapes.ts';

const ENTRY = publishedSchema('route-entry.schema.json');

describe('publishedSchema', () => {
  it('reads a place inside a schema, with its references resolved', () => {
    const methods = publishedSchema('route-entry.schema.json#/properties/endpoints/items/properties/methods');

    expect(methods).toMatchObject({ type: 'array', items: { type: 'string' } });
  });

  it.each(['none.schema.json', 'record.schema.json#/$defs/none'])('refuses %s', (reference) => {
    expect(() => publishedSchema(reference)).toThrow(/none/);
  });
});

describe('outermost', () => {
  it('leaves out the contents', () => {
    const routes = withoutContents(publishedSchema('index.schema.json#/properties/routes'));

    expect(firstViolation(routes, { '/a': 'no entry' })).toBeUndefined();
    expect(firstViolation(routes, [])).toBeUndefined();
    expect(firstViolation(routes, ['/a'])).toMatchObject({ place: '' });
  });
});

describe('memberOnly', () => {
  const shape = memberOnly(ENTRY, 'methods');

  it('evaluates one member and whether it is required', () => {
    expect(firstViolation(shape, { methods: ['GET'], namespace: 3 })).toBeUndefined();
    expect(firstViolation(shape, { methods: 'GET' })).toMatchObject({ place: '/methods', observed: 'GET' });
    expect(firstViolation(shape, { namespace: 'a/v1' })).toMatchObject({ place: '' });
  });

  it('does not take an inherited property for a member', () => {
    expect(firstViolation({ required: ['constructor'] }, {})).toBeDefined();
  });

  it('refuses a member that is not described', () => {
    expect(() => memberOnly(ENTRY, 'colour')).toThrow(/colour/);
  });
});

describe('firstViolation', () => {
  it('gives the place, its schema and its value', () => {
    expect(firstViolation(ENTRY, { namespace: 'a/v1', methods: ['GET', 5], endpoints: [] })).toMatchObject({
      place: '/methods/1',
      message: '/methods/1: must be string',
      stated: { type: 'string' },
      observed: 5,
    });
  });

  it("shows only the place of a target's value, shortened", () => {
    const long = 'x'.repeat(10_000);
    const shape = { additionalProperties: { type: 'integer' } };

    expect(firstViolation(shape, { [long]: long })?.message.length).toBeLessThan(300);
  });

  it('stops at the first violation of a list of any length', () => {
    const wrong = Array.from({ length: 500_000 }, () => 'x');
    const start = performance.now();

    expect(firstViolation({ type: 'array', items: { type: 'integer' } }, wrong)?.place).toBe('/0');
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('typeWords', () => {
  it('calls an object that may print as an empty array an object', () => {
    expect(typeWords({ type: ['object', 'array'], maxItems: 0 })).toBe('object');
    expect(typeWords({ type: ['string', 'null'] })).toBe('string or null');
  });
});
