import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { type FuzzOptions, PROFILES } from '../../engine/fuzz-options.ts';
import { sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runInProcess } from '../../suites/run-checks.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { resolveTargets } from './configure.ts';
import { describeReplay, withReplay } from './repeat.ts';

const CHECK = 'posts.list/fuzz/accepted';

it('replays weeks later what was found: reproduced with the mutant, fixed without it', async () => {
  const mutant = `${CHECK}~three-dates`;
  const [broken, healthy] = await Promise.all([
    serveMutant({ deployment: 'core', mutant }),
    serveMutant({ deployment: 'core' }),
  ]);
  onTestFinished(async () => void (await Promise.all([broken.close(), healthy.close()])));
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const evaluate = async (url: string, fuzz: FuzzOptions): Promise<CheckResult[]> => {
    const checks = allChecks(contract);
    const { results } = await runInProcess({ url, contract, checks, mode: 'read', only: [CHECK], fuzz });
    return [...results.values()];
  };
  const found = await evaluate(broken.url, { examples: PROFILES.nightly, kept: [] });
  const sets = found.find(({ id }) => id === CHECK)?.replay?.sets ?? [];
  const kept = sampleResult([sampleCheck({ id: CHECK, verdict: 'fail', replay: { sets } })]);
  const out = testFolder({ 'results.json': kept });
  const id = `${CHECK}#after+before+modified_after:refused`;
  const reproduced = await spawnMain(['run', '--target', broken.url, '--replay', id, '--out', out]).ended;
  const [{ fuzz } = expect.fail('nothing')] = withReplay(
    resolveTargets({ out, target: 'http://127.0.0.1:9' }, {}, {}),
    { id },
  );
  const fixed = sampleResult(await evaluate(healthy.url, fuzz));

  expect(reproduced.stdout).toContain(`\nreplay of ${id}\n  reproduced: ${id}\n`);
  expect(reproduced.stdout).toContain(` --replay '${id}'\n`);
  expect(reproduced.code).toBe(1);
  expect(readdirSync(out).toSorted()).toEqual(['replay', 'results.json']);
  expect(describeReplay([{ kept: fuzz.kept, result: fixed }])).toEqual({ lines: [`fixed: ${id}`], code: 0 });
}, 60_000);
