import { readRun } from '../../compare/side.ts';
import { coverageView, isWhole, triedIn } from '../../reports/views/coverage.ts';
import { listMutants } from '../../sites/alterations/catalogue.ts';
import { UsageError } from '../../specs/validators.ts';
import { plannedValues } from '../../suites/arguments/fuzz/planned-values.ts';
import { coverageOf } from '../../suites/coverage/coverage.ts';
import { contractOf, type RunConfig } from '../../suites/run-config.ts';
import { type GivenOut, showDocument, writeDocument } from '../shell/output.ts';

/** @returns the exit code: 4 if a requirement has neither a check nor a reason, or a check has no requirement */
export function coverageCommand(
  chosen: readonly RunConfig[],
  {
    json = false,
    html,
    results,
  }: Pick<GivenOut, 'json' | 'html'> & { readonly results?: string | undefined },
): number {
  const names = chosen.map((target) => contractOf(target).deployment);
  const tried = results === undefined ? undefined : readTried(results, names);
  const coverages = chosen.map((target) => {
    const contract = contractOf(target);
    const checks = target.plan.map(({ check }) => check);
    return {
      ...coverageOf(contract, checks, { mutants: provingMutants(target) }),
      fuzz: plannedValues(contract),
      ...(tried?.deployment === contract.deployment && { tried }),
    };
  });
  const view = coverageView(coverages);
  writeDocument('coverage', coverages, view, { html });
  if (json === true || html === undefined) showDocument(coverages, view, { json });
  return coverages.every(isWhole) ? 0 : 4;
}

/** The mutants that prove the checks; none for a composed deployment, which the reference cannot serve. */
export function provingMutants({ deployment, composed }: RunConfig): ReturnType<typeof listMutants> {
  return composed === undefined ? listMutants(deployment) : [];
}

function readTried(path: string, deployments: readonly string[]): ReturnType<typeof triedIn> {
  const result = readRun(path);
  const { deployment } = result.target;
  if (deployments.includes(deployment)) return triedIn(result);
  throw new UsageError(
    `--results ${path}: these are results of the deployment ${deployment}: add --deployment ${deployment}, or the path of its file`,
  );
}
