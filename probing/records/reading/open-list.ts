import { countIn } from '../../../client/answer.ts';
import { member } from '../../../client/json.ts';
import { includesMode } from '../../../client/mode.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import type { SiteIndex } from '../../../client/site-index.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { inconclusive, notApplicable } from '../../../engine/findings.ts';
import { type Caller, type Fixture, fixture, type Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { parameterNamed, wireOf } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { declarationIn, servedMethods } from '../../declarations/find-route.ts';
import type { Fitted, Subject } from './list-request.ts';
import {
  askFitted,
  describeArgs,
  listRequest,
  MOST_PER_PAGE,
  pageSizeOf,
  readList,
  valueIn,
} from './list-request.ts';
import { itemsOf, type SiteRecord, toRecords } from './record.ts';

const USUAL = ['per_page', 'orderby', 'order'] as const;

/** A list in edit if the user may edit its records, otherwise in view, without what it refuses. */
export const openList: Fixture<Subject, [operation: Operation, route?: string]> = fixture(
  'open',
  async (session, operation, route = operation.route.wire) => {
    const { caller: as } = session;
    const context = as === 'anonymous' ? 'view' : 'edit';
    const subject: Subject = { operation, route, as, context, zone: session.index.zone };
    const ask = (args: Args = {}): Promise<Fitted> =>
      askFitted(session.client, listRequest(subject, args), {
        declared: declaredPageSize(session.index, operation),
        send: (spec) => session.ask(spec),
      });
    const { usually, most } = await askReadable(ask);
    const isEmpty = usually.observation.answer !== 'broken' && itemsOf(usually.observation).length === 0;
    const hidden = isEmpty ? hiddenStatus(session, operation) : undefined;
    const instead = hidden && (await ask({ ...hidden, per_page: most }));
    const isInstead = instead !== undefined && itemsOf(instead.observation).length > 0;
    const fitted = isInstead ? instead : usually;
    const answer = readList(fitted.observation);
    const [items, records] = answer.kind === 'list' ? [answer.items, answer.records] : [[], []];
    const flags = { ...(isInstead && hidden), ...stickyFlags(operation, records) };
    const size = sizeWithin(items.length, fitted.observation.bytes, most);
    const isPart = items.length < 2 && (countIn(fitted.observation, TOTAL) ?? 0) > 1;
    const isKept = answer.kind === 'denied' || (answer.kind === 'list' && isPart);
    return {
      ...subject,
      ...usualOf(fitted, context, flags, most),
      ...(size !== undefined && { size }),
      ...(as === 'user' && isKept && { context: 'view' }),
    };
  },
  (operation, route = operation.route.wire) => [route],
);

/**
 * Asks for the largest page, and for a smaller one if that is too large to be read or makes the server fail: long texts
 * can take it more memory or time than it has. What shows no list in a smaller one either stands as it is.
 */
async function askReadable(
  ask: (args?: Args) => Promise<Fitted>,
): Promise<{ usually: Fitted; most: number }> {
  const largest = await ask();
  const { answer, tooLarge } = largest.observation;
  if (answer !== 'broken' && tooLarge !== true) return { usually: largest, most: MOST_PER_PAGE };
  const smaller = await ask({ per_page: FEWEST });
  const isList = readList(smaller.observation).kind === 'list';
  return isList ? { usually: smaller, most: FEWEST } : { usually: largest, most: MOST_PER_PAGE };
}

/** What shows a user the records of a site that publishes none; a run that writes publishes its own. */
function hiddenStatus({ caller, client }: Session, list: Operation): Args | undefined {
  const status = parameterNamed(list, 'status');
  const isKnown = status?.schema.items?.enum?.includes(PRIVATE) === true;
  if (!isKnown || caller === 'anonymous' || includesMode(client.mode, 'write')) return undefined;
  return { [status.wire]: [PRIVATE] };
}

const PRIVATE = 'private';

/** A page of more bytes is not asked for hundreds of times. */
const MOST_BYTES: number = 256 * 1024;
/** As many records as nearly all rules need. */
const FEWEST = 20;

/** The size of a page within the limit; undefined if the largest page is. Sites take long to render long texts. */
function sizeWithin(count: number, bytes: number, most: number): number | undefined {
  if (count <= FEWEST || bytes <= MOST_BYTES) return most < MOST_PER_PAGE ? most : undefined;
  return Math.max(FEWEST, Math.floor((count * MOST_BYTES) / bytes));
}

/** The largest page size that a target declares; undefined if it declares no number above 0. */
function declaredPageSize(index: SiteIndex, operation: Operation): number | undefined {
  const wire = wireOf(operation, 'per_page');
  const [served] = servedMethods(index, operation);
  const maximum = member(declarationIn(served?.endpoints ?? [], wire), 'maximum');
  return typeof maximum === 'number' && maximum >= 1 ? Math.floor(maximum) : undefined;
}

/** Ignores sticky records explicitly if they stand before higher ids, so that only the check of the default reports it. */
function stickyFlags(list: Operation, records: readonly SiteRecord[]): Args {
  const flag = parameterNamed(list, 'ignore_sticky');
  const [first] = records;
  if (flag === undefined || first === undefined || member(first.json, 'sticky') !== true) return {};
  return records.some(({ id }) => id > first.id) ? { [flag.wire]: true } : {};
}

/** The difference from the usual request for a list; empty if that was sent. @param most its size of pages */
function usualOf(
  { query }: Fitted,
  context: Subject['context'],
  flags: Args,
  most: number,
): Pick<Subject, 'usual'> & Partial<Subject> {
  const sent = Object.fromEntries(USUAL.map((name) => [name, valueIn(query, name)]));
  const hasContext = valueIn(query, 'context') === context;
  const isUsual = sent.per_page === String(most) && sent.orderby === 'id' && sent.order === 'desc';
  if (isUsual && hasContext && Object.keys(flags).length === 0) return {};
  const usual: Args = { ...sent, ...flags, ...(!hasContext && { context: undefined }) };
  return { usual, ...(!hasContext && { context: 'view' }) };
}

/** One page of a list outside the contract; undefined if the index does not list it, or it cannot be read. */
export async function recordsBeside(
  session: Session,
  route: string,
  as: Caller = session.caller,
): Promise<readonly SiteRecord[] | undefined> {
  if (!isListed(session, route)) return undefined;
  const query = [['per_page', String(MOST_PER_PAGE)]] as const;
  const answer = readList(await session.ask({ method: 'GET', route, query, as }));
  return answer.kind === 'list' ? answer.records : undefined;
}

/**
 * Whether a site reports a single user, in edit, because elsewhere it may show authors of published records alone.
 */
export const hasSoleUser: Fixture<boolean, [route: string]> = fixture(
  'sole user',
  async (session, route) => {
    const users = usersBeside(route);
    if (!isListed(session, users)) return false;
    const query = encodeArgs({ context: 'edit', per_page: MOST_PER_PAGE });
    const observation = await session.ask({ method: 'GET', route: users, query, as: session.caller });
    const answer = readList(observation);
    return answer.kind === 'list' && answer.records.length === 1 && (countIn(observation, TOTAL) ?? 1) === 1;
  },
  (route) => [usersBeside(route)],
);

const isListed = ({ index }: Session, route: string): boolean =>
  index.routes.some(({ key }) => key === route);

const usersBeside = (route: string): string => route.replace(/[^/]+$/, 'users');

/** The finding that a check of several authors does not apply; undefined unless the site reports a single user. */
export async function soleUserFinding(session: Session, route: string): Promise<Finding | undefined> {
  if (!(await hasSoleUser(session, route))) return undefined;
  return notApplicable('the site has one user alone, so that no record can have another author');
}

/** The records of a list at one time, unfiltered, highest id first. Expected subsets are derived from them. */
export interface Snapshot {
  readonly records: readonly SiteRecord[];
  /** The records of its first page, which an unfiltered answer shows; values are chosen from these. */
  readonly page: readonly SiteRecord[];
  readonly items: readonly unknown[];
  /** Whether these are all records that the caller sees. */
  readonly complete: boolean;
  readonly size: number;
  /** Whether they are sorted by id; false if the list refuses that order. */
  readonly byId: boolean;
  /** The number of records by the site's header, only a hint; otherwise the number of those that were read. */
  readonly total: number;
  /** Whether the site counts records that it hides from this caller, so that positions in the list are unknown. */
  readonly hides: boolean;
  readonly curls: readonly string[];
}

/** How a request is sent: remembered, or fresh. */
export type Send = (spec: RequestSpec) => Promise<Observation>;

/** Sends each request, whatever was answered before. */
export function freshly({ client }: Session): Send {
  return (spec) => client.request(spec);
}

/** Why a list is not read, with the answer if it is refused, or if children make the server fail. */
export interface Unread extends Finding {
  readonly refusal?: Observation;
}

const MOST_RECORDS = 300;
/** The header that counts the records of a list, which the contract does not state. */
const TOTAL = 'x-wp-total';

function isLastPage(observation: Observation, page: number, length: number, size: number): boolean {
  const due = countIn(observation, 'x-wp-totalpages');
  return length === 0 || (due === undefined ? length < size : page >= due);
}

/** Reads a list, 300 records at most. @param variant arguments such as the statuses @returns why it cannot be read */
export async function takeSnapshot(subject: Subject, variant: Args, send: Send): Promise<Snapshot | Unread> {
  const pages: Observation[] = [];
  const size = pageSizeOf(subject);
  const most = Math.ceil(MOST_RECORDS / (subject.size === undefined ? size : MOST_PER_PAGE));
  for (let number = 1; number <= most; number += 1) {
    const observation = await send(listRequest(subject, { ...variant, ...(number > 1 && { page: number }) }));
    const answer = readList(observation, subject);
    // Pages beyond the last are refused.
    if (answer.kind === 'refused' && number > 1) return snapshot(pages, true, subject);
    if (isFinding(answer)) return answer;
    if (answer.kind === 'refused') return { ...notReadable(subject, variant, answer), refusal: observation };
    if (answer.kind !== 'list') return notReadable(subject, variant, answer);
    pages.push(observation);
    if (isLastPage(observation, number, answer.items.length, size)) return snapshot(pages, true, subject);
  }
  return snapshot(pages, false, subject);
}

function notReadable(
  { operation }: Subject,
  variant: Args,
  answer: { kind: 'refused'; message: string } | { kind: 'denied' },
): Finding {
  const asked = describeArgs(variant);
  const what = asked === '' ? 'the list' : `the list with ${asked}`;
  if (answer.kind === 'denied') return inconclusive(`${what} is denied to this caller`);
  const [name] = Object.keys(variant);
  const reporting = checkId(operation.id, name ?? 'answers');
  return inconclusive(`${what} is ${answer.message}, which the checks of ${reporting} report`);
}

function snapshot(pages: readonly Observation[], complete: boolean, subject: Subject): Snapshot {
  const size = pageSizeOf(subject);
  const items = pages.flatMap(itemsOf);
  const [first, last] = [pages[0], pages.at(-1)];
  const counted = last && countIn(last, TOTAL);
  // A count beyond the capacity of pages that were all read is an estimate, or counts something else.
  const total = complete && counted !== undefined && counted > pages.length * size ? undefined : counted;
  const due = complete ? (total ?? items.length) : pages.length * size;
  return {
    // Removes duplicates: a record that was added meanwhile moves others to the next page.
    records: [...new Map(toRecords(items, subject.zone).map((record) => [record.id, record])).values()],
    page: first === undefined ? [] : toRecords(itemsOf(first), subject.zone),
    items,
    complete,
    size,
    byId: subject.usual === undefined || subject.usual.orderby === 'id',
    total: Math.max(total ?? 0, items.length),
    hides: items.length < due,
    curls: pages.map(({ curl }) => curl),
  };
}

/** Members that show changes of a record which a filter or an order can depend on. */
const COMPARED: readonly string[] = [
  ...['id', 'date', 'modified', 'slug', 'status', 'author', 'parent', 'post', 'menu_order', 'sticky'],
  ...['format', 'categories', 'tags', 'mime_type', 'title'],
];

/** Whether two snapshots hold the same records in the same order, unchanged as far as lists show. */
export function sameSnapshot(one: Pick<Snapshot, 'records'>, other: Pick<Snapshot, 'records'>): boolean {
  const compared = ({ records }: typeof one): unknown =>
    records.map(({ json }) => Object.fromEntries(COMPARED.map((name) => [name, json[name]])));
  return sameMeaning(compared(one), compared(other));
}
