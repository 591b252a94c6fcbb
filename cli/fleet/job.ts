import type { TargetShare } from '../../compare/fleet-target.ts';
import type { RunResult } from '../../engine/result.ts';
import type { FailedRun } from '../failed-run.ts';
import type { ConfigFile, Settings } from '../run-config.ts';

/** One target of a fleet, as the process that checks it is told. */
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

/** What such a process answers. */
export interface FleetAnswer {
  readonly share: TargetShare;
}

/** A target that has no result of its own, and why. */
export function failureOf({ about }: Pick<FleetJob, 'about'>, code: number, reason: string): FailedRun {
  return { code, reason, target: about.target, mode: about.mode };
}
