import { describe, expect, it } from 'vitest';
import { asObject, isObject, member, orderedJson } from './json.ts';

it.each([
  [{}, true, {}],
  [{ a: 1 }, true, { a: 1 }],
  [[], false, {}],
  [[1], false, undefined],
  [null, false, undefined],
  ['{}', false, undefined],
  [undefined, false, undefined],
])('isObject and asObject of %j: %s, read as %j', (value, object, read) => {
  expect(isObject(value)).toBe(object);
  expect(asObject(value)).toEqual(read);
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

it.each([
  ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['the zone of an instant', ['2024-05-06T12:00:00Z'], ['2024-05-06T14:00:00+02:00'], true],
  ['a time without a zone', '2024-05-06T12:00:00', '2024-05-06T14:00:00', false],
  ['white space of markup', '<p>One  two</p>\n\n<p>three</p>\n', '<p>One two</p><p>three</p>', true],
  ['a blank that does not break', 'One\u00a0two', 'One two', false],
  ['a blank between words', 'One two', 'Onetwo', false],
  ['another host', '<img src="https://a.example/1/b.png?v=1">', '<img src="https://c.example/b.png">', true],
  ['another file', 'https://a.example/b.png', 'https://a.example/c.png', false],
  ['another page', 'https://a.example/?p=1', 'https://a.example/?p=2', false],
  ['the order of a list', [1, 2], [2, 1], false],
  ['a nonce in a form', '<input value="3fa4bcd012">', '<input value="aa1bb2cc3d">', true],
  ['a secret in a frame', '<iframe src="/#?secret=BYIcClTuhe">', '<iframe src="/#?secret=bpGYBSMGPa">', true],
  ['another number in markup', '<img width="640000000">', '<img width="320000000">', false],
  ['another word that is no markup', 'a1b2c3d4', 'a1b2c3d5', false],
])('the text of equal values for %s', (_, one: unknown, other: unknown, isSame) => {
  expect(orderedJson(one) === orderedJson(other)).toBe(isSame);
});
