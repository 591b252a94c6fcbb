import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type FleetTarget, readFleet } from '../../compare/fleet.ts';
import { folderOf } from '../../compare/merge-fleets.ts';
import { UsageError } from '../shell/errors.ts';

/** The earlier runs of the targets of a fleet. */
export interface Baselines {
  /** The `results.json` of an earlier run, where it can be compared with. */
  of(name: string): string | undefined;
  /** What is not compared, in sentences. */
  readonly notes: readonly string[];
}

/** The earlier fleet stands where the run would write: nothing of it may be taken away. */
export class BaselineInTheWay extends UsageError {
  override readonly name = 'BaselineInTheWay';
}

const NONE: Baselines = { of: () => undefined, notes: [] };
const MOST_NAMES = 10;

/**
 * Finds the earlier run of each target in an earlier fleet, of one part or all.
 * @param named `fleet.json`, or the folder that holds it; undefined for none
 * @param out the folder for reports, which must not hold it: a run takes away what an earlier one left
 * @throws UnreadableFleet for what is no fleet; BaselineInTheWay where it would be taken away
 */
export function baselinesIn(named: string | undefined, names: readonly string[], out: string): Baselines {
  if (named === undefined) return NONE;
  const { path, fleet } = readFleet(named);
  if (isWithin(out, path)) {
    throw new BaselineInTheWay(
      `--baseline ${named}: the run would take away what is in ${out}: keep the earlier fleet in another folder`,
    );
  }
  const earlier = new Map(fleet.targets.map((target) => [target.name, target]));
  const without = names.filter((name) => !isComparable(earlier.get(name)));
  return {
    of(name) {
      const target = earlier.get(name);
      return target !== undefined && isComparable(target)
        ? join(folderOf(path, target.folder), 'results.json')
        : undefined;
    },
    notes: without.length === 0 ? [] : [`no baseline for ${listOf(without)}: not evaluated in ${path}`],
  };
}

/** Of a target that was down nothing was evaluated. */
function isComparable(target: FleetTarget | undefined): boolean {
  return target !== undefined && target.counts.pass + target.counts.fail > 0;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(resolve(folder), dirname(resolve(path)));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
