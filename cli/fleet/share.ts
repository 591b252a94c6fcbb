import type { ExitCode } from '../../compare/fleet.ts';
import { shareOf, type TargetShare } from '../../compare/fleet-target.ts';
import { readSide } from '../../compare/side.ts';
import { resultOfFailure } from '../failed-run.ts';
import { type FleetJob, failureOf } from './job.ts';

/** A site has some ten; what serves more tells nothing by them. */
const MOST_NAMESPACES = 200;
const LONGEST = 200;

/** What a target adds to its fleet, from the reports in its folder. @throws UnreadableSide where they cannot be read */
export function shareIn({ name, folder }: FleetJob, exitCode: ExitCode, seconds: number): TargetShare {
  const { run, index } = readSide(folder);
  if (run === undefined) throw new Error(`${folder} holds no results.json`);
  return shareOf(run, { name, folder: name, exitCode, seconds, namespaces: namesIn(index?.namespaces) });
}

/** What a target adds of which there are no reports. */
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
