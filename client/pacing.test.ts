import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Deadline, Pacing, retryAfter } from './pacing.ts';

async function crowd(pacing: Pacing, count: number): Promise<number> {
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: count }, () =>
      pacing.run(async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(2);
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

/** A clock that runs only while somebody waits. */
class VirtualTime extends Deadline {
  #now = 0;

  override now(): number {
    return this.#now;
  }

  override async wait(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
  }
}

async function gapsOf(requests: number, { rate, throttles }: Site): Promise<number[]> {
  const time = new VirtualTime();
  const pacing = new Pacing({ concurrency: 1, rate }, time);
  const starts: number[] = [];
  for (let at = 1; at <= requests; at += 1) {
    await pacing.run(async () => {
      starts.push(time.now());
      await time.wait(5);
    });
    if (throttles(at)) pacing.slowDown(0);
    else pacing.answered();
  }
  return starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
}

async function atOnce(pacing: Pacing): Promise<number> {
  let running = 0;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const jobs = Array.from({ length: 8 }, () =>
    pacing.run(() => {
      running += 1;
      return ended;
    }),
  );
  await nextTurn();
  const begun = running;
  end();
  await Promise.all(jobs);
  return begun;
}

interface Site {
  readonly rate?: number;
  readonly throttles: (at: number) => boolean;
}

describe('Pacing', () => {
  it.each([1, 3, 8])('runs %i jobs at once, and no more', async (concurrency) => {
    expect(await crowd(new Pacing({ concurrency }), 30)).toBe(concurrency);
  });

  it.each([0, -1, 0.5])('treats a concurrency of %d as one', async (concurrency) => {
    expect(await crowd(new Pacing({ concurrency }), 4)).toBe(1);
  });

  it('gives the place of a failed job to the next one', async () => {
    const pacing = new Pacing({ concurrency: 1 });
    const fail = (): Promise<never> => pacing.run(() => Promise.reject(new Error('no')));

    await expect(Promise.all([fail(), fail()])).rejects.toThrow('no');
    expect(await pacing.run(() => Promise.resolve('yes'))).toBe('yes');
  });

  it('starts no more jobs in a second than the rate allows', async () => {
    const pacing = new Pacing({ concurrency: 10, rate: 50 });
    const starts: number[] = [];
    const run = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 6 }, () => pacing.run(async () => void starts.push(performance.now()))),
      );

    const begun = performance.now();
    await run();

    // A busy machine may be late with one start, but the next one still comes no sooner.
    expect(starts.filter((at, index) => at - begun < index * 20 - 1)).toEqual([]);
  });

  it('halves the jobs at once with each slow-down, down to one', async () => {
    const pacing = new Pacing({ concurrency: 8 }, new VirtualTime());
    for (const limit of [4, 2, 1, 1]) {
      pacing.slowDown(0);

      expect(await atOnce(pacing)).toBe(limit);
    }
  });

  it('is paused as long as the target asks for', async () => {
    const time = new VirtualTime();
    const pacing = new Pacing({ concurrency: 1 }, time);
    expect(pacing.isPaused).toBe(false);
    pacing.slowDown(5);
    expect(pacing.isPaused).toBe(true);
    await time.wait(5000);
    expect(pacing.isPaused).toBe(false);
  });

  it('returns to the full number of jobs after enough answers without a slow-down', async () => {
    const pacing = new Pacing({ concurrency: 4 }, new VirtualTime());
    for (const _ of [1, 2, 3]) pacing.slowDown(0);
    for (const limit of [2, 3, 4, 4]) {
      for (let answers = 0; answers < 30; answers += 1) pacing.answered();

      expect(await atOnce(pacing)).toBe(limit);
    }
  });

  it('counts answers anew after each slow-down', async () => {
    const pacing = new Pacing({ concurrency: 4 }, new VirtualTime());
    for (let at = 1; at < 300; at += 1) {
      if (at % 30 === 0) pacing.slowDown(0);
      else pacing.answered();
    }

    expect(await atOnce(pacing)).toBe(1);
  });

  it('does not get slower and slower if the site throttles one request in forty', async () => {
    const gaps = await gapsOf(4000, { throttles: (at) => at % 40 === 0 });

    const [early, late] = [gaps.slice(0, 2000), gaps.slice(2000)].map((some) => Math.max(...some));
    expect(early).toBe(late);
    expect(gaps.reduce((sum, gap) => sum + gap)).toBeLessThan(20 * 4000);
  });

  it('slows down to two requests a second for a site that throttles every other one, and not below a rate', async () => {
    const throttles = (at: number): boolean => at % 2 === 0;

    expect((await gapsOf(100, { throttles })).at(-1)).toBe(500);
    expect((await gapsOf(100, { throttles, rate: 1 })).at(-1)).toBe(1000);
  });

  it('speeds up to the rate, and no further', async () => {
    const gaps = await gapsOf(1000, { rate: 10, throttles: (at) => at === 1 });

    expect(gaps[1]).toBe(125);
    expect(Math.min(...gaps)).toBe(100);
    expect(gaps.at(-1)).toBe(100);
  });

  it('takes places from running jobs when it slows down, before waiting ones get them', async () => {
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

  it('starts nothing until the requested time has passed', async () => {
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
