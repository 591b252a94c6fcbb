import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { besideCheck } from './beside-check.ts';
import { filterCheck } from './filter-check.ts';
import { FILTER_TABLE } from './filter-table.ts';
import { nestedDefaultChecks } from './nested-default-checks.ts';
import { parameterOf } from './parameter-of.ts';

const LISTS = ['posts.list', 'pages.list', 'media.list', 'post-revisions.list', 'page-revisions.list'];

/**
 * Checks that the parameters of the lists of posts, pages, media and revisions do what they are named for (§4.6 to §4.8):
 * the records of the site themselves predict each answer.
 */
export function collectionChecks(contract: Contract): Check[] {
  return contract.operations
    .filter(({ id }) => LISTS.includes(id))
    .flatMap((operation) => [
      ...FILTER_TABLE.flatMap((entry) => {
        const parameter = parameterOf(entry, operation);
        if (parameter === undefined) return [];
        const beside = entry.about === undefined ? [] : [besideCheck(operation, parameter, entry)];
        return [filterCheck(operation, parameter, entry), ...beside];
      }),
      ...nestedDefaultChecks(operation),
    ]);
}
