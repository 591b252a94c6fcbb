import { describe, expect, it } from 'vitest';
import { simplerValid, simplerValues } from './explore.ts';

/** Follows the last simpler value, the most cautious one, to its end. */
function stepsDown(value: unknown): number {
  let left = value;
  let steps = 0;
  for (;;) {
    const next = simplerValues(left).at(-1);
    if (next === undefined || steps > 1000) return steps;
    left = next;
    steps += 1;
  }
}

describe('simpler values', () => {
  it.each(['a text of some words', 300, -1.5, [1, 'ab', [2]], { a: { b: 'c' }, d: [7] }, '\u0000😀'])(
    'come to an end from %j',
    (value) => {
      expect(stepsDown(value)).toBeLessThan(1000);
    },
  );

  it('isolate one letter of a text by bisection', () => {
    const has = (text: unknown): boolean => typeof text === 'string' && text.includes('\u0000');
    let text: unknown = 'some words\u0000 and more of them';
    for (let simple: unknown = text; simple !== undefined; simple = simplerValues(text).find(has))
      text = simple;

    expect(text).toBe('\u0000');
  });

  it('reach the relevant length in few steps', () => {
    const isLong = (text: unknown): boolean => typeof text === 'string' && text.length > 255;
    let text: unknown = 'x'.repeat(4_000);
    let tries = 0;
    for (let simple: unknown = text; simple !== undefined; ) {
      text = simple;
      simple = simplerValues(text).find((one) => {
        tries += 1;
        return isLong(one);
      });
    }

    expect(text).toHaveLength(256);
    expect(tries).toBeLessThan(60);
  });

  it('of a text that is one character longer than a column include one that fits it', () => {
    expect(simplerValues('x'.repeat(70_000)).slice(0, 2)).toEqual(['x'.repeat(256), 'x'.repeat(65_536)]);
    expect(simplerValues('x'.repeat(256))).toEqual(['x'.repeat(255)]);
  });

  it('of a date do not exist: a part of a date is no date', () => {
    expect(simplerValues('9999-12-31T23:59:59')).toEqual([]);
    expect(simplerValues({ date: '2024-05-06T07:08:09+99:99' })).toEqual([{}]);
  });

  it('stay within the limits of a schema', () => {
    const schema = { type: 'integer', minimum: 5, maximum: 100 };

    expect(simplerValid(schema, 60)).toEqual([30, 59]);
    expect(simplerValid({ type: 'string', format: 'date-time' }, '2024-05-06T07:08:09')).toEqual([]);
    expect(simplerValid({ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['a', 'b'])).toEqual([
      ['a'],
      ['b'],
      ['a'],
    ]);
  });
});
