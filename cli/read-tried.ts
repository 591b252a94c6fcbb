import type { RunResult } from '../engine/result.ts';
import { type TriedOperation, triedValues } from '../reports/tried-values.ts';
import { readValidated } from '../specs/validators.ts';
import { UsageError } from './usage-error.ts';

/** A run, and what its fuzz checks tried. */
export interface TriedInRun {
  readonly run: string;
  readonly deployment: string;
  readonly operations: readonly TriedOperation[];
}

/**
 * Reads from the results of a run what its fuzz checks tried.
 * @param deployments the names of those that are asked for
 * @throws SpecError for a file that breaks its schema; UsageError for the results of another deployment
 */
export function readTried(path: string, deployments: readonly string[]): TriedInRun {
  const { run, target, checks } = readValidated<RunResult>(path, 'result.schema.json');
  if (!deployments.includes(target.deployment)) {
    throw new UsageError(
      `--results ${path}: these are results of the deployment ${target.deployment}: add --deployment ${target.deployment}, or the path of its file`,
    );
  }
  return { run: run.id, deployment: target.deployment, operations: triedValues(checks) };
}
