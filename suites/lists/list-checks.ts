import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, declares, type Found, serves } from '../../engine/check.ts';
import { failure, inconclusive, notApplicable } from '../../engine/findings.ts';
import { listRevisions, newDraft, revisedDraft } from '../../probing/records/own/drafts.ts';
import { must, recordOrAbort } from '../../probing/records/own/outcome.ts';
import { ownCheck } from '../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../probing/records/own/own-records.ts';
import {
  canMatchNothing,
  lookedUpIds,
  noMatchFinding,
  noMatchId,
} from '../../probing/records/reading/no-match.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { idsIn, pairOf, toRecords } from '../../probing/records/reading/record.ts';
import { runRule, snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { shownToAnonymous } from '../../probing/records/reading/shown-to-anonymous.ts';
import { countOf, type Rule, sameIds } from '../../probing/records/reading/trials.ts';
import {
  batchOperation,
  isOwnable,
  isWellKnown,
  ofKind,
  operationFor,
  parameterNamed,
  routeFor,
  takes,
} from '../../specs/find-resource.ts';
import type { Contract, Operation, Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';
import { besideCheck, isProvenPacked } from './beside-checks.ts';
import { everyListCheck } from './every-answer-checks.ts';
import { filterCheck, parameterOf } from './filter-checks.ts';
import { FILTER_TABLE, type FilterEntry } from './filter-table.ts';
import { keepsStatuses, shownStatuses } from './rules/status-rules.ts';
import { findBranch } from './rules/term-rules.ts';
import { subsetChecks } from './subsets/subset-checks.ts';

/** Checks that the parameters of lists do what they are named for (§4.6 to §4.8), predicted from the records. */
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
        ...noMatchChecks(operation),
        ...anonymousChecks(operation),
        ...subsetChecks(contract, operation),
        ...everyListCheck(operation),
      ];
    });
}

/** Parameters with the same meaning in every list; the meaning of others depends on the kind of records. */
const PLAIN: ReadonlySet<string> = new Set(['page', 'per_page', 'offset', 'include', 'exclude']);

const OF_REVISIONS: ReadonlySet<string> = new Set([...PLAIN, 'order', 'search']);

/** The check that a list is empty, not refused, if no record matches (§4.6). */
function noMatchChecks(operation: Operation): Check[] {
  const search = parameterNamed(operation, 'search');
  if (search === undefined || !canMatchNothing(operation)) return [];
  return [
    check({
      id: noMatchId(operation),
      kind: 'lists',
      title: `${operation.id} is empty if no record matches`,
      on: operation,
      parameter: search,
      needs: [checkId(operation.id, 'method', 'GET'), checkId(operation.id, search.name, 'declared')],
      after: [checkId(operation.id, search.name, 'filters'), lookedUpIds(operation)],
      run: (session) => noMatchFinding(session, operation),
    }),
  ];
}

/** Checks that leaving out a member of a taxonomy filter means its stated default (§4.6). */
function nestedDefaultChecks(operation: Operation): Check[] {
  return operation.parameters.flatMap((parameter) =>
    Object.entries(parameter.schema.properties ?? {})
      .filter(([, schema]) => otherThan(schema) !== undefined)
      .map(([member, schema]) => {
        const { name, wire } = parameter;
        const place = checkId(operation.id, name, 'properties', member);
        const check = filterCheck(operation, parameter, {
          parameter: name,
          does: `treats ${wire} without ${member} like ${member} ${String(schema.default)}`,
          rule: meansDefault(parameter, member, schema),
          after: [name],
        });
        return {
          ...check,
          id: checkId(place, 'default', 'applied'),
          kind: 'defaults',
          dependsOn: [...(check.dependsOn ?? []), checkId(place, 'default')],
        };
      }),
  );
}

/** A value other than the default; undefined if the schema has none, as for a list of ids. */
function otherThan({ default: stated, enum: members, type }: Schema): unknown {
  if (stated === undefined) return undefined;
  return type === 'boolean' ? stated !== true : members?.find((value) => value !== stated);
}

/** The same filter without the member, with its default, and with another value, which must differ. */
function meansDefault(parameter: Parameter, member: string, schema: Schema): Rule {
  return async ({ page }, site) => {
    const branch = schema.type === 'boolean' ? await findBranch(page, site) : undefined;
    if (isFinding(branch)) return branch;
    const terms =
      branch === undefined ? pairOf(page, parameter.name.replace(/_exclude$/, '')) : [branch.parent];
    if (terms === undefined)
      return inconclusive(`the records do not show ${parameter.name} that would make a difference`);
    const values = [{}, { [member]: schema.default }, { [member]: otherThan(schema) }];
    // The check of children sends the same.
    const any = branch === undefined ? {} : { operator: 'OR' };
    return [
      {
        requests: values.map((more) => ({ [parameter.wire]: { terms, ...more, ...any } })),
        evaluate([omitted = [], explicit = []]) {
          if (sameIds(omitted, explicit)) return undefined;
          const named = `terms ${terms.join(', ')} of ${parameter.wire}`;
          return {
            message: `leaving ${member} out beside ${named} is not the same as ${member} ${String(schema.default)}`,
            expected: countOf(explicit),
            observed: countOf(omitted),
          };
        },
        whyUnproven: ([omitted = [], , other = []]) =>
          sameIds(omitted, other)
            ? inconclusive(`no other value of ${member} changes the answer, so its default does not show`)
            : undefined,
      },
    ];
  };
}

