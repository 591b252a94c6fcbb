import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import {
  type Args,
  describeArgs,
  listRequest,
  pageSizeOf,
  readList,
  type Subject,
  sortsById,
} from './list-request.ts';
import { type SiteRecord, toRecords } from './record.ts';

/** The records of a list at one time, unfiltered, highest id first: what the subsets are predicted from. */
export interface Snapshot {
  readonly records: readonly SiteRecord[];
  /**
   * Those on its first page, which an answer shows when nothing is filtered. Values are chosen from these: a record that
   * would not be on the page anyway does not show whether a filter leaves it out.
   */
  readonly page: readonly SiteRecord[];
  /** Every item as it came, records or not. */
  readonly items: readonly unknown[];
  /** Whether these are all records that the caller sees, not only the first ones. */
  readonly complete: boolean;
  /** How many records a page holds at most. */
  readonly size: number;
  /** Whether they are sorted by id; by another order where the list refuses that one. */
  readonly byId: boolean;
  /** How many records the site counts, hidden ones too, by a header that is only a hint; those that were read without it. */
  readonly total: number;
  /** Whether the site counts records that it does not show to this caller: then positions in the list are not known. */
  readonly hides: boolean;
  /** The lines for a shell that ask for it. */
  readonly curls: readonly string[];
}

/** How a request is sent: remembered, or fresh. */
export type Send = (spec: RequestSpec) => Promise<Observation>;

const MOST_RECORDS = 300;
/** The header that counts the records of a list, which the contract does not state. */
export const TOTAL = 'x-wp-total';

/**
 * Reads a list, 300 records at most.
 * @param variant arguments that select what is read, such as the statuses
 * @returns the finding that says why there is none when the list cannot be read
 */
export async function takeSnapshot(
  subject: Subject,
  variant: Args,
  send: Send,
): Promise<Snapshot | { readonly finding: Finding }> {
  const pages: Observation[] = [];
  const size = pageSizeOf(subject);
  const most = Math.ceil(MOST_RECORDS / size);
  const about = { size, byId: sortsById(subject) };
  for (let number = 1; number <= most; number += 1) {
    const observation = await send(listRequest(subject, { ...variant, ...(number > 1 && { page: number }) }));
    const answer = readList(observation);
    // Pages beyond the last are refused.
    if (answer.kind === 'refused' && number > 1) return { ...snapshot(pages, true, size), ...about };
    if (answer.kind === 'stopped') return { finding: answer.finding };
    if (answer.kind !== 'list') return { finding: notReadable(subject, variant, answer) };
    pages.push(observation);
    const due = hint(observation, 'x-wp-totalpages');
    const last = due === undefined ? answer.items.length < size : number >= due;
    if (last || answer.items.length === 0) return { ...snapshot(pages, true, size), ...about };
  }
  return { ...snapshot(pages, false, size), ...about };
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
  const told = checkId(operation.id, name ?? 'answers');
  return inconclusive(`${what} is ${answer.message}, which the checks of ${told} report`);
}

type Pages = Omit<Snapshot, 'size' | 'byId'>;

function snapshot(pages: readonly Observation[], complete: boolean, size: number): Pages {
  const items = pages.flatMap(itemsOf);
  const [first, last] = [pages[0], pages.at(-1)];
  const total = last && hint(last, TOTAL);
  const due = complete ? (total ?? items.length) : pages.length * size;
  return {
    // A record that was added meanwhile pushes others onto the next page.
    records: [...new Map(toRecords(items).map((record) => [record.id, record])).values()],
    page: first === undefined ? [] : toRecords(itemsOf(first)),
    items,
    complete,
    total: Math.max(total ?? 0, items.length),
    hides: items.length < due,
    curls: pages.map(({ curl }) => curl),
  };
}

function itemsOf({ json }: Observation): unknown[] {
  return Array.isArray(json) ? json : [];
}

/** Whether the whole list fits on one page, so that an answer with all records holds all of them. */
export function fitsOnPage({ complete, total, size }: Snapshot): boolean {
  return complete && total <= size;
}

/** A count in a header that the contract does not state; undefined where there is none. */
export function hint({ headers }: Observation, name: string): number | undefined {
  const text = headers[name];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Members that change when a record is changed in a way that a filter or an order can see. */
const TELLING: readonly string[] = [
  'id',
  'date',
  'modified',
  'slug',
  'status',
  'author',
  'parent',
  'post',
  'menu_order',
  'sticky',
  'format',
  'categories',
  'tags',
  'mime_type',
  'title',
];

/** Whether two snapshots hold the same records in the same order, unchanged as far as lists can tell. */
export function sameSnapshot(one: Snapshot, other: Snapshot): boolean {
  const digest = ({ records }: Snapshot): string =>
    JSON.stringify(records.map(({ json }) => TELLING.map((name) => json[name])));
  return digest(one) === digest(other);
}
