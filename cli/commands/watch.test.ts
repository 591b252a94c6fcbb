import { describe, expect, it } from 'vitest';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import { watchView } from '../../reports/views/watch.ts';
import type { RunHow } from '../run/run-targets.ts';
import { refusal, tryRun } from '../try-main.fixture.ts';
import { watchCommand } from './run.ts';

function check(id: string, verdict: CheckResult['verdict'], more: Partial<CheckResult> = {}): CheckResult {
  return sampleCheck({ id, verdict, ...more });
}

function resultOf(...checks: CheckResult[]): RunResult {
  const result = sampleResult(checks);
  return { ...result, target: { ...result.target, deployment: 'core' } };
}

const LEFT_OUT: Partial<CheckResult> = { skip: { kind: 'selection', option: '--rerun' } };

function times(count: number) {
  return {
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < count; at += 1) yield;
    },
    [Symbol.dispose]() {},
  };
}

async function watchRuns(results: readonly RunResult[], told: number) {
  const known: (readonly string[] | undefined)[] = [];
  const run = async (_: unknown, how: RunHow): Promise<number> => {
    const result = results[known.length];
    known.push(how.before?.get('core')?.checks.map(({ id, verdict }) => `${id} ${verdict}`));
    if (result !== undefined) how.finished?.(result);
    return known.length;
  };
  const code = await watchCommand({}, { watch: true }, (text) => text, { run, changes: times(told) });
  return { code, known };
}

describe('watching', () => {
  it('runs again on each trigger, with the results of all earlier runs', async () => {
    const { code, known } = await watchRuns(
      [
        resultOf(check('a', 'fail'), check('b', 'fail'), check('c', 'pass')),
        resultOf(check('a', 'pass'), check('b', 'fail'), check('c', 'skip', LEFT_OUT)),
        resultOf(check('a', 'skip', LEFT_OUT), check('b', 'pass'), check('c', 'skip', LEFT_OUT)),
      ],
      2,
    );

    expect(known).toEqual([undefined, ['a fail', 'b fail', 'c pass'], ['a pass', 'b fail', 'c pass']]);
    expect(code).toBe(3);
  });

  it('runs nothing if everything passes', async () => {
    expect((await watchRuns([resultOf(check('a', 'pass'))], 3)).known).toHaveLength(1);
  });

  it('ends if the first run has no result', async () => {
    expect((await watchRuns([], 3)).known).toHaveLength(1);
  });

  it('reports what changed among the checks that ran', () => {
    const before = resultOf(
      check('a', 'fail'),
      check('b', 'inconclusive'),
      check('c', 'pass'),
      check('d', 'fail'),
      check('e', 'skip', { skip: { kind: 'selection', option: '--only' } }),
    );
    const now = resultOf(
      check('a', 'pass'),
      check('b', 'fail'),
      check('c', 'skip', LEFT_OUT),
      check('d', 'fail'),
      check('e', 'pass'),
    );

    const all = resultOf(...now.checks.with(2, check('c', 'pass')));
    const text = (one: RunResult, other: RunResult): string =>
      renderTerminal(watchView(one, other, all), { width: 80 });

    expect(text(before, now)).toBe(
      'since the last run: 1 check more passes, 1 check more fails\n  + a\n  - b\n\ncore: 3 of 5 checks (60.0 %) pass, 2 fail, 0 inconclusive, 0 blocked\n',
    );
    expect(text(before, before)).toContain('since the last run: nothing changed\n');
  });

  it.each([
    [['--watch-file', 'x'], '--watch-file is for a run that watches: add --watch'],
    [['--watch', '--watch-file', 'no-such-file'], 'there is no such file'],
    [['--watch', '--replay', 'a#b:c'], 'leave out --replay, --rerun and --certify'],
    [['--watch', '--rerun', 'x'], 'leave out --replay, --rerun and --certify'],
    [['--watch', '--certify', 'index'], 'leave out --replay, --rerun and --certify'],
  ])('refuses %j in one line', async (args, why) => {
    expect(await tryRun(...args)).toMatchObject({ ...refusal(why), left: [] });
  });
});
