import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { KeptSet } from '../engine/fuzz-options.ts';
import type { CheckResult, RunResult } from '../engine/result.ts';
import { writeAtomically } from '../reports/files.ts';
import { readValidated } from '../specs/validators.ts';
import { EMBEDDED, type ResolvedTarget } from './resolve-targets.ts';
import { UsageError } from './usage-error.ts';

/** The folder below the one for reports where a replay writes its own. */
const REPLAY = 'replay';

/**
 * Gives the fuzz checks of a run the sets of arguments that failed earlier.
 * @param replay the id of a check: then the run judges again what that check found, and nothing else
 * @throws UsageError where the results of the last run hold nothing to replay; SpecError for a file that breaks its schema
 */
export function withKeptSets(
  targets: readonly ResolvedTarget[],
  replay: string | undefined,
): ResolvedTarget[] {
  const [first] = targets;
  if (first === undefined) return [];
  if (replay !== undefined) {
    const kept = readReplay(first.out, replay);
    const out = join(first.out, REPLAY);
    return targets.map((one) => ({ ...one, only: [replay], skip: [], fuzz: { examples: 0, kept }, out }));
  }
  const kept = loadExamples(first.examplesFile);
  return targets.map((one) => ({ ...one, fuzz: { ...one.fuzz, kept } }));
}

/** What a replay tells of a finding. */
export function describeReplay(result: Pick<CheckResult, 'verdict'> | undefined): string {
  switch (result?.verdict) {
    case 'fail':
    case 'warn':
      return 'still there';
    case 'pass':
      return 'gone';
    default:
      return 'cannot tell';
  }
}

function readReplay(out: string, id: string): KeptSet[] {
  const files = [out, ...EMBEDDED.map((name) => join(out, name))]
    .map((folder) => resolve(folder, 'results.json'))
    .filter((file) => existsSync(file));
  if (files.length === 0)
    throw new UsageError(`--replay ${id}: ${out} holds no results.json (--out names the folder)`);
  for (const file of files) {
    const { checks } = readValidated<RunResult>(file, 'result.schema.json');
    const sets = checks.find((check) => check.id === id)?.replay?.sets ?? [];
    if (sets.length > 0) return sets.map(({ args }) => ({ check: id, args }));
  }
  throw new UsageError(
    `--replay ${id}: the results in ${out} hold nothing to replay under this id (fuzz checks that found something do; --only repeats any other check)`,
  );
}

function loadExamples(path: string | undefined): KeptSet[] {
  if (path === undefined || !existsSync(path)) return [];
  return [...readValidated<{ sets: KeptSet[] }>(path, 'examples.schema.json').sets];
}

/** Adds what a run found to a file of examples, each once, sorted, so that it can be kept under version control. */
export function addExamples(path: string, known: readonly KeptSet[], checks: readonly CheckResult[]): void {
  const found = checks.flatMap(({ id, replay }) =>
    (replay?.sets ?? []).map(({ args }) => ({ check: id, args })),
  );
  const all = new Map([...known, ...found].map((set) => [JSON.stringify([set.check, set.args]), set]));
  const sets = [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, set]) => set);
  writeAtomically(path, `${JSON.stringify({ sets }, null, 2)}\n`);
}
