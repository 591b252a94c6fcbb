import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';

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
