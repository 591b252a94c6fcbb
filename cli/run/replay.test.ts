import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Counterexample, Replayed } from '../../engine/fuzz-options.ts';
import { sampleCheck, sampleCounterexample, sampleResult, sampleTried } from '../../engine/result.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { RunConfig } from '../../suites/run-config.ts';
import { refusal, tryRun } from '../try-main.fixture.ts';
import { resolveTargets } from './configure.ts';
import { describeReplay, withReplay } from './repeat.ts';

const CHECK = 'posts.list/fuzz/accepted';
const FIRST = sampleCounterexample();
const OTHER = sampleCounterexample({
  id: `${CHECK}#search:broken`,
  args: { search: 'x' },
  shows: 'sometimes',
});

function keep(folder: string, sets: readonly Partial<Counterexample>[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'results.json');
  const check = sampleCheck({ id: CHECK, verdict: 'fail' });
  const checks = [sets.length === 0 ? check : { ...check, replay: { sets } }];
  writeFileSync(file, JSON.stringify({ ...sampleResult([]), checks }));
  return file;
}

function targets(out: string, more: { target?: string } = { target: 'http://127.0.0.1:9' }): RunConfig[] {
  return resolveTargets({ out, ...more }, {}, {});
}

describe('what is replayed', () => {
  it('is one finding by its id, or all that a check found', () => {
    const out = testFolder();
    keep(out, [FIRST, OTHER]);

    expect(withReplay(targets(out), { id: OTHER.id })).toMatchObject([
      {
        only: [CHECK],
        fuzz: {
          examples: 0,
          replay: true,
          kept: [{ check: CHECK, id: OTHER.id, args: OTHER.args, shows: 'sometimes' }],
        },
      },
    ]);
    expect(withReplay(targets(out), { id: CHECK })[0]?.fuzz.kept).toHaveLength(2);
  });

  it('comes from any file that is named', () => {
    const file = keep(testFolder(), [FIRST]);

    expect(withReplay(targets('elsewhere'), { id: CHECK, results: dirname(file) })).toHaveLength(1);
    expect(withReplay(targets('elsewhere'), { id: CHECK, results: file })[0]?.fuzz.kept).toHaveLength(1);
  });

  it('comes from the folder of each embedded deployment, and only those that found it are asked', () => {
    const out = testFolder();
    keep(join(out, 'a'), []);
    keep(join(out, 'b'), [FIRST]);

    expect(withReplay(targets(out, {}), { id: FIRST.id }).map(({ deployment }) => deployment)).toEqual(['b']);
  });

  it.each<[string, Partial<Counterexample>, string, string]>([
    ['the results hold no such id', FIRST, 'posts.list/fuzz/other', `there are: ${FIRST.id}`],
    ['a secret was masked', { ...FIRST, masked: true }, FIRST.id, 'a secret in its arguments was masked'],
  ])('is refused where %s', (_why, set, id, message) => {
    const out = testFolder();
    keep(out, [set]);

    expect(() => withReplay(targets(out), { id })).toThrow(message);
  });

  it('needs results of an earlier run, of the right form', async () => {
    const out = testFolder();
    const broken = join(out, 'broken.json');
    writeFileSync(broken, '{"format":1}');

    expect(() => withReplay(targets(out), { id: CHECK })).toThrow(`${out} holds no results.json`);
    expect(await tryRun('--replay', CHECK, '--results', broken)).toMatchObject(
      refusal('is not the results.json of a run'),
    );
    expect((await tryRun('--results', broken)).lines).toEqual([expect.stringContaining('add --replay ID')]);
  });
});

describe('what a replay reports', () => {
  const untold = { id: FIRST.id, end: 'untold', shown: 0, of: 3, reason: 'denied' } as const;

  it.each<[string, Replayed[], string[], number]>([
    ['still there', [{ id: FIRST.id, end: 'there', shown: 3, of: 3 }], [`reproduced: ${FIRST.id}`], 1],
    [
      'unstable',
      [{ id: FIRST.id, end: 'there', shown: 1, of: 3 }],
      [`reproduced: ${FIRST.id}, unstable: 1 of 3 times`],
      1,
    ],
    ['gone', [{ id: FIRST.id, end: 'gone', shown: 0, of: 3 }], [`fixed: ${FIRST.id}`], 0],
    ['is inconclusive', [untold], [`inconclusive: ${FIRST.id} (denied)`], 3],
  ])('is %s', (_end, replayed, lines, code) => {
    const check = sampleCheck({ id: CHECK, tried: sampleTried({ replayed }) });
    const kept = [{ check: CHECK, id: FIRST.id, args: {} }];

    expect(describeReplay([{ kept, result: sampleResult([check]) }])).toEqual({ lines, code });
  });

  it('is inconclusive if the check, or the run, did not happen', () => {
    const kept = [{ check: CHECK, id: FIRST.id, args: {} }];
    const skipped = sampleCheck({ id: CHECK, verdict: 'skip', message: 'needs mode write' });

    expect(describeReplay([{ kept, result: sampleResult([skipped]) }])).toEqual({
      lines: [`inconclusive: ${FIRST.id} (needs mode write)`],
      code: 3,
    });
    expect(describeReplay([{ kept, result: undefined }]).code).toBe(3);
  });
});
