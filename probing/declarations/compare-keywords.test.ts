import { describe, expect, it } from 'vitest';
import type { Schema } from '../../specs/schema.ts';
import { compareDefault, compareSets } from './compare-keywords.ts';

describe('compareSets', () => {
  it.each([
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a'], ['a', 'a']],
    [
      [1, '1', null, true],
      [true, null, '1', 1],
    ],
    [[], []],
  ])('finds %j and %j the same', (expected, observed) => {
    expect(compareSets('enum', expected, observed)).toBeUndefined();
  });

  it('says that a set is narrower, by what, and that callers break', () => {
    expect(compareSets('enum', ['a', 'b', 'c'], ['a'])).toEqual({
      message: 'has another enum, narrower: "b", "c" not allowed, so callers that use it break',
      expected: '"a", "b", "c"',
      observed: '"a"',
    });
  });

  it('says that a set is wider, by what, and that those who rely on it break', () => {
    // A plugin that registers a status twice has it listed twice.
    expect(compareSets('type', ['integer'], ['integer', 'null', 'null'])?.message).toBe(
      `has another type, wider: "null" also allowed, so those who rely on the contract's set being complete break`,
    );
  });

  it('names the words that an enum has beside all of the contract', () => {
    expect(compareSets('enum', ['a'], ['a', 'b', 'c'])).toMatchObject({ adds: ['b', 'c'] });
    for (const [what, observed] of [
      ['enum', ['b']],
      ['enum', ['a', 1]],
      ['type', ['a', 'b']],
    ] as const) {
      expect(compareSets(what, ['a'], observed)).not.toHaveProperty('adds');
    }
  });

  it('says both when both hold', () => {
    expect(compareSets('enum', ['a'], ['b'])?.message).toMatch(/narrower: "a" .*; and wider: "b" /);
  });

  it('says that there is none', () => {
    expect(compareSets('enum', ['a'], undefined)).toMatchObject({
      message: expect.stringContaining('declares no enum'),
      observed: 'nothing',
    });
  });

  it.each([
    [['1'], [1]],
    [[null], ['null']],
    [['a'], [['a']]],
  ])('distinguishes %j from %j', (expected, observed) => {
    expect(compareSets('enum', expected, observed)).toBeDefined();
  });

  it('distinguishes values that are too long to be shown', () => {
    const long = 'x'.repeat(1000);

    expect(compareSets('enum', [`${long}a`], [`${long}b`])).toBeDefined();
  });
});

const STATUS: Schema = { type: 'array', default: 'publish' };

describe('compareDefault', () => {
  it.each<[string, Schema, unknown]>([
    ['the same value', { type: 'integer', default: 10 }, 10],
    ['a lone value as a list of one (R5)', STATUS, ['publish']],
    ['a list of one as a lone value (R5)', { type: 'array', default: ['publish'] }, 'publish'],
    ['a lone value as it stands (R5)', STATUS, 'publish'],
    ['an object for a list (R23)', { type: 'array', default: { a: 'b', c: 'd' } }, { c: 'd', a: 'b' }],
    ['an empty object as an empty list (R30)', { type: 'object', default: {} }, []],
    ['an empty list as an empty object (R30)', { type: 'array', default: [] }, {}],
    ['no default for a default of null', { default: null }, undefined],
    ['null for a default of null', { type: 'array', default: null }, null],
    ['false', { type: 'boolean', default: false }, false],
    ['an empty text', { type: 'string', default: '' }, ''],
    ['a time that is counted from the clock', { default: '2028-11-23 20:58:19' }, '2028-11-23T20:59:05'],
    ['the members of a list in another order', { type: 'array', default: ['a', 'b'] }, ['b', 'a']],
  ])('takes for the same: %s', (_case, schema, observed) => {
    expect(compareDefault(schema, observed)).toBeUndefined();
  });

  it.each<[string, Schema, unknown]>([
    ['another value', { type: 'integer', default: 10 }, 20],
    ['text for a number', { type: 'integer', default: 10 }, '10'],
    ['no default for false', { type: 'boolean', default: false }, undefined],
    ['no default for an empty list', { type: 'array', default: [] }, undefined],
    ['a lone value as a list of one where no list is stated', { type: 'string', default: 'a' }, ['a']],
    ['one member more', STATUS, ['publish', 'draft']],
    ['no time for a time', { default: '2028-11-23 20:58:19' }, ''],
    ['an empty list for a value', STATUS, []],
    ['a value for a default of null', { default: null }, 0],
    ['a list that holds a list', { type: 'array', default: ['a'] }, [['a']]],
  ])('tells apart: %s', (_case, schema, observed) => {
    expect(compareDefault(schema, observed)).toBeDefined();
  });

  it('says what callers get, and what both sides declare', () => {
    expect(compareDefault({ type: 'integer', default: 10 }, 20)).toEqual({
      message: 'declares another default: callers that leave it out get something else',
      expected: '10',
      observed: '20',
    });
    expect(compareDefault({ default: 10 }, undefined)).toMatchObject({ observed: 'nothing' });
  });
});
