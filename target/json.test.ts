import { describe, expect, it } from 'vitest';
import { asObject, isObject, member, nestsDeeperThan } from './json.ts';

describe('isObject and asObject', () => {
  it.each([
    [{}, true, {}],
    [{ a: 1 }, true, { a: 1 }],
    [[], false, {}],
    [[1], false, undefined],
    [null, false, undefined],
    ['{}', false, undefined],
    [undefined, false, undefined],
  ])('of %j: %s, read as %j', (value, object, read) => {
    expect(isObject(value)).toBe(object);
    expect(asObject(value)).toEqual(read);
  });
});

describe('member', () => {
  it('finds what the object itself holds, under any name', () => {
    const document: unknown = JSON.parse('{"__proto__": 1, "constructor": 2, "a": null}');

    expect(['__proto__', 'constructor', 'a'].map((name) => member(document, name))).toEqual([1, 2, null]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'length', '0'])(
    'finds no %s that is not there',
    (name) => {
      for (const value of [{}, [], 'text', null, undefined, 3]) expect(member(value, name)).toBeUndefined();
    },
  );
});

describe('nestsDeeperThan', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it.each([
    ['3 levels', nested(3), false],
    ['4 levels', nested(4), true],
    ['objects and lists mixed', '{"a":[{"b":[1]}]}', true],
    ['many siblings', `[${Array(50).fill('[[]]').join(',')}]`, false],
    ['brackets in text', JSON.stringify({ a: '[[[[{{{{' }), false],
    ['brackets after an escaped quote', JSON.stringify({ a: '"[[[[' }), false],
    ['brackets after an escaped backslash', `{"a":"\\\\","b":${nested(3)}}`, true],
    ['a text that never ends', '"[[[[[', false],
    ['a million open brackets', '['.repeat(1_000_000), true],
  ])('limit 3, %s', (_case, text, expected) => {
    expect(nestsDeeperThan(text, 3)).toBe(expected);
  });
});