/** Checks of the parameters of a list of revisions (§4.6), on an own draft with several changes. */
export function revisionListChecks(contract: Contract): Check[] {
  return ofKind(contract, 'revisions').flatMap((resource) => {
    const { parent: type = '', operations } = resource;
    const { list } = operations;
    const makesSome = isOwnable(contract, resource) && operationFor(contract, type, 'update') !== undefined;
    if (list === undefined || !makesSome) return [];
    return [
      ...FILTER_TABLE.filter(({ parameter, part }) => part === undefined && OF_REVISIONS.has(parameter)).map(
        (entry) => listCheck(type, list, entry),
      ),
      ...(batchOperation(contract) !== undefined ? [wholeListCheck(type, list)] : []),
    ];
  });
}

function listCheck(type: string, list: Operation, { parameter, does, rule }: FilterEntry): Check {
  return ownCheck({
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
      // Pages and offsets cannot be tested if lists ignore the page size.
      ['page', 'offset'].includes(parameter) && checkId('revisions', type, 'list', 'per_page'),
    ],
    // The same of the revisions that the site has already.
    after: ['filters', 'type/accepted', 'enum/accepted', 'items/type/accepted'].map((aspect) =>
      checkId(list.id, parameter, aspect),
    ),
    async run(own) {
      const { route } = await revisedDraft(own, list);
      const subject = await openList(own.session, list, route);
      // Few sets of several arguments prove what the list of a record of the site shows of each alone.
      if (await isProvenPacked(own.session, subject, parameter)) return [];
      return runRule(own.session, subject, rule);
    },
  });
}

/** More changes than other lists show by default. */
const MANY = 12;

/** The check that a list of revisions without `per_page` is complete, because it has no default (§4.6). */
function wholeListCheck(type: string, list: Operation): Check {
  return ownCheck({
    id: checkId('revisions', type, 'list', 'whole'),
    kind: 'lists',
    title: `the list of the revisions of one of the ${type} is not cut where no per_page is sent`,
    on: list,
    parameter: 'per_page',
    needs: [serves(list, 'GET'), declares(list, 'per_page'), checkId('revisions', type, 'created')],
    after: [checkId(list.id, 'per_page', 'filters'), checkId('batch', 'one')],
    run: (own) => evaluateWhole(own, type, list),
  });
}

async function evaluateWhole(own: OwnRecords, type: string, list: Operation): Promise<Found> {
  const draft = recordOrAbort(await newDraft(own, type), 'no draft can be created');
  const changes = Array.from({ length: MANY }, (_, at) => ({
    method: 'POST',
    path: own.routeOf(draft),
    body: own.stated(type, { title: `${draft.slug} ${at}`, content: `<p>Version ${at}.</p>` }),
  }));
  const route = batchOperation(own.session.contract)?.route.wire ?? '';
  must.accept(
    'a batch of changes',
    await own.send({ method: 'POST', route, body: { json: { requests: changes } } }),
  );
  const revisions = routeFor(list, draft.id);
  const most = await listRevisions(own.session, revisions);
  const plain = await own.get(revisions);
  must.accept('the list of revisions', plain);
  const [all, shown] = [idsIn(most), new Set(idsIn(plain))];
  const lost = all.filter((id) => !shown.has(id));
  if (lost.length > 0) {
    return failure('the list of revisions is cut where no per_page is sent', {
      expected: `${all.length} revisions`,
      observed: `${shown.size}`,
      reproduce: [most.curl, plain.curl],
    });
  }
  if (all.length >= MANY) return [];
  return inconclusive(`the site keeps ${all.length} of ${MANY} revisions: a list that is cut does not show`);
}

/** The check that records of other statuses are never listed to anonymous callers who request no status (§3). */
function anonymousChecks(list: Operation): Check[] {
  const status = parameterNamed(list, 'status');
  const collection = list.resource?.id;
  if (status === undefined || collection === undefined || !takes(list, 'include')) return [];
  return [
    check({
      id: checkId(list.id, 'status', 'filters', 'anonymous'),
      kind: 'lists',
      title: `${list.id} shows anonymous callers nothing of another status than its default, whatever they filter by`,
      on: list,
      parameter: status,
      needsUser: true,
      needs: [checkId(list.id, 'method', 'GET'), checkId(list.id, 'status', 'filters')],
      async run(session) {
        const subject = await openList(session, list);
        const shown = orAbort(await snapshotOf(session, subject, await shownStatuses(session, subject)));
        const keeps = keepsStatuses([status.schema.default].flat());
        const hidden = shown.records.filter((record) => keeps(record) === false);
        if (hidden.length === 0) return notApplicable('the site shows the user none of another status');
        return shownToAnonymous(session, list, hidden, async ({ id }) => {
          const read = operationFor(session.contract, collection, 'read');
          if (read === undefined) return true;
          const fresh = await session.client.request({
            method: 'GET',
            route: routeFor(read, id),
            query: [['context', 'edit']],
            as: 'user',
          });
          const [now] = toRecords([fresh.json]);
          return now !== undefined && keeps(now) === false;
        });
      },
    }),
  ];
}
