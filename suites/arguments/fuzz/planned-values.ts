import { edgeKeywords } from '../../../probing/search/tried-sets.ts';
import type { Contract, Operation, Parameter } from '../../../specs/model.ts';
import { fuzzChecks } from './fuzz-checks.ts';

interface PlannedParameter {
  readonly name: string;
  /** Keywords with a value that must be accepted. */
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  /** Keywords without a certain value: only strange ones are tried. */
  readonly unsure: readonly string[];
  /** Why only strange values are tried for this parameter; undefined otherwise. */
  readonly reason?: string;
}

/** What fuzz checks would try of one operation. */
export interface PlannedOperation {
  readonly operation: string;
  readonly checks: readonly string[];
  readonly parameters: readonly PlannedParameter[];
  readonly pairs: number;
  readonly apart: readonly { readonly parameter: string; readonly reason: string }[];
}

const NOT_SURE = 'the contract decides of no value for sure whether it is accepted';

/** What the fuzz checks of a contract would try for each operation. Sends nothing. */
export function plannedValues({ operations }: Contract): PlannedOperation[] {
  return operations.flatMap((operation) => {
    const checks = fuzzChecks(operation).map(({ id }) => id);
    return checks.length === 0 ? [] : [plannedOf(operation, checks)];
  });
}

function plannedOf({ id, parameters }: Operation, checks: readonly string[]): PlannedOperation {
  const planned = parameters.filter(({ in: place }) => place !== 'path').map(plannedParameter);
  const combined = planned.filter(({ accepted }) => accepted.length > 0).length;
  const apart = planned
    .filter(({ accepted }) => accepted.length === 0)
    .map(({ name }) => ({ parameter: name, reason: 'no value of it is accepted for sure' }));
  return { operation: id, checks, parameters: planned, pairs: (combined * (combined - 1)) / 2, apart };
}

function plannedParameter({ name, schema }: Parameter): PlannedParameter {
  const [accepted, refused] = [edgeKeywords(schema, 'accepted'), edgeKeywords(schema, 'refused')];
  const sureOf = (keywords: ReadonlyMap<string, boolean>): string[] =>
    [...keywords].filter(([, sure]) => sure).map(([keyword]) => keyword);
  const planned = {
    name,
    accepted: sureOf(accepted),
    refused: sureOf(refused),
    unsure: [...accepted.keys()].filter(
      (keyword) => accepted.get(keyword) !== true && refused.get(keyword) !== true,
    ),
  };
  return planned.accepted.length + planned.refused.length > 0 ? planned : { ...planned, reason: NOT_SURE };
}
