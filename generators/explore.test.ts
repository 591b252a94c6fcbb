import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draw, explore, shrinkList, simplerValid, simplerValues } from './explore.ts';

const NUMBERS = fc.integer({ min: 0, max: 1000 });

const EFFORT = { runs: 5, seed: 1, most: 200, seconds: 300 };

describe('explore', () => {
  it('finds nothing where every example holds', async () => {
    let tried = 0;
    const found = await explore(
      NUMBERS,
      async () => {
        tried += 1;
        return true;
      },
      { ...EFFORT, runs: 7 },
    );

    expect(found).toBeUndefined();
    expect(tried).toBe(7);
  });

  it('asks last about the smallest failing example', async () => {
    let last = -1;
    const found = await explore(
      NUMBERS,
      async (example) => {
        if (example >= 10) last = example;
        return example < 10;
      },
      { ...EFFORT, runs: 50 },
    );

    expect(found).toBeUndefined();
    expect(last).toBe(10);
  });

  it.each([
    ['time', { seconds: 0.2 }],
    ['examples', { most: 1 }],
  ])(
    'reports that it was cut off when it runs out of %s, without a counterexample',
    async (_case, effort) => {
      const slow = async (): Promise<boolean> => {
        await sleep(250);
        return true;
      };

      expect(await explore(NUMBERS, slow, { ...EFFORT, ...effort })).toBe('1 of 5 examples tried');
    },
  );

  it('rethrows unchanged and at once what an example throws', async () => {
    const error = new RangeError('gone');
    let tried = 0;
    const broken = async (): Promise<boolean> => {
      tried += 1;
      throw error;
    };

    await expect(explore(NUMBERS, broken, EFFORT)).rejects.toBe(error);
    expect(tried).toBe(1);
  });
});

it('draws the same values for the same seed, and a longer draw begins with them', () => {
  const words = fc.array(fc.string());

  expect(draw(words, 20, 7)).toEqual(draw(words, 20, 7));
  expect(draw(words, 20, 7).slice(0, 5)).toEqual(draw(words, 5, 7));
  expect(draw(words, 20, 8)).not.toEqual(draw(words, 20, 7));
  expect(draw(words, 0, 7)).toEqual([]);
});

const failsWith =
  (...needed: number[]) =>
  async (items: readonly number[]): Promise<boolean> =>
    needed.every((one) => items.includes(one));

describe('shrinkList', () => {
  it.each([
    [[1, 2, 3, 4, 5], [5]],
    [[1, 2, 3, 4, 5], [1]],
    [
      [1, 2, 3, 4, 5],
      [2, 4],
    ],
    [
      [1, 2],
      [1, 2],
    ],
    [[1, 2, 3], []],
    [[], []],
  ])('reduces %o to what still fails', async (items, needed) => {
    expect(await shrinkList(items, failsWith(...needed))).toEqual(needed);
  });

  it('drops items that only dropped items needed', async () => {
    // The first one is needed as long as there are three.
    const fails = async (items: readonly number[]): Promise<boolean> =>
      items.includes(3) && (items.length < 3 || items.includes(1));

    expect(await shrinkList([1, 2, 3, 4], fails)).toEqual([3]);
  });

  it('drops neighbours of which one has no effect without the other', async () => {
    const failing = (items: readonly number[]): boolean => items.includes(1) && items.includes(4);
    const fails = async (items: readonly number[]): Promise<boolean> =>
      failing(items) && items.includes(2) === items.includes(3);

    expect(await shrinkList([1, 2, 3, 4], fails)).toEqual([1, 4]);
  });

  it('asks about each item once when all are needed, and about each two neighbours of a long list', async () => {
    let asked = 0;
    const items = Array.from({ length: 20 }, (_, at) => at);
    await shrinkList(items, async () => {
      asked += 1;
      return false;
    });

    expect(asked).toBe(20 + 19);
  });
});

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
