import type { CheckResult, StageReport } from '../../../engine/result.ts';
import { findResource } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';

/** Says of each thing that could not be made which checks of its resource, or of its children, could not tell anything. */
export function withCosts(
  stage: StageReport,
  checks: readonly CheckResult[],
  contract: Contract,
): StageReport {
  const resources = new Map(contract.operations.map(({ id, resource }) => [id, resource?.id]));
  const untold = checks.filter(({ verdict }) => verdict === 'inconclusive');
  return {
    ...stage,
    missing: stage.missing.map((one) => {
      const concerned = new Set([one.resource, ...(findResource(contract, one.resource)?.children ?? [])]);
      const costs = untold.filter(
        ({ operation, parameter = '' }) =>
          concerned.has(resources.get(operation ?? '') ?? '') &&
          (one.serves === undefined || one.serves.includes(parameter)),
      );
      return { ...one, checks: costs.map(({ id }) => id) };
    }),
  };
}
