import { saysGone } from '../../../client/answer.ts';
import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { isFinding, orAbort } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { describe, inconclusive } from '../../../engine/findings.ts';
import { type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { operationFor, routeFor } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { listRequest, readList, type Subject } from './list-request.ts';
import { openList, type Unread } from './open-list.ts';
import { carriesTag, momentOf, type SiteRecord, toRecords, type Value, valuesOf } from './record.ts';
import { snapshotOf } from './run-rule.ts';

const MOST_TRIED = 10;
/** Authors whose records are tried where the children are denied. */
const MOST_DENIED = 3;

interface Family {
  readonly parent: number;
  readonly route: string;
  readonly items: readonly unknown[];
  readonly curl: string;
}

/**
 * Finds a record with revisions or autosaves, best in another order by date than by id: those that report some are
 * tried first, then the latest changed ones. @returns why none was found otherwise; with the refusal or the server error
 * of a list, which has no argument to blame
 */
export const findParent: Fixture<Family | Unread, [children: Operation, least: number]> = fixture(
  'family',
  familyOf,
);

async function familyOf(session: Session, children: Operation, least: number): Promise<Family | Unread> {
  const { parent: collection = '', kind: child = 'children' } = children.resource ?? {};
  const likely = await likelyParents(session, collection);
  if (isFinding(likely)) return likely;
  let refusal: Observation | undefined;
  const denials = denialsByAuthor(session);
  for (const record of likely.values().filter(denials.isOpen).take(MOST_TRIED)) {
    const { answer, ...family } = await childrenOf(session, children, record);
    if (family.items.length >= least) return betterOf(session, children, likely, family, least);
    if (answer.answer === 'denied') denials.add(record);
    if (isBlamed(answer)) refusal ??= answer;
  }
  if (denials.some) return inconclusive(`${child} are denied to this caller`);
  if (refusal !== undefined)
    return { ...inconclusive(`the ${child} of some ${collection} are ${describe(refusal)}`), refusal };
  const enough = least === 1 ? child : `${least} ${child}`;
  return inconclusive(`none of the ${collection} that were tried has ${enough}`);
}

/** Notes whose children a caller is denied: who may not see those of one author may see their own. */
export function denialsByAuthor({ caller }: Session) {
  const denied = new Set<Value | undefined>();
  const most = caller === 'anonymous' ? 1 : MOST_DENIED;
  const authorOf = (record: SiteRecord): Value | undefined => valuesOf(record, 'author')?.[0];
  return {
    get some(): boolean {
      return denied.size > 0;
    },
    add: (record: SiteRecord): void => void denied.add(authorOf(record)),
    isOpen: (record: SiteRecord): boolean => denied.size < most && !denied.has(authorOf(record)),
  };
}

/** Whether a list is refused or fails. The refusal for a record that has gone meanwhile blames nothing. */
function isBlamed(answer: Observation): boolean {
  return answer.answer === 'broken' || (answer.answer === 'refused' && !saysGone(answer));
}

/** The children of a record, none where they are no list, and the answer that shows them. */
async function childrenOf(session: Session, children: Operation, { id: parent }: SiteRecord) {
  const route = routeFor(children, parent);
  const answer = await session.ask({ method: 'GET', route, as: session.caller });
  const list = readList(answer);
  return { parent, route, items: list.kind === 'list' ? list.items : [], curl: answer.curl, answer };
}

/** A family, or that of an own record if several children are wanted and only this one tells orders apart. */
async function betterOf(
  session: Session,
  children: Operation,
  likely: readonly SiteRecord[],
  found: Family,
  least: number,
): Promise<Family> {
  if (least === 1 || distinguishesOrders(found)) return found;
  const tag = session.journal?.tag;
  const own = likely.find(({ json }) => tag !== undefined && carriesTag(json, tag));
  if (own === undefined) return found;
  const { answer: _, ...better } = await childrenOf(session, children, own);
  return distinguishesOrders(better) ? better : found;
}

/** The records of a collection: first those that say that they have revisions, then the latest changed ones. */
export async function likelyParents(
  session: Session,
  collection: string,
): Promise<readonly SiteRecord[] | Finding> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined) return inconclusive(`the deployment has no list of ${collection}`);
  const subject = await openList(session, list);
  const snapshot = await snapshotOf(session, subject);
  if (isFinding(snapshot)) return inconclusive(`no ${collection} can be read: ${snapshot.message}`);
  const changed = await lastChanged(session, subject, snapshot.records);
  return changed.toSorted((one, other) => childCount(other) - childCount(one));
}

/** Whether the order of children by date differs from that by id: a lower id has a later date. */
export function distinguishesOrders({ items }: Family): boolean {
  const dated = toRecords(items).map((one) => ({ id: one.id, at: momentOf(one, 'date') ?? Number.NaN }));
  return dated.some((one) => dated.some((other) => one.id < other.id && one.at > other.at));
}

/** Records, latest changed first: by their dates, or by the sorting of the list if they show none. */
async function lastChanged(session: Session, subject: Subject, records: readonly SiteRecord[]) {
  const moments = new Map(records.map((record) => [record, momentOf(record, 'modified')]));
  if ([...moments.values()].some((moment) => moment !== undefined))
    return records.toSorted((one, other) => (moments.get(other) ?? 0) - (moments.get(one) ?? 0));
  const sorted = readList(await session.ask(listRequest(subject, { orderby: 'modified' })));
  return sorted.kind === 'list' && sorted.records.length > 0 ? sorted.records : records;
}

/** The number of revisions that a record reports; the contract does not require it. */
function childCount({ json }: SiteRecord): number {
  const links = member(member(json, '_links'), 'version-history');
  const count = Array.isArray(links) ? member(links[0], 'count') : undefined;
  return typeof count === 'number' ? count : 0;
}

/**
 * The list of an operation in the context that shows most. For revisions, that of a record with at least two.
 * @throws Aborted if there is none
 */
export async function openSubject(session: Session, operation: Operation): Promise<Subject> {
  if (operation.resource?.kind !== 'revisions') return openList(session, operation);
  const { route } = orAbort(await findParent(session, operation, 2));
  return openList(session, operation, route);
}
