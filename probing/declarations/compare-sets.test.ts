import { describe, expect, it } from 'vitest';
import { compareSets } from './compare-keywords.ts';

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
  ])('tells %j from %j', (expected, observed) => {
    expect(compareSets('enum', expected, observed)).toBeDefined();
  });

  it('tells apart values that are too long to be shown', () => {
    const long = 'x'.repeat(1000);

    expect(compareSets('enum', [`${long}a`], [`${long}b`])).toBeDefined();
  });
});
