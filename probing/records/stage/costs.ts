import type { CheckResult, StageReport } from '../../../engine/result.ts';
import { findResource } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';

/**
 * Says of each thing that could not be made which checks could not tell anything: those of its resource and of its children,
 * and, where none of it can be made at all, those of fields that name some of it.
 */
export function withCosts(
  stage: StageReport,
  checks: readonly CheckResult[],
  contract: Contract,
): StageReport {
  const resources = new Map(contract.operations.map(({ id, resource }) => [id, resource?.id]));
  const names = new Map(
    contract.operations.flatMap(({ id, parameters }) =>
      parameters.map(({ name, schema }) => [`${id} ${name}`, schema['x-names']] as const),
    ),
  );
  const untold = checks.filter(({ verdict }) => verdict === 'inconclusive');
  return {
    ...stage,
    missing: stage.missing.map((one) => {
      const concerned = new Set([one.resource, ...(findResource(contract, one.resource)?.children ?? [])]);
      const costs = untold.filter(({ operation = '', parameter = '' }) => {
        if (one.serves !== undefined && !one.serves.includes(parameter)) return false;
        if (concerned.has(resources.get(operation) ?? '')) return true;
        return one.serves === undefined && names.get(`${operation} ${parameter}`) === one.resource;
      });
      return { ...one, checks: costs.map(({ id }) => id) };
    }),
  };
}
