import { isObject, member } from '../../client/json.ts';
import type { Observation } from '../../client/observation.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, check, checkId, declares, type Finding, serves } from '../../engine/check.ts';
import { sameMeaning } from '../../engine/equal.ts';
import { failure, failureBy, hasFailure, inconclusive, reportedBy, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { type Maybe, present } from '../../engine/text.ts';
import { isDeclaredAsStated } from '../../probing/declarations/compare-constraint.ts';
import { evaluateFieldType } from '../../probing/records/reading/field-type.ts';
import { findParent, likelyParents } from '../../probing/records/reading/find-parent.ts';
import { listRequest } from '../../probing/records/reading/list-request.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { idsIn, type SiteRecord, toRecords } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { countOf } from '../../probing/records/reading/trials.ts';
import { isDescribed, operationFor, routeFor, takes } from '../../specs/find-resource.ts';
import { CONTEXTS, type Contract, type Operation, type Parameter, type Resource } from '../../specs/model.ts';
import type { ResourceRow } from '../../specs/operation-file.ts';
import { typesOf } from '../../specs/schema.ts';
import { firstViolation, publishedSchema } from '../../specs/shapes.ts';
import { fieldsOf, readContext, rootCheckOf, type Seen, seenOrAbort, shownCheck } from './read-context.ts';

/** Checks that each writable field has its stated type in the edit context (R11). */
export function fieldTypeChecks(contract: Contract, collection: string): Check[] {
  const list = operationFor(contract, collection, 'list');
  if (list === undefined || !takes(list, 'context')) return [];
  const root = rootCheckOf(contract, collection, 'list');
  return fieldsOf(contract, collection)
    .filter(({ schema }) => schema.type !== undefined)
    .map((field) => {
      const id = typeId(collection, field);
      return shownCheck({
        id,
        kind: 'fields',
        ...(field.schema.properties?.raw !== undefined && { groups: ['shown texts'] }),
        field: { resource: collection, field: field.wire },
        title: `${field.wire} of ${collection} is ${typesOf(field.schema).join(' or ')}`,
        on: list,
        needsUser: true,
        needs: [serves(list, 'GET'), declares(list, 'context')],
        async run(session) {
          const seen = seenOrAbort(await seenInContexts(session, collection), root, id);
          return unshown(session, collection, field, seen) ?? evaluateType(field, shownIn(seen));
        },
      });
    });
}

/** The answers that decide about types: that in edit, if the user gets one, and others. */
type SeenInContexts = readonly [edit: Seen | undefined, ...others: Seen[]];

const shownIn = (seen: SeenInContexts): Seen[] => present(seen);

/** @returns a finding if no answer can be read */
async function seenInContexts(session: Session, collection: string): Promise<SeenInContexts | Finding> {
  const listed = await readContext(session, collection, 'list', 'edit');
  const isBlocked = isFinding(listed) && listed.kind === 'blocked';
  // A record alone may show in this context what the list does not.
  const shown = isBlocked ? await readContext(session, collection, 'read', 'edit') : listed;
  const others = await elsewhere(session, collection);
  if (!isFinding(shown)) return [shown, ...others];
  // Who may not edit sees most fields elsewhere.
  return shown.kind === 'inconclusive' && others.length > 0 ? [undefined, ...others] : shown;
}

/** The fields whose own check does not report a type. */
export async function fieldsOfRightType(
  session: Session,
  collection: string,
  fields: readonly Parameter[],
): Promise<Parameter[]> {
  const seen = await seenInContexts(session, collection);
  return fields.filter(
    (field) =>
      isFinding(seen) ||
      !session.runs(typeId(collection, field)) ||
      !hasFailure(evaluateType(field, shownIn(seen))),
  );
}

/**
 * What is written reads back in edit (R35), so a field that a site declares as writable is shown there, unless it may be
 * empty: some software leaves out what is.
 */
function unshown(
  { contract, index, runs }: Session,
  collection: string,
  field: Parameter,
  seen: SeenInContexts,
): Finding | undefined {
  const [edit] = seen;
  const create = operationFor(contract, collection, 'create');
  if (edit === undefined || edit.records.length === 0 || create === undefined) return undefined;
  const isShown = ({ wire }: Parameter): boolean =>
    shownIn(seen).some(({ records }) => records.some(({ json }) => Object.hasOwn(json, wire)));
  if (isShown(field) || !isFilledIn(edit, field) || !isDeclaredAsStated(index, create, field))
    return undefined;
  const fields = create.parameters.filter((one) => isFilledIn(edit, one) && runs(typeId(collection, one)));
  const [first = field] = fields;
  if (first !== field && !fields.some(isShown)) return reportedBy(typeId(collection, first));
  return failure(`${field.wire} can be written, and is not shown in any context`, {
    expected: `${field.wire} in the context edit`,
    observed: `none in ${countOf(edit.records)}`,
    reproduce: [edit.curl],
  });
}

/** Texts that not all of several records lack. */
const SELDOM_EMPTY: ReadonlySet<string> = new Set(['title', 'content']);

/** Whether some of the records of a list must show a field, because it is not empty in all of them. */
function isFilledIn({ records }: Seen, { name, schema }: Parameter): boolean {
  const isText = records.length > 1 && SELDOM_EMPTY.has(name);
  return schema.enum !== undefined || schema.format === 'date-time' || isText;
}

function typeId(collection: string, { name }: Parameter): string {
  return checkId('records', collection, 'types', name);
}

/** Records from other contexts that the checks of contexts read too; these report what is not visible there. */
async function elsewhere(session: Session, collection: string): Promise<Seen[]> {
  const roles = (['list', 'read'] as const).filter((role) => {
    const operation = operationFor(session.contract, collection, role);
    return operation !== undefined && takes(operation, 'context');
  });
  const reads = roles.flatMap((role) =>
    CONTEXTS.filter((context) => role === 'read' || context !== 'edit').map((context) =>
      readContext(session, collection, role, context),
    ),
  );
  return (await Promise.all(reads)).flatMap((shown) => (isFinding(shown) ? [] : [shown]));
}

/** Reports the first answer that shows a field with another type. */
export function evaluateType(field: Parameter, seen: readonly Seen[]): Finding[] {
  // A user who may not edit any record gets an empty list in edit.
  const some = seen.filter(({ records }) => records.length > 0);
  const found = (some.length === 0 ? seen : some).map((one) => evaluateFieldType(field, one));
  return found.find(hasFailure) ?? found[0] ?? [];
}

type IdName = 'id' | 'parent';

/** Records with an id, and children with the id of their parent, by the published schema of records. */
const IDS: Readonly<Record<IdName, object>> = { id: recordWith('id'), parent: recordWith('parent') };

function recordWith(name: IdName): object {
  const properties = { [name]: publishedSchema(`record.schema.json#/$defs/${name}`) };
  return { type: 'object', properties, required: [name] };
}

/** Checks that the id of every record is an integer, and the parent of revisions and autosaves too (§2, R11). */
export function idChecks(contract: Contract, { id, operations }: Resource): Check[] {
  const { list, read } = operations;
  const children = contract.resources.filter(({ parent }) => parent === id);
  const revisions = children.filter(({ kind }) => kind === 'revisions');
  const others = contract.resources.filter(
    (other) => other.parent === undefined && other.id !== id && isDescribed(other),
  );
  const listsOf = (some: readonly Resource[]): Operation[] =>
    some.flatMap((one) => one.operations.list ?? []);
  const foreign = listsOf(others).slice(0, MOST_OTHERS);
  return present([
    list && recordIdCheck(list, id),
    foreign.length > 0 && read && otherIdCheck(read, id, [...foreign, ...listsOf(revisions)], list),
    children.map((child) => childChecks(child, id)),
  ]);
}

function childChecks({ operations: { list, read } }: Resource, collection: string): Maybe<Check> {
  const resource = list?.resource;
  if (list === undefined || resource === undefined) return undefined;
  return [
    childIdCheck(list, collection, resource),
    read && otherParentCheck(read, list, collection, resource),
  ];
}

function recordIdCheck(list: Operation, collection: string): Check {
  return shownCheck({
    id: checkId('records', collection, 'id'),
    kind: 'fields',
    title: `the id of each of the ${collection} is an integer`,
    on: list,
    needs: [serves(list, 'GET')],
    async run(session) {
      const subject = await openList(session, list);
      const snapshot = orAbort(await snapshotOf(session, subject));
      const findings = evaluateIds(snapshot.items, ['id'], snapshot.curls[0] ?? '');
      if (findings.length > 0 || !takes(list, 'context')) return findings;
      // The checks of contexts send the same requests.
      for (const context of CONTEXTS.filter((one) => one !== subject.context)) {
        const { json, curl } = await session.ask(listRequest(subject, { context }));
        if (Array.isArray(json) && json.length > 0) findings.push(...evaluateIds(json, ['id'], curl));
      }
      return findings;
    },
  });
}

/** How many other collections an id is taken from. */
const MOST_OTHERS = 3;

/** The first record of another list, or of the revisions of a record; undefined if none is visible. */
async function firstOf(session: Session, list: Operation): Promise<SiteRecord | undefined> {
  if (list.resource?.parent === undefined) {
    const snapshot = await snapshotOf(session, await openList(session, list));
    return isFinding(snapshot) ? undefined : snapshot.records[0];
  }
  if (session.caller === 'anonymous') return undefined;
  const family = await findParent(session, list, 1);
  return isFinding(family) ? undefined : toRecords(family.items)[0];
}

/** The check that a collection only reads its own records: not those that another one lists (§4.6 to §4.8). */
function otherIdCheck(
  read: Operation,
  collection: string,
  others: readonly Operation[],
  list?: Operation,
): Check {
  return check({
    id: checkId('records', collection, 'other-ids'),
    kind: 'fields',
    title: `what another collection lists is not read as one of the ${collection}`,
    section: '2',
    on: read,
    needs: [serves(read, 'GET'), list !== undefined && checkId('records', collection, 'id')],
    async run(session) {
      let isShown = false;
      for (const list of others) {
        const record = await firstOf(session, list);
        if (record === undefined) continue;
        const route = routeFor(read, record.id);
        const look = await session.ask({ method: 'GET', route, as: session.caller });
        if (look.answer === 'denied') continue;
        isShown = true;
        // If each collection has its own ids, the id belongs to another record.
        const isSame = ['slug', 'date'].every((name) =>
          sameMeaning(member(look.json, name), member(record.json, name)),
        );
        if (look.answer !== 'accepted' || !isSame) continue;
        const message = `one of the ${list.resource?.id ?? ''} is read as one of the ${collection}`;
        return failureBy(message, `a refusal of the id ${record.id}`, look);
      }
      if (isShown) return [];
      return inconclusive('no other collection shows a record to ask for');
    },
  });
}

function childIdCheck(list: Operation, collection: string, { id, kind: child }: ResourceRow): Check {
  return shownCheck({
    id: checkId('records', id, 'ids'),
    kind: 'fields',
    title: `the id and the parent of ${child} of ${collection} are integers`,
    on: list,
    needsUser: true,
    needs: [serves(list, 'GET')],
    async run(session) {
      const { items, parent, curl } = orAbort(await findParent(session, list, 1));
      return evaluateChildren(items, parent, curl);
    },
  });
}

/** The check that a child is identified by its parent and its id (§2): below another record it is not read. */
function otherParentCheck(
  read: Operation,
  list: Operation,
  collection: string,
  { id, kind: child }: ResourceRow,
): Check {
  return check({
    id: checkId('records', id, 'other-ids'),
    kind: 'fields',
    title: `${child} of one of the ${collection} are not read below another one`,
    section: '2',
    on: read,
    needsUser: true,
    needs: [serves(read, 'GET'), checkId('records', id, 'ids')],
    async run(session) {
      const { parent, route, items } = orAbort(await findParent(session, list, 1));
      const isAutosave = child === 'autosaves';
      // Software may read the latest autosave of a record whatever the id, and others may not be the latest one.
      const own = member(items.at(isAutosave ? 0 : -1), 'id');
      const others = orAbort(await likelyParents(session, collection));
      const other = others.find((one) => one.id !== parent);
      if (other === undefined || typeof own !== 'number')
        return inconclusive(`no other of the ${collection} is visible`);
      const look = (below: number): Promise<Observation> =>
        session.ask({ method: 'GET', route: routeFor(read, below, own), as: session.caller });
      const [alone, elsewhere] = [await look(parent), await look(other.id)];
      const misread = await evaluateAlone(session, { read, parent, route, own }, alone);
      if (misread !== undefined) return misread;
      // Software may read the latest one of that record, whatever the id, or number those of each record from 1.
      const isSame = elsewhere.answer === 'accepted' && member(elsewhere.json, 'id') === own;
      if (isSame && !(await isOwnOf(session, list, other.id, elsewhere))) {
        const message = `one of the ${child} is read below a record that it does not belong to`;
        const reproduce = [alone.curl, elsewhere.curl];
        return failureBy(message, `a refusal: its parent is ${parent}`, elsewhere, reproduce);
      }
      if (alone.answer === 'accepted' && elsewhere.answer !== 'denied') return [];
      const reason = `reading one of the ${child} is ${alone.answer}, and ${elsewhere.answer} below another`;
      return inconclusive(reason);
    },
  });
}

interface ListedChild {
  readonly read: Operation;
  readonly parent: number;
  /** Of the list that shows it. */
  readonly route: string;
  readonly own: number;
}

/** The finding if a child that a list shows is refused alone, or another one is read in its place. */
async function evaluateAlone(
  { client, caller: as }: Session,
  { read, parent, route, own }: ListedChild,
  alone: Observation,
): Promise<Finding | undefined> {
  const expected = `the id ${own}, which the list shows`;
  const child = read.resource?.kind ?? 'children';
  if (child === 'autosaves') return undefined;
  if (alone.answer === 'accepted' && member(alone.json, 'id') !== own) {
    const message = `another one of the ${child} is read than the one that is asked for`;
    return failureBy(message, expected, alone);
  }
  if (alone.answer !== 'refused') return undefined;
  // It may have been removed meanwhile.
  const listing = await client.request({ method: 'GET', route, as });
  const again = await client.request({ method: 'GET', route: routeFor(read, parent, own), as });
  if (again.answer !== 'refused' || !idsIn(listing).includes(own)) return undefined;
  const message = `one of the ${child} is in the list, and not to be read alone`;
  return failureBy(message, expected, again, [listing.curl, again.curl]);
}

/** Whether a child says that it belongs to a record, and the list of the children of that record holds it. */
async function isOwnOf(
  session: Session,
  list: Operation,
  parent: number,
  child: Observation,
): Promise<boolean> {
  if (member(child.json, 'parent') !== parent) return false;
  const all = await session.ask({ method: 'GET', route: routeFor(list, parent), as: session.caller });
  return idsIn(all).includes(Number(member(child.json, 'id')));
}

/** Checks that the ids of children, and of their parents, are integers, and the parents the one asked for. */
export function evaluateChildren(items: readonly unknown[], parent: number, curl: string): Finding[] {
  const findings = evaluateIds(items, ['id', 'parent'], curl);
  const other = items.find((item) => member(item, 'parent') !== parent);
  if (findings.length > 0 || other === undefined) return findings;
  return [
    failure('the parent is not the record that was asked for', {
      expected: `parent ${parent}`,
      observed: `parent ${show(member(other, 'parent'))}`,
      reproduce: [curl],
    }),
  ];
}

/** Checks that the ids of records, and of their parents, are integers. */
export function evaluateIds(items: readonly unknown[], names: readonly IdName[], curl: string): Finding[] {
  if (items.length === 0) return [inconclusive('no record is visible')];
  for (const name of names) {
    const wrong = items.filter((item) => firstViolation(IDS[name], item) !== undefined);
    if (wrong.length === 0) continue;
    const [first] = wrong;
    const message = isObject(first) ? `${name} is not an integer` : 'something is shown that is no record';
    return [
      failure(message, {
        expected: `an integer ${name} on each of ${items.length} records`,
        observed: `${show(isObject(first) ? member(first, name) : first)}, on ${wrong.length} of them`,
        reproduce: [curl],
      }),
    ];
  }
  return [];
}
