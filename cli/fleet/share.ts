import type { ExitCode } from '../../compare/fleet/document.ts';
import { type TargetShare, targetShareOf } from '../../compare/fleet/tally.ts';
import type { RunResult } from '../../engine/result.ts';
import type { ConfigFile } from '../config.ts';
import type { Settings } from '../options.ts';
import { recordFailureOf, resultOfFailure } from '../run/failed-run.ts';

/** One target of a fleet, as its process receives it. */
export interface FleetJob {
  readonly name: string;
  readonly problem?: string | undefined;
  readonly folder: string;
  readonly settings: Settings;
  readonly file: ConfigFile;
  readonly about: Pick<RunResult['run'], 'mode'> & {
    readonly target: Pick<RunResult['target'], 'url' | 'deployment' | 'vocabulary'>;
  };
  /** Seconds until its process counts as hanging; undefined for no limit. */
  readonly limit: number | undefined;
}

/** Why an interrupted fleet says nothing about a target. */
export const BEFORE_IT_BEGAN = 'interrupted before it began';

/** The share of a target whose process is lost. Its folder records that nothing can be concluded. */
export async function lostShare(
  job: FleetJob,
  code: 2 | 3 | 4,
  reason: string,
  seconds = 0,
): Promise<TargetShare> {
  await recordFailureOf(job.folder, { code, reason, ...job.about });
  return shareWithout(job, code, reason, seconds);
}

/** The share of a target without reports. */
export function shareWithout(job: FleetJob, exitCode: ExitCode, reason: string, seconds = 0): TargetShare {
  const result = resultOfFailure({ reason, ...job.about });
  return targetShareOf(result, {
    name: job.name,
    folder: job.name,
    exitCode,
    seconds,
    namespaces: undefined,
  });
}
