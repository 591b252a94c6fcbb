import { describe, expect, it } from 'vitest';
import type { Replayed } from '../../engine/fuzz-options.ts';
import { sampleCheck, sampleCounterexample, sampleTried } from '../../engine/result.fixture.ts';
import type { CheckResult, RunResult, Verdict } from '../../engine/result.ts';
import { historyOf, Roll } from '../history/history.ts';
import { seriesRun } from '../history/run.fixture.ts';
import { againstBaseline } from './baseline.ts';

interface Told {
  readonly paths?: readonly string[];
  readonly drawn?: string | undefined;
  readonly ends?: Readonly<Record<string, Replayed['end']>>;
}

function searchOf({ paths = [], drawn = 'one', ends = {} }: Told): CheckResult {
  const verdict: Verdict = paths.length > 0 ? 'fail' : 'pass';
  const tried = sampleTried({
    sets: drawn,
    replayed: Object.entries(ends).map(([id, end]) => ({ id, end, shown: 0, of: 3 })),
  });
  const sets = paths.map((path) => sampleCounterexample({ id: 'search#a:refused', path }));
  const replay = sets.length > 0 && { replay: { sets } };
  return sampleCheck({ id: 'search', title: 'search', fuzz: true, verdict, tried, ...replay });
}

function nightWith(at: number, told: Told): RunResult {
  const run = seriesRun(at, 'p');
  return { ...run, run: { ...run.run, seed: at, searches: { examples: 6 } }, checks: [searchOf(told)] };
}

const KEPT = { 'search#a:refused': 'gone' } as const;

it.each<[string, Told, Told, 'new' | 'found']>([
  ['of a set that was asked then', {}, { paths: ['random:1'] }, 'new'],
  ['of a set that was known then', {}, { paths: ['kept:1'] }, 'new'],
  ['of a set of this run alone', {}, { paths: ['further:1'] }, 'found'],
  ['of a set of other ones than then', {}, { paths: ['random:1'], drawn: 'other' }, 'found'],
  ['of a set of each kind', {}, { paths: ['further:1', 'pairs:1'] }, 'new'],
])('a search that passed before and fails %s', (_, then, now, expected) => {
  const runs = [nightWith(1, then), nightWith(2, now)] as const;
  const { new: fresh, found = [] } = againstBaseline(...runs);
  const [, last] = historyFrom(runs);

  expect({ fresh, found }).toEqual(
    expected === 'new' ? { fresh: ['search'], found: [] } : { fresh: [], found: ['search'] },
  );
  expect({ fresh: last?.new, found: last?.found ?? [] }).toEqual({ fresh, found });
});

describe('a search that failed before and passes', () => {
  it.each<[string, Told, Told, 'fixed' | 'untold']>([
    ['with the same sets', { paths: ['random:1'] }, {}, 'fixed'],
    ['with other sets', { paths: ['random:1'] }, { drawn: 'other' }, 'untold'],
    [
      'with other sets, and what failed asked again',
      { paths: ['random:1'] },
      { drawn: 'other', ends: KEPT },
      'fixed',
    ],
    ['with the same sets, but it failed of a further one', { paths: ['further:1'] }, {}, 'untold'],
    [
      'and what failed was inconclusive',
      { paths: ['kept:1'] },
      { ends: { 'search#a:refused': 'untold' } },
      'untold',
    ],
    ['and what failed of a further one was asked again', { paths: ['further:1'] }, { ends: KEPT }, 'fixed'],
  ])('%s', (_, then, now, expected) => {
    const runs = [nightWith(1, then), nightWith(2, now)] as const;
    const { fixed, untold } = againstBaseline(...runs);
    const series = seriesFrom(runs);

    expect({ fixed, untold }).toEqual({
      fixed: expected === 'fixed' ? ['search'] : [],
      untold: expected === 'untold' ? ['search'] : [],
    });
    expect(series?.nights[1]?.fixed).toEqual(fixed);
    expect(series?.failing.map(({ verdicts }) => verdicts)).toEqual(expected === 'fixed' ? [] : ['f.']);
  });

  it('is fixed once its sets were sent again, however many runs later', () => {
    const runs = [
      nightWith(1, { paths: ['further:1'] }),
      nightWith(2, { drawn: 'other' }),
      nightWith(3, { drawn: 'third', ends: KEPT }),
    ];

    expect(historyFrom(runs).map(({ fixed }) => fixed)).toEqual([[], [], ['search']]);
    expect(seriesFrom(runs)?.unstable).toEqual([]);
  });
});

function seriesFrom(runs: readonly RunResult[]): ReturnType<typeof historyOf>['series'][number] | undefined {
  const roll = new Roll();
  for (const run of runs) roll.add(run);
  return historyOf(roll, { repeated: 0, notes: [] }).series[0];
}

function historyFrom(runs: readonly RunResult[]): NonNullable<ReturnType<typeof seriesFrom>>['nights'] {
  return seriesFrom(runs)?.nights ?? [];
}
