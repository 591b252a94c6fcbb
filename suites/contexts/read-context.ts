import { asObject, member } from '../../client/json.ts';
import { isFinding, orAbort } from '../../engine/aborted.ts';
import { type Check, type CheckSpec, check, checkId, type Finding } from '../../engine/check.ts';
import { blocked, inconclusive } from '../../engine/findings.ts';
import type { Caller, Session } from '../../engine/session.ts';
import type { Pair } from '../../generators/wire-forms.ts';
import { listRequest, readList, serverError } from '../../probing/records/reading/list-request.ts';
import { openList } from '../../probing/records/reading/open-list.ts';
import { type SiteRecord, toRecords } from '../../probing/records/reading/record.ts';
import { snapshotOf } from '../../probing/records/reading/run-rule.ts';
import { operationFor, routeFor, wireOf } from '../../specs/find-resource.ts';
import type { Context, Contract, Parameter } from '../../specs/model.ts';
import type { Schema } from '../../specs/schema.ts';

/** A check of what records show (§2). */
export function shownCheck(spec: Omit<CheckSpec, 'section'>): Check {
  return check({ basis: 'stated', ...spec, section: '2' });
}

export interface Seen {
  readonly records: readonly SiteRecord[];
  readonly curl: string;
}

/** Records in one context, or why they are not visible. */
export type Shown = Seen | Finding;

/** The records of a collection in one context: up to 100 from its list, noting their fields, or the latest, read alone. */
export async function readContext(
  session: Session,
  collection: string,
  role: 'list' | 'read',
  context: Context,
): Promise<Shown> {
  const as = session.caller;
  if (context === 'edit' && as === 'anonymous')
    return inconclusive('the edit context needs credentials (--user)');
  if (role === 'list') {
    const shown = await readInList(session, collection, context, as);
    const list = operationFor(session.contract, collection, 'list');
    if (list !== undefined && !isFinding(shown)) {
      const records = shown.records.map(({ json }) => json);
      session.fields.note({ resource: collection, operation: list.id, context }, records);
    }
    return shown;
  }
  const latest = await latestRecord(session, collection);
  return latest === undefined
    ? inconclusive('no record is visible')
    : readAlone(session, collection, context, { id: latest.id, as });
}

/** The records that a list shows to a caller in a context, or the finding that says why none are seen. */
export async function readInList(
  session: Session,
  collection: string,
  context: Context,
  as: Caller,
): Promise<Shown> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined) return inconclusive(`the deployment has no list of ${collection}`);
  const subject = await openList(session, list);
  // Others than the user see what is public alone.
  const beside = as === subject.as ? {} : { [wireOf(list, 'status')]: undefined };
  const observation = await session.ask(listRequest({ ...subject, as }, { context, ...beside }));
  const answer = readList(observation);
  if (answer.kind === 'list') return { records: answer.records, curl: observation.curl };
  if (isFinding(answer)) return answer;
  if (answer.kind === 'refused') return blocked(checkId(list.id, 'context', 'enum', 'accepted'));
  const caller = as === 'anonymous' ? 'anonymous callers' : 'this caller';
  return inconclusive(`the context ${context} is denied to ${caller}`);
}

/** One record as a caller reads it alone in a context, or the finding that says why it is not seen. */
export async function readAlone(
  session: Session,
  collection: string,
  context: Context,
  { id, as, beside = [] }: { readonly id: number; readonly as: Caller; readonly beside?: readonly Pair[] },
): Promise<Shown> {
  const read = operationFor(session.contract, collection, 'read');
  if (read === undefined) return inconclusive(`the deployment cannot read one of the ${collection}`);
  const observation = await session.ask({
    method: 'GET',
    route: routeFor(read, id),
    query: [['context', context], ...beside],
    as,
  });
  const { answer, json, status, problem, curl } = observation;
  if (answer === 'accepted' && json !== undefined) return { records: toRecords([json]), curl };
  if (answer === 'accepted' || answer === 'broken') {
    return serverError(problem ?? `status ${status}`, observation);
  }
  if (answer === 'refused') return blocked(checkId(read.id, 'context', 'enum', 'accepted'));
  return inconclusive(`the context ${context} of one of the ${collection} is ${answer} (status ${status})`);
}

/** The listed record with the latest date, which is read alone in each context. @param fits which records may be that */
export async function latestRecord(
  session: Session,
  collection: string,
  fits: (record: SiteRecord) => boolean = () => true,
): Promise<SiteRecord | undefined> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined) return undefined;
  const snapshot = await snapshotOf(session, await openList(session, list));
  if (isFinding(snapshot)) return undefined;
  const dateOf = ({ json }: SiteRecord): string => String(json.date ?? '');
  return snapshot.records.toSorted((one, other) => (dateOf(one) < dateOf(other) ? 1 : -1)).find(fits);
}

/** A member of a writable field, such as `raw` in `title`, with its stated contexts. */
export interface FieldMember {
  readonly field: string;
  readonly member: string;
  readonly contexts: readonly string[];
}

/** The fields of the records of a collection (§2): those that a creation can write. */
export function fieldsOf(contract: Contract, collection: string): readonly Parameter[] {
  return operationFor(contract, collection, 'create')?.parameters ?? [];
}

/** The members of all fields with stated contexts; others may appear in any (R13). */
export function membersOf(contract: Contract, collection: string): FieldMember[] {
  return fieldsOf(contract, collection).flatMap(({ wire, schema }) =>
    Object.entries(schema.properties ?? {}).flatMap(([member, inner]: [string, Schema]) => {
      const contexts = inner['x-contexts'];
      return contexts === undefined ? [] : [{ field: wire, member, contexts }];
    }),
  );
}

/** The check that reports a context with a server error; all other checks that read it depend on this one. */
export function rootCheckOf(contract: Contract, collection: string, role: 'list' | 'read'): string {
  const [first] = membersOf(contract, collection);
  return checkId(`${collection}.${role}`, 'contexts', first && memberName(first));
}

/** The name of a member in ids and reports, such as `title.raw`. */
export function memberName({ field, member }: FieldMember): string {
  return `${field}.${member}`;
}

/**
 * Returns what was read of a context for a check, `own`.
 * @throws Aborted with the finding if that is nothing; a server error is reported by another check, `root`
 */
export function seenOrAbort<T>(read: T, root: string, own: string): Exclude<T, Finding> {
  return orAbort(isFinding(read) && read.kind === 'failure' && root !== own ? blocked(root) : read);
}

/** The object in a field; undefined if the record does not show the field. */
export function fieldOf({ json }: SiteRecord, field: string): ReturnType<typeof asObject> {
  return asObject(member(json, field));
}
