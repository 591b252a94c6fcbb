import { describe, expect, it } from 'vitest';
import { shrinkList } from './explore.ts';

const failsWith =
  (...needed: number[]) =>
  async (items: readonly number[]): Promise<boolean> =>
    needed.every((one) => items.includes(one));

describe('shorten', () => {
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

  it('asks about each item once when all are needed', async () => {
    let asked = 0;
    const items = Array.from({ length: 20 }, (_, at) => at);
    await shrinkList(items, async () => {
      asked += 1;
      return false;
    });

    expect(asked).toBe(20);
  });
});
