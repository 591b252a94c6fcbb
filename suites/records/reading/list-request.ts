import type { RequestSpec } from '../../../client/observation.ts';
import { checkId } from '../../../engine/check-id.ts';
import type { Caller } from '../../../engine/session.ts';
import { encodeQuery } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { MOST_PER_PAGE } from './fitted-list.ts';

/** Arguments of a list by the names of the target; `undefined` leaves out one that every request has. */
export type Args = Readonly<Record<string, unknown>>;

/** A list whose records can be asked for: its path is filled, and it is known who sees it in which context. */
export interface Subject {
  readonly operation: Operation;
  readonly route: string;
  readonly as: Caller;
  readonly context: 'edit' | 'view';
  /** What stands in every request in place of the usual arguments, where the list refuses one of those. */
  readonly usual?: Args;
}

/**
 * The request for a list. Unless told otherwise it asks for as many records as a page holds, sorted by id: an order
 * without ties, so that pages are stable. It names the direction too, so that a wrong default of `order` is told once.
 */
export function listRequest(
  { route, as, context, usual }: Omit<Subject, 'operation'>,
  args: Args = {},
): RequestSpec {
  const all: Args = {
    context,
    per_page: MOST_PER_PAGE,
    orderby: 'id',
    order: 'desc',
    ...usual,
    ...args,
  };
  return {
    method: 'GET',
    route,
    as,
    query: Object.entries(all).flatMap(([name, value]) => encodeQuery(name, value)),
  };
}

/** How many records a request for a list asks for at most; without end where it asks for all of them. */
export function pageSizeOf({ operation, usual }: Subject): number {
  if (usual === undefined) return MOST_PER_PAGE;
  const byDefault = operation.parameters.find(({ name }) => name === 'per_page')?.schema.default;
  return Number(usual.per_page ?? byDefault ?? Number.POSITIVE_INFINITY);
}

/** Whether requests for a list sort it by id, which is an order without ties. */
export function sortsById({ usual }: Subject): boolean {
  return usual === undefined || usual.orderby === 'id';
}

/** Parameters that the suite asks for, each with the keyword whose check tells of a refusal. */
const TOLD: Readonly<Record<string, string>> = {
  context: 'enum',
  per_page: 'maximum',
  orderby: 'enum',
  order: 'enum',
};

/** The ids of the checks that tell what a list refuses of the usual arguments. */
export function refusedOf({ operation, usual }: Subject): string[] {
  if (usual === undefined) return [];
  const all: Args = { context: 'default', per_page: MOST_PER_PAGE, orderby: 'id', order: 'desc', ...usual };
  const kept: Args = { per_page: MOST_PER_PAGE, orderby: 'id', order: 'desc' };
  return Object.entries(TOLD)
    .filter(([name]) => all[name] === undefined || (name in kept && String(all[name]) !== String(kept[name])))
    .map(([name, aspect]) => checkId(operation.id, name, aspect, 'accepted'));
}

/** Arguments as a reader of a report writes them in a query: `author[]=3&order=asc`. */
export function describeArgs(args: Args): string {
  const pairs = Object.entries(args).flatMap(([name, value]) => encodeQuery(name, value));
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}
