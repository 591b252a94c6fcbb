import { encodeQuery } from '../../generators/encode-query.ts';
import type { Operation } from '../../specs/model.ts';
import type { RequestSpec } from '../../target/observation.ts';
import type { Caller } from '../session.ts';

/** Arguments of a list by the names of the target; `undefined` leaves out one that every request has. */
export type Args = Readonly<Record<string, unknown>>;

/** A list whose records can be asked for: its path is filled, and it is known who sees it in which context. */
export interface Subject {
  readonly operation: Operation;
  readonly route: string;
  readonly as: Caller;
  readonly context: 'edit' | 'view';
}

/** The most records that one page holds (§8). */
export const MOST_PER_PAGE = 100;

/**
 * The request for a list. Unless told otherwise it asks for as many records as a page holds, sorted by id: an order
 * without ties, so that pages are stable. It names the direction too, so that a wrong default of `order` is told once.
 */
export function listRequest(
  { route, as, context }: Omit<Subject, 'operation'>,
  args: Args = {},
): RequestSpec {
  const all: Args = { context, per_page: MOST_PER_PAGE, orderby: 'id', order: 'desc', ...args };
  return {
    method: 'GET',
    route,
    as,
    query: Object.entries(all).flatMap(([name, value]) => encodeQuery(name, value)),
  };
}

/** Arguments as a reader of a report writes them in a query: `author[]=3&order=asc`. */
export function describeArgs(args: Args): string {
  const pairs = Object.entries(args).flatMap(([name, value]) => encodeQuery(name, value));
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}
