import { describe, expect, it } from 'vitest';
import { asObject, isObject, member } from './json.ts';

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
  it('finds own members under any name', () => {
    const document: unknown = JSON.parse('{"__proto__": 1, "constructor": 2, "a": null}');

    expect(['__proto__', 'constructor', 'a'].map((name) => member(document, name))).toEqual([1, 2, null]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'length', '0'])(
    'does not find %s, which is missing',
    (name) => {
      for (const value of [{}, [], 'text', null, undefined, 3]) expect(member(value, name)).toBeUndefined();
    },
  );
});
