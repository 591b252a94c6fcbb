import { member } from '../../client/json.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import { reportOnce } from '../../engine/alike.ts';
import type { Check, Finding, Found } from '../../engine/check.ts';
import { check, checkId, declares, serves } from '../../engine/check.ts';
import { type Difference, firstDifference, sameMeaning } from '../../engine/equal.ts';
import { blocked, describe, failure, inconclusive, reportedBy, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { readList } from '../../probing/records/reading/list-request.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { contradictions, type SiteRecord } from '../../probing/records/reading/record.ts';
import { countOf, snapshotOf, without } from '../../probing/records/reading/run-rule.ts';
import { statusOf } from '../../probing/records/reading/shown-to-anonymous.ts';
import {
  collectionsOf,
  isDescribed,
  operationFor,
  parameterNamed,
  routeFor,
  takes,
} from '../../specs/find-resource.ts';
import {
  CONTEXTS,
  type Context,
  type Contract,
  type Operation,
  type Parameter,
  type Resource,
} from '../../specs/model.ts';
import { protectedChecks } from './protected-checks.ts';
import type { FieldMember, Seen, Shown } from './read-context.ts';
import {
  fieldOf,
  fieldsOf,
  latestRecord,
  memberName,
  membersOf,
  readContext,
  rootCheckOf,
  seenOrAbort,
  shownCheck,
} from './read-context.ts';
import { fieldTypeChecks, idChecks } from './type-checks.ts';

/** Checks what the records of every collection show in each context (§2, R11 to R13). */
export function contextChecks(contract: Contract): Check[] {
  return collectionsOf(contract)
    .filter(isDescribed)
    .flatMap((resource) => [
      ...idChecks(contract, resource),
      ...memberChecks(contract, resource.id),
      ...fieldTypeChecks(contract, resource.id),
      ...protectedChecks(contract, resource),
      ...listedRecordChecks(resource),
    ]);
}

interface MemberSubject {
  readonly operation: Operation;
  readonly collection: string;
  readonly role: 'list' | 'read';
  /** The check that reports server errors, which all of them see. */
  readonly root: string;
  readonly members: readonly FieldMember[];
}

/** Checks that each member of a field appears in its stated contexts and in no other (§2). */
function memberChecks(contract: Contract, collection: string): Check[] {
  const members = membersOf(contract, collection);
  return (['list', 'read'] as const).flatMap((role) => {
    const operation = operationFor(contract, collection, role);
    if (operation === undefined || !takes(operation, 'context')) return [];
    const about = { operation, collection, role, root: rootCheckOf(contract, collection, role), members };
    // A published contract states the contexts of each member instead.
    const hasContent = operation.basis !== 'published' && members.some(({ field }) => field === 'content');
    return [
      // A site without any stored text shows none of its members.
      ...[...Map.groupBy(members, ({ member }) => member).values()].flatMap((same) =>
        reportOnce(same.map((member) => memberCheck(about, member))),
      ),
      ...(hasContent ? [contentCheck(about)] : []),
    ];
  });
}

function memberCheck(about: MemberSubject, member: FieldMember): Check {
  const { operation, collection, role, root } = about;
  const id = checkId(operation.id, 'contexts', memberName(member));
  const only = member.contexts.length < CONTEXTS.length ? ' only' : '';
  return shownCheck({
    on: operation,
    needs: [serves(operation, 'GET'), declares(operation, 'context')],
    id,
    kind: 'contexts',
    field: { resource: collection, field: member.field, member: member.member },
    title: `${operation.id} shows ${memberName(member)} in ${member.contexts.join(', ')}${only}`,
    async run(session) {
      const reads = CONTEXTS.map(async (context) => {
        return [context, await readContext(session, collection, role, context)] as const;
      });
      const shown = new Map(await Promise.all(reads));
      const broken = [...shown.values()].find((one) => isFinding(one) && one.kind === 'failure');
      seenOrAbort(broken, root, id);
      return withoutEdit(session, about, member, shown.get('edit')) ?? evaluateMember(member, shown);
    },
  });
}

/** The finding of members of edit alone if edit shows none of them at all: the check of the first one reports that. */
function withoutEdit(
  { runs }: Session,
  { operation, members }: MemberSubject,
  member: FieldMember,
  edit: Shown | undefined,
): Finding | undefined {
  const own = members.filter(({ contexts }) => contexts.join() === 'edit');
  if (edit === undefined || isFinding(edit) || own.length < 2 || !own.includes(member)) return undefined;
  const fields = edit.records.flatMap((record) =>
    own.flatMap((one) => {
      const field = fieldOf(record, one.field);
      return field === undefined ? [] : [field[one.member]];
    }),
  );
  if (fields.length === 0 || fields.some((value) => value !== undefined)) return undefined;
  const idOf = (one: FieldMember): string => checkId(operation.id, 'contexts', memberName(one));
  const first = own.find((one) => runs(idOf(one)));
  if (first !== undefined && first !== member) return reportedBy(idOf(first));
  return failure('the context edit shows nothing that it alone has, as if another context were asked for', {
    expected: own.map(memberName).join(', '),
    observed: `none of them in ${countOf(edit.records)}`,
    reproduce: [edit.curl],
  });
}

function contentCheck({ operation, collection, role, root, members }: MemberSubject): Check {
  const id = checkId(operation.id, 'contexts', 'content');
  return shownCheck({
    on: operation,
    needs: [serves(operation, 'GET'), declares(operation, 'context')],
    id,
    kind: 'contexts',
    field: { resource: collection, field: 'content' },
    title: `${operation.id} shows nothing of content in embed but whether it is protected`,
    async run(session) {
      const shown = seenOrAbort(await readContext(session, collection, role, 'embed'), root, id);
      const named = members.find((one) => isTheOnlyOne(one, shown.records));
      const reporting = named && checkId(operation.id, 'contexts', memberName(named));
      if (reporting !== undefined && session.runs(reporting)) return [blocked(reporting)];
      return evaluateContentInEmbed(shown);
    },
  });
}

/** Whether a member of content is all that records show of it beside `protected`, so that its own check reports it. */
function isTheOnlyOne({ field, member, contexts }: FieldMember, records: readonly SiteRecord[]): boolean {
  if (field !== 'content' || contexts.includes('embed')) return false;
  const shown = records.flatMap((record) => Object.keys(fieldOf(record, field) ?? {}));
  return shown.includes(member) && shown.every((name) => name === member || name === 'protected');
}

/** Evaluates a member of a field: present in its stated contexts, absent in the others (§2, R12). */
function evaluateMember(about: FieldMember, shown: ReadonlyMap<Context, Shown>): Found {
  const seen = [...shown].flatMap(([context, one]) =>
    !isFinding(one) && one.records.length > 0 ? [{ context, ...one }] : [],
  );
  if (seen.length === 0) {
    const unseen = [...shown.values()].find(isFinding);
    return inconclusive(unseen?.message ?? 'no record is visible');
  }
  const { field } = about;
  if (!seen.some(({ records }) => records.some((record) => fieldOf(record, field) !== undefined))) {
    const isOther = seen.some(({ records }) => records.some(({ json }) => Object.hasOwn(json, field)));
    return inconclusive(
      `no visible record has ${field}${isOther ? ' as an object' : ': its type may not support it'}`,
    );
  }
  return seen.map(({ context, ...one }) => misplacedIn(about, context, one)).find((one) => one !== undefined);
}

/** The finding if records in a context lack a member that is stated for it, or show one that is not. */
export function misplacedIn(
  about: FieldMember,
  context: Context,
  { records, curl }: Seen,
): Finding | undefined {
  const isStated = about.contexts.includes(context);
  if (isStated && about.field === 'content' && context === 'embed') return undefined;
  const wrong = records.filter(
    (record) => Object.hasOwn(fieldOf(record, about.field) ?? {}, about.member) !== isStated,
  );
  if (wrong.length === 0) return undefined;
  const name = memberName(about);
  return failure(`${name} is ${isStated ? 'absent from' : 'shown in'} the context ${context}`, {
    expected: `${name} in ${about.contexts.join(', ')}${isStated ? '' : ' only'}`,
    observed: `${isStated ? 'without it' : 'with it'} in ${context}: ${countOf(wrong)} of ${records.length}`,
    reproduce: [curl],
  });
}

/** Evaluates R12: in embed, content is absent or has no member except `protected`. */
export function evaluateContentInEmbed({ records, curl }: Seen): Finding[] {
  if (records.length === 0) return [inconclusive('no record is visible in embed')];
  const more = (record: SiteRecord): string[] =>
    Object.keys(fieldOf(record, 'content') ?? {}).filter((name) => name !== 'protected');
  const wrong = records.filter((record) => more(record).length > 0);
  const [first] = wrong;
  if (first === undefined) return [];
  return [
    failure('content holds more than protected in the context embed', {
      expected: 'no content, or nothing in it but protected',
      observed: `${more(first).join(', ')} in ${countOf(wrong)} of ${records.length}`,
      reproduce: [curl],
    }),
  ];
}

/** The most records of a list that are read alone, of as many kinds as possible. */
const MOST_ALONE = 4;

/** The check that each record of a list is equal when read alone (R11). */
function listedRecordChecks({ id: collection, operations }: Resource): Check[] {
  const { list, read } = operations;
  if (list === undefined || read === undefined) return [];
  const id = checkId('records', collection, 'alone');
  return [
    check({
      id,
      kind: 'fields',
      title: `each of the ${collection} that the list shows is the same record alone`,
      section: '2',
      on: read,
      needs: [serves(list, 'GET'), serves(read, 'GET'), checkId('records', collection, 'id')],
      after: (operations.create?.parameters ?? [])
        .filter(({ schema }) => schema.type !== undefined)
        .map(({ name }) => checkId('records', collection, 'types', name)),
      async run(session) {
        const best = await contextOf(session, collection, read);
        const inBest = await readContext(session, collection, 'list', best);
        // A user who may not edit any record gets an empty list in edit.
        const hasNone = !isFinding(inBest) && inBest.records.length === 0;
        const context = hasNone ? 'view' : best;
        const shown = seenOrAbort(
          hasNone ? await readContext(session, collection, 'list', context) : inBest,
          rootCheckOf(session.contract, collection, 'list'),
          id,
        );
        const looked: Awaited<ReturnType<typeof lookAt>>[] = [];
        const latest = (await latestRecord(session, collection))?.id;
        const chosen = ofEachKind(fieldsOf(session.contract, collection), shown.records, latest);
        const others = context === 'edit' ? await ofOtherStatuses(session, list) : [];
        for (const record of [...chosen, ...others]) {
          looked.push(await lookAt(session, { collection, list, read, context }, record));
        }
        const found = looked.filter(isFinding);
        if (found.length > 0 || looked.includes('same')) return found;
        return inconclusive(`none of the listed ${collection} can be read alone by this caller`);
      },
    }),
  ];
}

/** The first record of each status that a list only shows if it is asked for any. */
async function ofOtherStatuses(session: Session, list: Operation): Promise<SiteRecord[]> {
  const { wire, schema } = parameterNamed(list, 'status') ?? {};
  if (wire === undefined || schema?.items?.enum?.includes('any') !== true) return [];
  const subject = await openList(session, list);
  const usual = await snapshotOf(session, subject);
  const every = await snapshotOf(session, subject, { [wire]: ['any'] });
  if (isFinding(usual) || isFinding(every)) return [];
  const byStatus = Map.groupBy(without(every.records, usual.records), statusOf);
  return [...byStatus.values()].flatMap(([first]) => first ?? []);
}

/** The context for the comparison: edit, unless the caller is anonymous or the read refuses it. */
async function contextOf(session: Session, collection: string, read: Operation): Promise<Context> {
  if (session.caller === 'anonymous') return 'view';
  const id = (await latestRecord(session, collection))?.id;
  if (id === undefined) return 'edit';
  const { answer } = await session.ask(readingOf(session, read, id, 'edit'));
  return answer === 'refused' ? 'view' : 'edit';
}

function readingOf({ caller }: Session, read: Operation, id: number, context: Context): RequestSpec {
  return { method: 'GET', route: routeFor(read, id), query: [['context', context]], as: caller };
}

/** Chooses the last record of a list, and others with the most new kinds of values. @param known one read anyway */
export function ofEachKind(
  fields: readonly Parameter[],
  records: readonly SiteRecord[],
  known: number | undefined = records[0]?.id,
): SiteRecord[] {
  const kinds = new Map(records.map((record) => [record, kindsOf(fields, record)]));
  const chosen = new Set(records.filter(({ id }, at) => id === known || at === records.length - 1));
  const seen = new Set([...chosen].flatMap((record) => kinds.get(record) ?? []));
  const count = (record: SiteRecord): number =>
    chosen.has(record) ? -1 : (kinds.get(record) ?? []).filter((kind) => !seen.has(kind)).length;
  while (chosen.size < Math.min(records.length, MOST_ALONE)) {
    const [next] = records.toSorted((one, other) => count(other) - count(one));
    if (next === undefined) break;
    chosen.add(next);
    for (const kind of kinds.get(next) ?? []) seen.add(kind);
  }
  return records.filter((record) => chosen.has(record));
}

/** The kind of value of a record in each field: the member of an enum, empty, special, or plain. */
function kindsOf(fields: readonly Parameter[], record: SiteRecord): string[] {
  return fields.flatMap(({ wire, schema }) => {
    const value = member(record.json, wire);
    const text = fieldOf(record, wire);
    const shown = member(text, 'raw') ?? member(text, 'rendered') ?? value;
    if (shown === undefined) return [];
    const isOneOfFew = schema.enum !== undefined || typeof shown === 'boolean';
    return [`${wire} ${isOneOfFew ? show(shown) : kindOf(shown)}`];
  });
}

function kindOf(shown: unknown): string {
  if (EMPTY.some((none) => sameMeaning(none, shown))) return 'empty';
  return typeof shown === 'string' && /[<&]|\P{ASCII}/u.test(shown) ? 'special' : 'plain';
}

const EMPTY: readonly unknown[] = [[], {}, '', 0, null];

interface ListedRecords {
  readonly collection: string;
  readonly list: Operation;
  readonly read: Operation;
  readonly context: Context;
}

/** Compares a record of a list with the record alone; confirms a difference with fresh requests of both. */
async function lookAt(
  session: Session,
  about: ListedRecords,
  record: SiteRecord,
): Promise<Finding | 'same' | 'silent'> {
  const { read, list, context } = about;
  const spec = readingOf(session, read, record.id, context);
  const alone = await session.ask(spec);
  if (isSilent(alone)) return 'silent';
  if (differenceOf(session, about, record, alone) === undefined) return 'same';
  const listing = await session.client.request({
    method: 'GET',
    route: list.route.wire,
    query: Object.entries({ include: String(record.id), context, ...statusArgs(list, record) }),
    as: session.caller,
  });
  const answer = readList(listing);
  const again = answer.kind === 'list' ? answer.records.find(({ id }) => id === record.id) : undefined;
  const fresh = await session.client.request(spec);
  if (again === undefined || isSilent(fresh)) return 'silent';
  const difference = differenceOf(session, about, again, fresh);
  if (difference === undefined) return 'same';
  const { message, ...shown } = difference;
  return failure(message, { ...shown, reproduce: [listing.curl, fresh.curl] });
}

/** The argument without which a list does not show a record of another status than its default. */
function statusArgs(list: Operation, record: SiteRecord): Record<string, string> {
  const status = parameterNamed(list, 'status');
  const own = statusOf(record);
  const isUsual = own === undefined || [status?.schema.default].flat().includes(own);
  return status === undefined || isUsual ? {} : { [status.wire]: own };
}

/** Whether an answer does not show the record: who may read it is silent (§5.4). */
function isSilent({ answer, tooLarge }: Observation): boolean {
  return answer === 'denied' || answer === 'throttled' || tooLarge === true;
}

function differenceOf(
  { contract }: Session,
  { collection }: ListedRecords,
  { id, json }: SiteRecord,
  alone: Observation,
): Difference | undefined {
  const expected = `the record ${id} as the list shows it`;
  const message = `one of the ${collection} is in the list, and not to be read alone`;
  if (alone.answer !== 'accepted') return { message, expected, observed: describe(alone) };
  const names = contradictions(contract, collection, json, alone.json);
  const [name] = names;
  if (name === undefined) return undefined;
  const first = firstDifference(member(json, name), member(alone.json, name), name);
  return {
    message: `one of the ${collection} has another ${names.join(', ')} alone than in the list`,
    expected: `${first?.path} ${show(first?.one)}, as the list shows it of the record ${id}`,
    observed: `${first?.path} ${show(first?.other)}`,
  };
}
