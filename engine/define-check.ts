import type { Operation, Parameter } from '../specs/model.ts';
import type { Check } from './check.ts';
import { checkId } from './check-id.ts';

/** A check as its family writes it down; what follows from its operation and its parameter is left out. */
export interface CheckSpec
  extends Omit<Check, 'section' | 'basis' | 'effect' | 'parameter' | 'dependsOn' | 'buildsOn'> {
  /** The word of its kind in `specs/texts/check-kinds.json`. */
  readonly kind: string;
  /** The operation that it is about. */
  readonly on?: Operation;
  /** The parameter that it is about, or the neutral name of one. */
  readonly parameter?: Parameter | string | undefined;
  /** That of the parameter, else that of the operation, unless given. */
  readonly section?: string;
  /** `implied` unless given. */
  readonly basis?: Check['basis'];
  /** `reads` unless given. */
  readonly effect?: Check['effect'];
  /** Ids of checks: unless they pass, this one is skipped as blocked. */
  readonly needs?: readonly string[];
  /** Ids of checks whose failure, and nothing less, blocks this one. */
  readonly after?: readonly string[];
}

/** A check with what follows from its operation and its parameter filled in. */
export function check({ on, parameter, section, needs, after, ...spec }: CheckSpec): Check {
  const about = typeof parameter === 'object' ? parameter : undefined;
  const operation = spec.operation ?? on?.id;
  const name = about?.name ?? (typeof parameter === 'string' ? parameter : undefined);
  return {
    basis: 'implied',
    effect: 'reads',
    ...spec,
    section: section ?? about?.section ?? on?.section ?? '',
    ...(operation !== undefined && { operation }),
    ...(name !== undefined && { parameter: name }),
    ...(needs !== undefined && { dependsOn: needs }),
    ...(after !== undefined && { buildsOn: after }),
  };
}

/** The check that an operation is served at all, on which whatever asks it depends: one list, shared by all of its checks. */
export function servedBy(operation: Operation): readonly [string] {
  const list = served.get(operation) ?? [checkId(operation.id, 'method', operation.methods[0])];
  served.set(operation, list);
  return list;
}

const served = new WeakMap<Operation, readonly [string]>();

/** The id of the check that the index lists a method of an operation; its first one unless given. */
export function serves(operation: Operation, method?: string): string {
  return method === undefined ? servedBy(operation)[0] : checkId(operation.id, 'method', method);
}

/** The id of the check that the index declares a parameter of an operation. */
export function declares({ id }: Pick<Operation, 'id'>, parameter: string): string {
  return checkId(id, parameter, 'declared');
}
