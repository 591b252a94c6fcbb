import { describe, expect, it } from 'vitest';
import { firstDifference, sameMeaning } from './equal.ts';

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

describe('firstDifference', () => {
  it.each([
    [[{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 3 }], '[1].id', 2, 3],
    [{ title: { rendered: 'a' } }, { title: {} }, 'title.rendered', 'a', undefined],
    [{ ids: [1] }, { ids: [1, 2] }, 'ids', [1], [1, 2]],
    [[], null, '', [], null],
  ])('of %j and %j is at %s', (first, second, path, one, other) => {
    expect(firstDifference(first, second)).toEqual({ path, one, other });
  });

  it('is nowhere if only the order of members or of plain values differs', () => {
    expect(firstDifference({ a: 1, b: [2, 1] }, { b: [1, 2], a: 1 })).toBeUndefined();
  });
});
