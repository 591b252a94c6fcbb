import type { Observation, RequestSpec } from '../../../client/observation.ts';
import { checkId, type Finding } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import type { Caller } from '../../../engine/session.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import type { Operation } from '../../../specs/model.ts';
import { MOST_PER_PAGE } from './fitted-list.ts';
import { type SiteRecord, toRecords } from './record.ts';

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
    query: encodeArgs(all),
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

/** Parameters that the suite asks for, each with the keyword whose check reports a refusal. */
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
  const pairs = encodeArgs(args);
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

/** What an answer of a list holds: its items, or what kept it from being one. */
type ListAnswer =
  | { readonly kind: 'list'; readonly items: readonly unknown[]; readonly records: readonly SiteRecord[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'denied' }
  | { readonly kind: 'stopped'; readonly finding: Finding };

/**
 * Reads the answer of a list by the table of answers: a server error is a failure wherever it appears, throttling says
 * nothing, and a refusal or a denial is for the caller to evaluate.
 */
export function readList(observation: Observation): ListAnswer {
  const { answer, json, status, problem, tooLarge, curl } = observation;
  switch (answer) {
    case 'denied':
      return { kind: 'denied' };
    case 'refused':
      return { kind: 'refused', message: `refused with status ${status}` };
    case 'throttled':
      return stopped(inconclusive('throttled each time it was asked'));
    case 'absent':
      return stopped(inconclusive(`the route does not answer GET (status ${status})`));
    case 'broken':
      // The bound is ours: a hundred records may rightly be larger.
      if (tooLarge === true) return stopped(inconclusive(`${problem}, for a page of records`));
      return stopped(serverError(problem ?? `status ${status}`, curl));
    case 'accepted':
      return Array.isArray(json)
        ? { kind: 'list', items: json, records: toRecords(json) }
        : stopped(serverError(json === undefined ? (problem ?? 'no JSON') : 'JSON that is no array', curl));
  }
}

function stopped(finding: Finding): ListAnswer {
  return { kind: 'stopped', finding };
}

/** The finding for an answer that no healthy server gives. */
export function serverError(observed: string, curl: string): Finding {
  return failure(`server error: ${observed}`, { expected: 'an answer in JSON', observed, reproduce: [curl] });
}
