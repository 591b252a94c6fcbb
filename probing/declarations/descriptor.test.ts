import { describe, expect, it } from 'vitest';
import { type Descriptor, readDescriptor } from './descriptor.ts';

function read(raw: unknown): Descriptor {
  return readDescriptor(raw) ?? expect.fail('no descriptor');
}

describe('readDescriptor', () => {
  it.each([undefined, null, 'string', 3, true, ['a']])('reads nothing from %j', (raw) => {
    expect(readDescriptor(raw)).toBeUndefined();
  });

  it('reads an empty object that is printed as an empty list (R30)', () => {
    expect(read([]).types()).toEqual([]);
  });
});

describe('types', () => {
  it.each([
    [{ type: 'integer' }, ['integer']],
    [{ type: 'int' }, ['integer']],
    [{ type: 'bool' }, ['boolean']],
    [{ type: ['null', 'string'] }, ['null', 'string']],
    [{ type: ['string', 'null'] }, ['null', 'string']],
    [{ type: ['int', 'integer', 'bool'] }, ['boolean', 'integer']],
    [{ oneOf: [{ type: 'array' }, { type: 'object' }] }, ['array', 'object']],
    [{ anyOf: [{ type: ['string', 'null'] }, { type: 'int' }] }, ['integer', 'null', 'string']],
    [{ type: 'array', oneOf: [{ type: 'object' }] }, ['array']],
    [{ oneOf: { type: 'array' } }, []],
    [{ oneOf: [null, 'array', { type: 3 }] }, []],
    [{ type: 3 }, []],
    [{ type: ['string', 3] }, ['string']],
    [{}, []],
  ])('of %j are %j', (raw, types) => {
    expect(read(raw).types()).toEqual(types);
  });
});

describe('keywords', () => {
  it('come from the descriptor itself before a variant, and from a variant before nothing', () => {
    const descriptor = read({ default: 1, oneOf: [{ default: 2, format: 'uri' }, { format: 'date-time' }] });

    expect(descriptor.keyword('default')).toBe(1);
    expect(descriptor.keyword('format')).toBe('uri');
    expect(descriptor.keyword('minimum')).toBeUndefined();
  });

  it('are never those that every object inherits', () => {
    expect(read({}).keyword('constructor')).toBeUndefined();
    expect(read({ properties: {} }).property('toString')).toBeUndefined();
  });

  it('that hold a list are united over the variants, unless the descriptor has its own', () => {
    expect(read({ oneOf: [{ enum: ['a'] }, { type: 'null' }, { enum: ['b'] }] }).listed('enum')).toEqual([
      'a',
      'b',
    ]);
    expect(read({ enum: ['c'], oneOf: [{ enum: ['a'] }] }).listed('enum')).toEqual(['c']);
    expect(read({ enum: 'a' }).listed('enum')).toBeUndefined();
  });
});

describe('what is nested', () => {
  const variants = {
    oneOf: [
      { type: 'array', items: { type: 'integer' } },
      { type: 'object', properties: { terms: { type: 'array' } }, additionalProperties: { type: 'string' } },
    ],
  };

  it('is found in a variant', () => {
    expect(read(variants).items()?.types()).toEqual(['integer']);
    expect(read(variants).property('terms')?.types()).toEqual(['array']);
    expect(read(variants).additional()?.types()).toEqual(['string']);
    expect(read(variants).property('operator')).toBeUndefined();
  });

  it.each([
    [{ required: ['a'], properties: { a: {} } }, true],
    [{ properties: { a: { required: true } } }, true],
    [{ oneOf: [{ required: ['a'] }] }, true],
    [{ required: ['b'], properties: { a: {} } }, false],
    [{ required: true, properties: { a: {} } }, false],
    [{ properties: { a: { required: 'true' } } }, false],
  ])('of %j says whether a is required, in either spelling (R28): %s', (raw, required) => {
    expect(read(raw).requires('a')).toBe(required);
  });
});
