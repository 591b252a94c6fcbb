import { existsSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { readRun, UnreadableSide } from '../compare/side.ts';
import type { RunResult } from '../engine/result.ts';
import type { Contract } from '../specs/model.ts';
import type { ChosenTarget } from './choose-targets.ts';
import { UsageError } from './usage-error.ts';

/** An earlier run that cannot be used as it was named. The reports of that run may stand in --out: they are kept. */
export class UnusableRun extends UsageError {
  override readonly name: string = 'UnusableRun';
}

/** There is nothing that a run could ask: nothing can be concluded, exit code 3. */
export class NothingToRun extends Error {
  override readonly name: string = 'NothingToRun';
}

/** Whether results that a run reads stand in the folder where its own will. */
export function standsIn(out: string, reads: string | undefined): boolean {
  if (reads === undefined) return false;
  const inside = relative(resolve(out), resolve(reads));
  return inside === '' || !(inside.startsWith('..') || isAbsolute(inside));
}

/** Targets with the results that their baselines hold, read before anything is sent. @throws UnusableRun */
export function withBaselines(targets: readonly ChosenTarget[]): ChosenTarget[] {
  return targets.map((chosen) => {
    const { baseline } = chosen.target;
    if (baseline === undefined) return chosen;
    return { ...chosen, earlier: readEarlier('--baseline', baseline, chosen.contract, targets.length > 1) };
  });
}

/**
 * Reads the results of an earlier run of the same deployment.
 * @param option the option that names it
 * @param path a results.json, the folder that holds it, or the folder of a run of several deployments
 * @param several whether the present run is one of several deployments: then each has a folder of its own
 * @throws UnusableRun for what is no whole result of that deployment, or one of a run that came to no check
 */
export function readEarlier(
  option: '--baseline' | '--rerun',
  path: string,
  { deployment }: Pick<Contract, 'deployment'>,
  several: boolean,
): RunResult {
  const run = read(option, placeOf(path, deployment, several));
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
    if (!(error instanceof UnreadableSide)) throw error;
    const first =
      option === '--baseline' && !existsSync(place) ? '; the first run has none: run without it once' : '';
    throw new UnusableRun(`${option} ${error.message}${first}`);
  }
}

/** Of a folder that a run of several deployments filled the part that is meant. */
function placeOf(path: string, deployment: string, several: boolean): string {
  const part = join(path, deployment);
  const isPart = statSync(join(part, 'results.json'), { throwIfNoEntry: false })?.isFile() === true;
  const isWhole = statSync(join(path, 'results.json'), { throwIfNoEntry: false })?.isFile() === true;
  return isPart && (several || !isWhole) ? part : path;
}
