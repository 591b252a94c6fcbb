import { boundaryValues } from '../../../generators/boundaries.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';
import { fuzzChecks } from './fuzz-checks.ts';

/** What fuzz checks would try of one parameter. */
export interface PlannedParameter {
  readonly name: string;
  /** Keywords with a value that must be accepted, and with one that must be refused. */
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  /** Why only strange values are tried; undefined where others are. */
  readonly reason?: string;
}

/** What fuzz checks would try of one operation. */
export interface PlannedOperation {
  readonly operation: string;
  readonly checks: readonly string[];
  readonly parameters: readonly PlannedParameter[];
  /** Pairs of parameters that have values which must be accepted. */
  readonly pairs: number;
}

/** What the fuzz checks of a contract would try, operation by operation; nothing is sent. */
export function plannedValues({ operations }: Contract): PlannedOperation[] {
  return operations.flatMap((operation) => {
    const checks = fuzzChecks(operation).map(({ id }) => id);
    return checks.length === 0 ? [] : [plannedOf(operation, checks)];
  });
}

function plannedOf({ id, parameters }: Operation, checks: readonly string[]): PlannedOperation {
  const planned = parameters.filter(({ in: place }) => place !== 'path').map(plannedParameter);
  const combined = planned.filter(({ accepted }) => accepted.length > 0).length;
  return { operation: id, checks, parameters: planned, pairs: (combined * (combined - 1)) / 2 };
}

function plannedParameter({ name, schema }: Parameter): PlannedParameter {
  const values = boundaryValues(schema);
  const keywordsOf = (wanted: string): string[] => [
    ...new Set(values.filter(({ expect }) => expect === wanted).map(({ keyword = 'type' }) => keyword)),
  ];
  const [accepted, refused] = [keywordsOf('accepted'), keywordsOf('refused')];
  if (accepted.length + refused.length > 0) return { name, accepted, refused };
  return {
    name,
    accepted,
    refused,
    reason: 'the contract decides of no value for sure whether it is accepted',
  };
}
