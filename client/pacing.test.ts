import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Pacing, retryAfter } from './pacing.ts';

/**
 * How many of `count` jobs ran at once at most.
 * @param milliseconds of each job; longer than the intervals between starts where those grow
 */
async function crowd(pacing: Pacing, count: number, milliseconds = 2): Promise<number> {
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: count }, () =>
      pacing.run(async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(milliseconds);
        running -= 1;
      }),
    ),
  );
  return most;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

describe('Pacing', () => {
  it.each([1, 3, 8])('runs %i jobs at once, and no more', async (concurrency) => {
    expect(await crowd(new Pacing({ concurrency }), 30)).toBe(concurrency);
  });

  it.each([0, -1, 0.5])('takes a concurrency of %d for one', async (concurrency) => {
    expect(await crowd(new Pacing({ concurrency }), 4)).toBe(1);
  });

  it('gives the place of a job that failed to the next one', async () => {
    const pacing = new Pacing({ concurrency: 1 });
    const fail = (): Promise<never> => pacing.run(() => Promise.reject(new Error('no')));

    await expect(Promise.all([fail(), fail()])).rejects.toThrow('no');
    expect(await pacing.run(() => Promise.resolve('yes'))).toBe('yes');
  });

  it('starts no more jobs in a second than the rate says', async () => {
    const pacing = new Pacing({ concurrency: 10, rate: 50 });
    const starts: number[] = [];
    const run = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 6 }, () => pacing.run(async () => void starts.push(performance.now()))),
      );

    expect(await secondsOf(run)).toBeGreaterThanOrEqual(0.095);
    const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(15);
  });

  it('halves the jobs at once with each slow-down, down to one', async () => {
    const pacing = new Pacing({ concurrency: 8 });
    for (const limit of [4, 2, 1, 1]) {
      pacing.slowDown(0);

      expect(await crowd(pacing, limit + 1, 150)).toBe(limit);
    }
  });

  it('takes places back from jobs that are under way when it slows down, before it gives them to those that wait', async () => {
    const pacing = new Pacing({ concurrency: 4 });
    const runningAtStart: number[] = [];
    let running = 0;
    const jobs = Array.from({ length: 8 }, () =>
      pacing.run(async () => {
        running += 1;
        runningAtStart.push(running);
        await sleep(80);
        running -= 1;
      }),
    );
    await sleep(5);
    pacing.slowDown(0);
    await Promise.all(jobs);

    expect(runningAtStart.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(Math.max(...runningAtStart.slice(4))).toBe(2);
  });

  it('starts nothing until the time that was asked for has passed', async () => {
    const pacing = new Pacing({ concurrency: 2 });
    pacing.slowDown(0.1);

    expect(await secondsOf(() => pacing.run(() => Promise.resolve()))).toBeGreaterThanOrEqual(0.095);
  });
});

describe('retryAfter', () => {
  const now = new Date('2024-05-06T07:08:09Z');

  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Mon, 06 May 2024 07:08:39 GMT', 30],
    ['Mon, 06 May 2024 07:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['99999999999999999999', undefined],
  ])('reads %j as %j seconds', (header, seconds) => {
    expect(retryAfter(header, now)).toBe(seconds);
  });
});
