import { describe, expect, it } from 'vitest';
import type { Observation } from '../client/observation.ts';
import { compareAsked, firstDifference, likenessOf, sameMeaning } from './equal.ts';

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

function answer(json: unknown, more: Partial<Observation> = {}): Observation {
  const text = JSON.stringify(json) ?? '';
  const common = { method: 'GET', url: '', status: 200, answer: 'accepted', headers: {} } as const;
  return { ...common, json, text, bytes: text.length, seconds: 0, curl: '', ...more };
}

const TOO_LARGE = answer(undefined, { text: '[1,1,1', tooLarge: true });

function inTurn(...answers: readonly Observation[]): () => Promise<Observation> {
  let at = -1;
  return async () => {
    at += 1;
    const next = answers[Math.min(at, answers.length - 1)];
    if (next === undefined) throw new Error('no answers');
    return next;
  };
}

describe('two answers', () => {
  it('are equal if they mean the same', () => {
    expect(likenessOf(answer({ a: 1, b: [] }), answer({ b: {}, a: 1 }))).toBe('same');
  });

  it('differ by status, and by the compared part', () => {
    expect(likenessOf(answer([]), answer([], { status: 404 }))).toBe('different');
    expect(likenessOf(answer([1]), answer([2]))).toBe('different');
    expect(likenessOf(answer([1]), answer([2]), () => null)).toBe('same');
  });

  it('are not compared if one of them is too large to read', () => {
    expect(likenessOf(TOO_LARGE, TOO_LARGE)).toBe('unread');
    expect(likenessOf(answer([1]), TOO_LARGE)).toBe('unread');
  });
});

describe('two requests', () => {
  const [one, other] = [answer([1]), answer([2])];

  it('are equal once their answers are', async () => {
    expect(await compareAsked(inTurn(one), inTurn(one))).toEqual({ end: 'same' });
  });

  it('differ if the difference stands between equal readings', async () => {
    expect(await compareAsked(inTurn(one), inTurn(other))).toEqual({ end: 'different', first: one, other });
  });

  it('are not compared on a site that changes with every reading', async () => {
    const changing = Array.from({ length: 20 }, (_, at) => answer([at]));

    expect(await compareAsked(inTurn(...changing), inTurn(answer('other')))).toEqual({ end: 'unsteady' });
  });

  it('are not compared if the second answer to one of them differs', async () => {
    const turns = [other, answer([3]), other, answer([4]), other, answer([5])];

    expect(await compareAsked(inTurn(one), inTurn(...turns))).toEqual({ end: 'unsteady' });
  });

  it('are the same if they differ in one turn alone, as answers by chance do', async () => {
    const [ones, others] = [
      [one, one, one, other, one],
      [other, other, one],
    ];

    expect(await compareAsked(inTurn(...ones), inTurn(...others))).toEqual({ end: 'same' });
  });

  it('are not compared on a throttling site', async () => {
    const throttled = answer([], { status: 429, answer: 'throttled' });

    expect(await compareAsked(inTurn(throttled), inTurn(other))).toEqual({ end: 'unsteady' });
  });

  it('are not compared if an answer is too large to read', async () => {
    expect(await compareAsked(inTurn(TOO_LARGE), inTurn(TOO_LARGE))).toEqual({ end: 'unread' });
  });
});
