import { member } from '../../client/json.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import { type Check, check, checkId, type Finding, serves } from '../../engine/check.ts';
import { type Difference, firstDifference, sameMeaning } from '../../engine/equal.ts';
import { describe, failure, inconclusive, show } from '../../engine/findings.ts';
import type { Session } from '../../engine/session.ts';
import { groupsBy } from '../../engine/text.ts';
import { readList } from '../../probing/records/reading/list-request.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { contradictions, type SiteRecord } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { statusOf } from '../../probing/records/reading/shown-to-anonymous.ts';
import { without } from '../../probing/records/reading/trials.ts';
import { parameterNamed, routeFor } from '../../specs/find-resource.ts';
import type { Context, Operation, Parameter, Resource } from '../../specs/model.ts';
import type { Shown } from './read-context.ts';
import { fieldOf, fieldsOf, latestRecord, readContext, rootCheckOf, seenOrAbort } from './read-context.ts';

/** The most records of a list that are read alone, of as many kinds as possible. */
const MOST_ALONE = 4;

/** The check that each record of a list is equal when read alone (R11). */
export function listedRecordChecks({ id: collection, operations }: Resource): Check[] {
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
        const { context, listed } = await listedFor(session, collection, read);
        const shown = seenOrAbort(listed, rootCheckOf(session.contract, collection, 'list'), id);
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

/** The records of a list in the best context that shows some. */
async function listedFor(
  session: Session,
  collection: string,
  read: Operation,
): Promise<{ context: Context; listed: Shown }> {
  const context = await contextOf(session, collection, read);
  const listed = await readContext(session, collection, 'list', context);
  // A user who may not edit any record gets an empty list in edit, or none.
  const hasNone = isFinding(listed)
    ? context === 'edit' && listed.kind === 'inconclusive'
    : listed.records.length === 0;
  if (!hasNone) return { context, listed };
  return { context: 'view', listed: await readContext(session, collection, 'list', 'view') };
}

/** The first record of each status that a list only shows if it is asked for any. */
async function ofOtherStatuses(session: Session, list: Operation): Promise<SiteRecord[]> {
  const { wire, schema } = parameterNamed(list, 'status') ?? {};
  if (wire === undefined || schema?.items?.enum?.includes('any') !== true) return [];
  const subject = await openList(session, list);
  const usual = await snapshotOf(session, subject);
  const every = await snapshotOf(session, subject, { [wire]: ['any'] });
  if (isFinding(usual) || isFinding(every)) return [];
  return groupsBy(without(every.records, usual.records), statusOf).map(([first]) => first);
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
