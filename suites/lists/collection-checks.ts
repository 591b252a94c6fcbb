import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { besideCheck } from './beside-check.ts';
import { filterCheck } from './filter-check.ts';
import { FILTER_TABLE } from './filter-table.ts';
import { nestedDefaultChecks } from './nested-default-checks.ts';
import { parameterOf } from './parameter-of.ts';
import { subsetChecks } from './subsets/subset-check.ts';

/**
 * Checks that the parameters of the lists of records, files and revisions do what they are named for (§4.6 to §4.8): the
 * records of the site themselves predict each answer. A list of autosaves has none that select.
 */
export function collectionChecks(contract: Contract): Check[] {
  return contract.operations
    .filter(({ resource, role }) => role === 'list' && resource?.kind !== 'autosaves')
    .flatMap((operation) => [
      ...FILTER_TABLE.flatMap((entry) => {
        const parameter = parameterOf(entry, operation);
        if (parameter === undefined) return [];
        const beside = entry.about === undefined ? [] : [besideCheck(operation, parameter, entry)];
        return [filterCheck(operation, parameter, entry), ...beside];
      }),
      ...nestedDefaultChecks(operation),
      ...subsetChecks(operation),
    ]);
}
