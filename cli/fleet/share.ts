import { join } from 'node:path';
import type { ExitCode } from '../../compare/fleet/document.ts';
import { shareOf, type TargetShare } from '../../compare/fleet/tally.ts';
import { indexBeside, readRun } from '../../compare/side.ts';
import type { RunResult } from '../../engine/result.ts';
import type { ConfigFile } from '../config.ts';
import type { Settings } from '../options.ts';
import { type FailedRun, resultOfFailure } from '../run/failed-run.ts';

/** One target of a fleet, as the process that checks it gets it. */
export interface FleetJob {
  readonly name: string;
  /** Where its reports go. */
  readonly folder: string;
  /** What the command line says. */
  readonly settings: Settings;
  /** The configuration, of its targets this one alone. */
  readonly file: ConfigFile;
  /** What is known of it before it is asked. */
  readonly about: Pick<RunResult['run'], 'mode'> & {
    readonly target: Pick<RunResult['target'], 'url' | 'deployment' | 'vocabulary'>;
  };
  /** Seconds after which its process hangs; undefined for no bound. */
  readonly limit: number | undefined;
}

/** A target that has no result of its own, and why. */
export function failureOf({ about }: Pick<FleetJob, 'about'>, code: number, reason: string): FailedRun {
  return { code, reason, target: about.target, mode: about.mode };
}

/** A site has some ten; what serves more is not known by them. */
const MOST_NAMESPACES = 200;
const LONGEST = 200;

/**
 * What a target adds to its fleet.
 * @param result undefined to read it from the reports in its folder, as a run that failed leaves it
 * @throws UsageError where they cannot be read
 */
export function shareIn(
  { name, folder }: FleetJob,
  result: RunResult | undefined,
  exitCode: ExitCode,
  seconds: number,
): TargetShare {
  const run = result ?? readRun(folder);
  const namespaces = namesIn(indexBeside(join(folder, 'results.json'))?.namespaces);
  return shareOf(run, { name, folder: name, exitCode, seconds, namespaces });
}

/** What a target without reports adds to its fleet. */
export function shareWithout(job: FleetJob, exitCode: ExitCode, reason: string, seconds = 0): TargetShare {
  const result = resultOfFailure(failureOf(job, exitCode, reason));
  return shareOf(result, { name: job.name, folder: job.name, exitCode, seconds, namespaces: undefined });
}

function namesIn(namespaces: unknown): string[] | undefined {
  if (!Array.isArray(namespaces)) return undefined;
  return namespaces
    .filter((one) => typeof one === 'string')
    .map((one) => one.slice(0, LONGEST))
    .slice(0, MOST_NAMESPACES);
}
