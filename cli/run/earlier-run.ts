import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { failuresOf } from '../../compare/baseline.ts';
import { isFile, readRun } from '../../compare/side.ts';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Contract } from '../../specs/model.ts';
import { UsageError } from '../../specs/validators.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { setKey } from './examples-file.ts';

/** An earlier run that cannot be used. Its reports, which may be in --out, are kept. */
export class UnusableRun extends UsageError {
  override readonly name: string = 'UnusableRun';
}

/** Whether the results that a run reads are in the folder for its own. */
export function standsIn(out: string, reads: string | undefined): boolean {
  if (reads === undefined) return false;
  const path = relative(resolve(out), resolve(reads));
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** Reads the baseline of a target, before anything is sent. @throws UnusableRun */
export function readBaseline(target: RunConfig, several: boolean): Partial<RunConfig> {
  const { baseline } = target;
  if (baseline === undefined) return {};
  const earlier = readEarlier('--baseline', baseline, contractOf(target), several);
  return { ...searchesAs(earlier, target), earlier, knownFailures: failuresOf(earlier) };
}

/** The share of sets that a run draws in addition to those of its baseline. */
const FURTHER_SHARE = 0.2;
const MOST_KNOWN = 20;

/**
 * Makes searches repeat an earlier run: the sets of its seed, and all findings of it and its baselines. The seed of
 * this run draws additional sets, as does a larger number of examples.
 */
function searchesAs(earlier: RunResult, { fuzz, seed, again }: RunConfig): Pick<RunConfig, 'fuzz' | 'seed'> {
  if (fuzz.replay === true) return { fuzz, seed };
  const { examples } = fuzz;
  const then = earlier.run.searches?.examples ?? examples;
  // A rerun draws no additional sets.
  const share = again === undefined ? Math.max(FURTHER_SHARE, 1 - then / examples) : 0;
  const known = knownBy(earlier);
  const keys = new Set(known.map(setKey));
  return {
    seed: earlier.run.seed,
    fuzz: {
      examples: Math.min(examples, then),
      kept: [...known, ...fuzz.kept.filter((one) => !keys.has(setKey(one)))],
      further: { seed, examples, share: examples === 0 ? 0 : share },
    },
  };
}

/** The reproducible findings of a run and those before it. Sets with masked values cannot be sent again. */
function knownBy({ run, checks }: RunResult): KeptSet[] {
  const found = checks.flatMap(({ id: check, replay }) =>
    (replay?.sets ?? [])
      .filter(({ masked, shows }) => masked !== true && shows === 'always')
      .map(({ id, args }): KeptSet => ({ check, id, args, shows: 'always', known: true })),
  );
  const all = new Map([...found, ...(run.searches?.known ?? [])].map((one) => [setKey(one), one] as const));
  return [...Map.groupBy(all.values(), ({ check }) => check).values()].flatMap((those) =>
    those.slice(0, MOST_KNOWN),
  );
}

/**
 * Reads the results of an earlier run of the same deployment.
 * @param path a results.json, its folder, or the folder of a run of several deployments
 * @param several whether this run has several deployments, each with a folder of its own
 * @throws UnusableRun for incomplete results, those of another deployment, or of a run without checks
 */
export function readEarlier(
  option: '--baseline' | '--rerun',
  path: string,
  { deployment }: Pick<Contract, 'deployment'>,
  several: boolean,
): RunResult {
  const part = join(path, deployment);
  const isWhole = isFile(join(path, 'results.json'));
  // A run of several deployments has a subfolder for each.
  const run = read(option, isFile(join(part, 'results.json')) && (several || !isWhole) ? part : path);
  if (run.checks.length === 0) {
    throw new UnusableRun(
      `${option} ${path}: that run came to no check (${run.reason}): name the results of one that did`,
    );
  }
  const { deployment: other } = run.target;
  if (other === deployment) return run;
  throw new UnusableRun(
    `${option} ${path}: these are results of deployment "${other}", and this run checks "${deployment}": name results of the same one`,
  );
}

function read(option: string, place: string): RunResult {
  try {
    return readRun(place);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const first =
      option === '--baseline' && !existsSync(place) ? '; the first run has none: run without it once' : '';
    throw new UnusableRun(`${option} ${error.message}${first}`);
  }
}
