import type { Check } from '../../engine/check.ts';
import { valueKindOf } from '../../specs/hints.ts';
import type { Contract } from '../../specs/model.ts';
import { wantedOf } from './control.ts';

/** What a hints file could say about an operation, and how many checks rely on a valid call of it. */
export interface WantedHints {
  readonly operation: string;
  /** Parameters and path parameters, by their neutral names. */
  readonly parameters: readonly string[];
  readonly checks: number;
}

/**
 * The operations of plugins that take something of which neither its schema nor its name says a good value: there the
 * owner of a site may know one. Those that most checks rely on come first.
 * @param checks the ones that are to run; @param hinted whether the owner has named a value already
 */
export function hintsWanted(
  contract: Contract,
  checks: readonly Pick<Check, 'about' | 'operation'>[],
  hinted: (operation: string, name: string) => boolean,
): WantedHints[] {
  const relying = Map.groupBy(
    checks.filter(({ about }) => about !== 'declaration'),
    ({ operation }) => operation,
  );
  return contract.operations
    .filter(({ route }) => route.namespace !== 'cms/v2' && route.namespace !== '')
    .map((operation) => ({
      operation: operation.id,
      parameters: wantedOf(operation).filter((name) => {
        const parameter = operation.parameters.find((one) => one.name === name);
        const isNeeded = parameter === undefined || parameter.required === true || parameter.in === 'path';
        const isKnown = valueKindOf(name, parameter?.schema ?? {}) !== undefined;
        return isNeeded && !isKnown && !hinted(operation.id, name);
      }),
      checks: relying.get(operation.id)?.length ?? 0,
    }))
    .filter(({ parameters, checks: count }) => parameters.length > 0 && count > 0)
    .toSorted((one, other) => other.checks - one.checks);
}
