import { describe, expect, it } from 'vitest';
import { sameMeaning } from './equal.ts';

describe('sameMeaning', () => {
  it.each([
    [
      { a: 1, b: [2, 1] },
      { b: [1, 2], a: 1 },
    ],
    [{}, []],
    [{ a: {} }, { a: [] }],
    [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
    [
      ['a', null],
      [null, 'a'],
    ],
  ])('holds for %j and %j', (one, other) => {
    expect(sameMeaning(one, other)).toBe(true);
  });

  it.each([
    [1, '1'],
    [null, 'null'],
    [false, null],
    [[], null],
    [[], ''],
    ['[]', []],
    [['a', 'a'], ['a']],
    [['a,b'], ['a', 'b']],
    [{ a: 1 }, { a: 1, b: undefined }],
    [
      [{ a: 1 }, { a: 2 }],
      [{ a: 2 }, { a: 1 }],
    ],
    [
      [[1, 2], [3]],
      [[3], [1, 2]],
    ],
    [{ 'a":1,"b': 2 }, { a: 1, b: 2 }],
  ])('does not hold for %j and %j', (one, other) => {
    expect(sameMeaning(one, other)).toBe(false);
  });
});
