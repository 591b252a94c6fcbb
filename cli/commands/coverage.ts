import { readRun } from '../../compare/side.ts';
import { triedValues } from '../../reports/tried-values.ts';
import { coverageView, isWhole, type TriedInRun } from '../../reports/views/coverage.ts';
import { listMutants } from '../../sites/alterations/catalogue.ts';
import { UsageError } from '../../specs/validators.ts';
import { plannedValues } from '../../suites/arguments/fuzz/planned-values.ts';
import { coverageOf } from '../../suites/coverage/coverage.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { type GivenOut, showDocument, writeDocument } from '../shell/output.ts';

/** How the coverage is shown. */
export type CoverageOutput = Pick<GivenOut, 'json' | 'html'> & { readonly results?: string | undefined };

/**
 * Shows what the checks of each target's contract cover.
 * @returns the exit code: 4 if a requirement has neither a check nor a reason, or a check has no requirement
 * @throws UsageError if the page cannot be written
 */
export function coverageCommand(
  chosen: readonly RunConfig[],
  { json = false, html, results }: CoverageOutput,
): number {
  const names = chosen.map((target) => contractOf(target).deployment);
  const tried = results === undefined ? undefined : readTried(results, names);
  const coverages = chosen.map((target) => {
    const { plan } = target;
    const contract = contractOf(target);
    const checks = plan.map(({ check }) => check);
    return {
      ...coverageOf(contract, checks, { mutants: mutantsOf(target) }),
      fuzz: plannedValues(contract),
      ...(tried?.deployment === contract.deployment && { tried }),
    };
  });
  const view = coverageView(coverages);
  writeDocument('coverage', coverages, view, { html });
  if (json === true || html === undefined) showDocument(coverages, view, { json });
  return coverages.every(isWhole) ? 0 : 4;
}

/**
 * The mutants that prove the checks of a deployment; none for a composed one, which the reference deployment cannot
 * serve.
 */
export function mutantsOf({ deployment, composed }: RunConfig): ReturnType<typeof listMutants> {
  return composed === undefined ? listMutants(deployment) : [];
}

/**
 * Reads from the results of a run what its fuzz checks tried.
 * @param deployments the names of the requested ones
 * @param path the file, or the folder with it
 * @throws UsageError for a file without results, and for results of another deployment
 */
function readTried(path: string, deployments: readonly string[]): TriedInRun {
  const { run, target, checks } = readRun(path);
  if (!deployments.includes(target.deployment)) {
    throw new UsageError(
      `--results ${path}: these are results of the deployment ${target.deployment}: add --deployment ${target.deployment}, or the path of its file`,
    );
  }
  return { run: run.id, deployment: target.deployment, operations: triedValues(checks) };
}
