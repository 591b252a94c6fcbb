import { type Check, checkId, declares, type Found, serves } from '../../engine/check.ts';
import type { Session } from '../../engine/session.ts';
import { ownCheck } from '../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../probing/records/own/own-records.ts';
import { revisedDraft } from '../../probing/records/own/revised-draft.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { runRule } from '../../probing/records/reading/run-rule.ts';
import { isOwnable, isWellKnown, ofKind, operationFor } from '../../specs/find-resource.ts';
import type { Contract, Operation } from '../../specs/model.ts';
import { anonymousChecks } from './anonymous-checks.ts';
import { besideCheck } from './beside-checks.ts';
import { filterCheck, nestedDefaultChecks, parameterOf } from './filter-checks.ts';
import { FILTER_TABLE, type FilterEntry } from './filter-table.ts';
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
      return [
        ...filters,
        ...nestedDefaultChecks(operation),
        ...anonymousChecks(operation),
        ...subsetChecks(operation),
      ];
    });
}

/** What pages and ids mean is the same in every list; what another parameter selects, the records of a known kind tell. */
const PLAIN: ReadonlySet<string> = new Set(['page', 'per_page', 'offset', 'include', 'exclude']);

const LIST_PARAMETERS: readonly string[] = [
  'include',
  'exclude',
  'order',
  'per_page',
  'page',
  'offset',
  'search',
];

/** Checks of what the parameters of a list of revisions do (§4.6), on an own draft that was changed several times. */
export function revisionListChecks(contract: Contract): Check[] {
  return ofKind(contract, 'revisions').flatMap((resource) => {
    const { parent: type = '', operations } = resource;
    const { list } = operations;
    const makesSome = isOwnable(contract, resource) && operationFor(contract, type, 'update') !== undefined;
    if (list === undefined || !makesSome) return [];
    return FILTER_TABLE.filter(isOfRevisions).map((entry) => listCheck(type, list, entry));
  });
}

function isOfRevisions({ parameter, part }: FilterEntry): boolean {
  return part === undefined && LIST_PARAMETERS.includes(parameter);
}

function listCheck(type: string, list: Operation, { parameter, does, rule }: FilterEntry): Check {
  return ownCheck({
    area: 'revisions',
    id: checkId('revisions', type, 'list', parameter),
    kind: 'lists',
    title: `the list of the revisions of one of the ${type} ${does}`,
    on: list,
    parameter,
    needs: [
      serves(list, 'GET'),
      declares(list, parameter),
      checkId(list.id, parameter, 'type'),
      checkId('revisions', type, 'created'),
      // Pages and offsets show nothing where lists are not cut.
      ...(['page', 'offset'].includes(parameter) ? [checkId('revisions', type, 'list', 'per_page')] : []),
    ],
    run: (session, own) => evaluateList(session, own, list, rule),
  });
}

async function evaluateList(
  session: Session,
  own: OwnRecords,
  list: Operation,
  rule: FilterEntry['rule'],
): Promise<Found> {
  const { route } = await revisedDraft(session, own, list);
  return runRule(session, await openList(session, list, route), rule);
}
