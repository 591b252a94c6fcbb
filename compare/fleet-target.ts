import { areaOf } from '../engine/kind-of.ts';
import type { RunResult } from '../engine/result.ts';
import type { ExitCode, FleetTarget, TargetBaseline } from './fleet.ts';

/** What one target adds to a fleet: its row, and the checks that fail on it. */
export interface TargetShare {
  readonly target: FleetTarget;
  readonly failing: readonly FailingCheck[];
}

/** A check that fails on one target. */
export interface FailingCheck {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly section: string;
  readonly waived: boolean;
  /** It is new against the baseline of the target. */
  readonly isNew: boolean;
}

/** What a run of a fleet knows of a target beside its result. */
interface TargetPlace {
  readonly name: string;
  /** Relative to the document of the fleet. */
  readonly folder: string;
  readonly exitCode: ExitCode;
  /** Wall time, where the run itself tells none. */
  readonly seconds: number;
  /** Those of its index. */
  readonly namespaces: readonly string[] | undefined;
}

/** So many names stand in a list; `results.json` has them all. */
export const MOST_NAMES = 20;

/** Sums up the result of one target for its fleet. */
export function shareOf(result: RunResult, place: TargetPlace): TargetShare {
  const { name, folder, exitCode, namespaces } = place;
  const { target, run, tool, baseline } = result;
  const fresh = new Set(baseline?.new);
  const failing = result.checks
    .filter(({ verdict }) => verdict === 'fail')
    .map((check) => ({
      id: check.id,
      area: areaOf(check),
      title: check.title,
      section: check.section,
      waived: check.waived !== undefined,
      isNew: fresh.has(check.id),
    }));
  return {
    target: {
      name,
      folder,
      url: target.url,
      deployment: target.deployment,
      vocabulary: target.vocabulary,
      mode: run.mode,
      exitCode,
      conclusion: result.conclusion,
      reason: result.reason,
      counts: result.counts,
      started: run.started,
      seconds: run.seconds === 0 ? place.seconds : run.seconds,
      requests: run.requests,
      contract: tool.contract,
      index: target.index,
      ...(namespaces !== undefined && { namespaces }),
      failing: failing
        .filter(({ waived }) => !waived)
        .map(({ id }) => id)
        .slice(0, MOST_NAMES),
      ...(result.partial !== undefined && { partial: result.partial }),
      ...baselineOf(result),
    },
    failing,
  };
}

function baselineOf({ baseline }: RunResult): { baseline?: TargetBaseline } {
  if (baseline === undefined) return {};
  const { run, started } = baseline;
  return {
    baseline: {
      run,
      started,
      new: baseline.new.length,
      ...(baseline.found !== undefined && { found: baseline.found.length }),
      still: baseline.still.length,
      fixed: baseline.fixed.length,
      untold: baseline.untold.length,
      vanished: baseline.vanished.length,
      unstable: baseline.unstable.length,
      worst: baseline.new.slice(0, MOST_NAMES),
    },
  };
}
