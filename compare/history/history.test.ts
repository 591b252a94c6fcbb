import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../engine/result.ts';
import type { SkipReason } from '../../engine/skip.ts';
import { validatorOf } from '../../specs/validators.ts';
import { type History, historyOf, Roll, type Series } from './history.ts';
import { seriesRun } from './run.fixture.ts';

const OPTIONS = { repeated: 0, notes: [] };

function historyFrom(
  words: readonly string[],
  options: { last?: number; oneSite?: boolean } = {},
  change: (night: RunResult, at: number) => RunResult = (night) => night,
): History {
  const roll = new Roll();
  for (const [at, word] of words.entries()) roll.add(change(seriesRun(at, word), at));
  return historyOf(roll, { ...OPTIONS, ...options });
}

function onlySeries(history: History): Series {
  const [series, ...others] = history.series;
  if (series === undefined || others.length > 0) throw new Error('not one series');
  return series;
}

function turnsOf(history: History, turn: 'new' | 'fixed' | 'vanished' | 'untold'): string[][] {
  return onlySeries(history).nights.map((night) => [...night[turn]]);
}

describe('a history', () => {
  it('lists what is new and what is fixed from run to run', () => {
    const history = historyFrom(['pf', 'pf', 'ff', 'ff', 'pf']);

    expect(turnsOf(history, 'new')).toEqual([[], [], ['check-0'], [], []]);
    expect(turnsOf(history, 'fixed')).toEqual([[], [], [], [], ['check-0']]);
    expect(onlySeries(history).failing.map(({ id }) => id)).toEqual(['check-1']);
    expect(onlySeries(history).unstable).toEqual([]);
  });

  it('takes an inconclusive run neither for a fix nor for the cause of a new failure', () => {
    const history = historyFrom(['f', 'i', 'f', 'e', 'i']);
    const [check] = onlySeries(history).failing;

    expect(turnsOf(history, 'fixed').flat()).toEqual([]);
    expect(turnsOf(history, 'new').flat()).toEqual([]);
    expect(turnsOf(history, 'untold')).toEqual([[], ['check-0'], [], ['check-0'], []]);
    expect(check).toMatchObject({
      nights: 2,
      days: 4,
      fromStart: true,
      lastTold: seriesRun(2, '').run.started,
    });
  });

  it('keeps the state of checks that partial runs did not run', () => {
    const ended = historyFrom(['fff', 'p .', 'p .'], {}, (night, at) =>
      at === 0 ? night : { ...night, run: { ...night.run, ended: 'the target is gone' } },
    );
    const partial = historyFrom(['fff', 'p .'], {}, (night, at) =>
      at === 0 ? night : { ...night, partial: { planned: 3, asked: 1, share: 1 / 3 } },
    );

    for (const history of [ended, partial]) {
      expect(onlySeries(history).failing.map(({ id }) => id)).toEqual(['check-1', 'check-2']);
      expect(turnsOf(history, 'fixed').flat()).toEqual(['check-0']);
      expect(turnsOf(history, 'vanished').flat()).toEqual([]);
      expect(onlySeries(history).nights.at(-1)?.complete).toBe(false);
    }
  });

  it('lists the failures of a run that ended early', () => {
    const history = historyFrom(['p', 'f'], {}, (night, at) =>
      at === 0 ? night : { ...night, run: { ...night.run, ended: 'interrupted' } },
    );

    expect(turnsOf(history, 'new')).toEqual([[], ['check-0']]);
  });

  it('says how long each check has failed, the longest first', () => {
    const [first, second] = onlySeries(historyFrom(['pp', 'pf', 'ff', 'ff'])).failing;

    expect(first).toMatchObject({ id: 'check-1', since: seriesRun(1, '').run.started, nights: 3, days: 2 });
    expect(first).toMatchObject({ run: seriesRun(1, '').run.id, verdicts: 'pfff' });
    expect(first).not.toHaveProperty('fromStart');
    expect(second).toMatchObject({ id: 'check-0', nights: 2, days: 1 });
  });

  it('calls a check unstable that fails, passes and fails again, or that a run found unstable', () => {
    const { unstable } = onlySeries(historyFrom(['fpp', 'ppu', 'ffp', 'wpp']));

    expect(unstable).toEqual([
      expect.objectContaining({ id: 'check-0', episodes: 2, turns: 3, told: 0, verdict: 'warn' }),
      expect.objectContaining({ id: 'check-2', episodes: 0, turns: 0, told: 1, verdict: 'pass' }),
    ]);
  });

  it('lists waived failures separately, and counts one again once its waiver is gone', () => {
    const covered = onlySeries(historyFrom(['p', 'a', 'a']));
    const lapsed = historyFrom(['p', 'a', 'f']);

    expect(covered.failing).toEqual([]);
    expect(covered.waived).toEqual([
      expect.objectContaining({
        id: 'check-0',
        nights: 2,
        waived: { reason: 'known', owner: 'us', expires: '2099-01-01' },
      }),
    ]);
    expect(turnsOf(lapsed, 'new').flat()).toEqual([]);
    expect(onlySeries(lapsed).nights.map(({ unwaived }) => unwaived)).toEqual([
      undefined,
      undefined,
      ['check-0'],
    ]);
    expect(onlySeries(lapsed).failing).toEqual([expect.objectContaining({ nights: 2 })]);
  });

  it('lists failed checks that left the plan, not as fixed', () => {
    const history = historyFrom(['f', ' ', ' ']);

    expect(turnsOf(history, 'vanished')).toEqual([[], ['check-0'], []]);
    expect(turnsOf(history, 'fixed').flat()).toEqual([]);
    expect(onlySeries(history).failing).toEqual([]);
  });

  it('separates targets, deployments and modes, those with most failures first', () => {
    const other = (night: RunResult, at: number): RunResult => {
      if (at === 1) return { ...night, target: { ...night.target, deployment: 'core' } };
      if (at === 2) return { ...night, run: { ...night.run, mode: 'read' } };
      return at === 3 ? { ...night, target: { ...night.target, url: 'http://127.0.0.1:1/' } } : night;
    };
    const words = ['p', 'f', 'ff', 'p', 'p'];

    expect(historyFrom(words, {}, other).series.map(({ nights }) => nights.length)).toEqual([1, 1, 2, 1]);
    expect(historyFrom(words, { oneSite: true }, other).series.map(({ nights }) => nights.length)).toEqual([
      1, 1, 3,
    ]);
  });

  it('counts runs without a known subject in a note, and ignores slashes at the end of an address', () => {
    const history = historyFrom(['p', 'p', 'p'], {}, (night, at) => ({
      ...night,
      target:
        at === 0
          ? { ...night.target, url: '', deployment: '' }
          : { ...night.target, url: `http://site.test${'/'.repeat(at - 1)}` },
    }));

    expect(onlySeries(history).nights).toHaveLength(2);
    expect(history.notes).toEqual([
      'runs that ended before it was known what they were about, and are not listed: 1',
    ]);
  });

  it('lists the latest runs only, and still knows since when a check fails', () => {
    const history = historyFrom(['pp', 'fp', 'fp', 'fp'], { last: 2 });
    const [check] = onlySeries(history).failing;

    expect(history.runs).toEqual({ read: 4, repeated: 0, earlier: 2 });
    expect(onlySeries(history).nights).toHaveLength(2);
    expect(check).toMatchObject({ since: seriesRun(1, '').run.started, nights: 3, verdicts: 'ff' });
  });

  it('sorts runs by their start', () => {
    const roll = new Roll();
    for (const at of [2, 0, 1]) roll.add(seriesRun(at, at === 2 ? 'f' : 'p'));

    expect(turnsOf(historyOf(roll, OPTIONS), 'new')).toEqual([[], [], ['check-0']]);
  });

  it('matches its published schema', () => {
    const validate = validatorOf<History>('history.schema.json');
    const history = historyFrom(['pafwuie.', 'fpp f', 'pff i'], {}, (night, at) => ({
      ...night,
      ...(at === 1 && { partial: { planned: 2, asked: 1, share: 0.5 } }),
    }));

    expect(validate(history), JSON.stringify(validate.errors)).toBe(true);
  });

  it('treats a blocked check as inconclusive, and one that the run did not reach as not run', () => {
    const roll = new Roll();
    const skips: SkipReason[] = [
      { kind: 'blocked', by: 'root' },
      { kind: 'over-budget' },
      { kind: 'credentials' },
    ];
    for (const [at, skip] of skips.entries()) {
      const night = seriesRun(at, '.');
      roll.add({ ...night, checks: night.checks.map((check) => ({ ...check, skip })) });
    }

    expect(roll.runs.map((night) => night.letter(0)).join('')).toBe('i..');
  });
});
