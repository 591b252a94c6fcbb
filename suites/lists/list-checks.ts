import type { Check } from '../../engine/check.ts';
import { isWellKnown } from '../../specs/find-resource.ts';
import type { Contract } from '../../specs/model.ts';
import { besideCheck } from './beside-checks.ts';
import { filterCheck } from './filter-checks.ts';
import { FILTER_TABLE } from './filter-table.ts';
import { nestedDefaultChecks } from './nested-default-checks.ts';
import { parameterOf } from './parameter-of.ts';
import { subsetChecks } from './subsets/subset-checks.ts';

/**
 * Checks that the parameters of the lists of records, files and revisions do what they are named for (§4.6 to §4.8): the
 * records of the site themselves predict each answer. A list of autosaves has none that select.
 */
export function collectionChecks(contract: Contract): Check[] {
  return contract.operations
    .filter(({ resource, role }) => role === 'list' && resource?.kind !== 'autosaves')
    .flatMap((operation) => {
      const { resource } = operation;
      const isKnown = resource === undefined || isWellKnown(contract, resource);
      const entries = isKnown ? FILTER_TABLE : FILTER_TABLE.filter(({ parameter }) => PLAIN.has(parameter));
      const filters = entries.flatMap((entry) => {
        const parameter = parameterOf(entry, operation);
        if (parameter === undefined) return [];
        const beside = entry.about === undefined ? [] : [besideCheck(operation, parameter, entry)];
        return [filterCheck(operation, parameter, entry), ...(isKnown ? beside : [])];
      });
      if (!isKnown) return resource?.parent === undefined ? filters : [];
      return [...filters, ...nestedDefaultChecks(operation), ...subsetChecks(operation)];
    });
}

/** What pages and ids mean is the same in every list; what another parameter selects, the records of a known kind tell. */
const PLAIN: ReadonlySet<string> = new Set(['page', 'per_page', 'offset', 'include', 'exclude']);
