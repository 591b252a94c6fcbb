import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { History } from '../../compare/history/history.ts';
import { FLICKERING, FRESH, fiveRuns, OLD } from '../run/daily-runs.fixture.ts';
import { tryMain } from '../try-main.fixture.ts';

const LIMIT_MS = 240_000;

it(
  'the history of five daily runs shows what is new, fixed, persisting and unstable, as the baselines did',
  async () => {
    const runs = await fiveRuns('the run before');
    const folder = dirname(runs[0]?.folder ?? '');
    const { code, stdout } = await tryMain('history', folder, '--one-site', '--json');
    const history: History = JSON.parse(stdout);
    const [series, ...others] = history.series;

    expect(code).toBe(0);
    expect(others).toEqual([]);
    for (const turn of ['new', 'fixed', 'vanished'] as const) {
      const reported = runs.map(({ result }) => result.baseline?.[turn] ?? []);
      expect(series?.nights.map((run) => run[turn])).toEqual(reported);
    }
    expect(series?.nights[2]?.new).toEqual([FRESH]);
    expect(series?.nights[4]?.fixed).toEqual([FRESH]);
    expect(series?.failing).toEqual([
      expect.objectContaining({ id: OLD, fromStart: true, nights: 5, verdicts: 'fffff' }),
    ]);
    expect(series?.unstable).toEqual([
      expect.objectContaining({ id: FLICKERING, told: 4, episodes: 0, verdicts: 'puuuu' }),
    ]);
  },
  LIMIT_MS,
);
