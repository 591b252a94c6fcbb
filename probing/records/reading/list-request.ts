import type { Client } from '../../../client/client.ts';
import { asObject } from '../../../client/json.ts';
import type { Observation, RequestSpec } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import {
  describeStatus,
  failure,
  inconclusive,
  list,
  NO_ARRAY,
  saidBy,
  show,
  throttled,
} from '../../../engine/findings.ts';
import type { Caller } from '../../../engine/session.ts';
import { type Args, encodeArgs, type Pair } from '../../../generators/wire-forms.ts';
import { defaultOf } from '../../../specs/find-resource.ts';
import { memoized } from '../../../specs/memoized.ts';
import type { Operation } from '../../../specs/model.ts';
import { type SiteRecord, toRecords } from './record.ts';

/** A parameter that no software knows, which makes another address of the same request. */
export const UNKNOWN = { x_not_a_parameter: 'sample' };

/** A list that can be requested: its path parameters have values, and its caller and context are known. */
export interface Subject {
  readonly operation: Operation;
  readonly route: string;
  readonly as: Caller;
  readonly context: 'edit' | 'view';
  /** The arguments of every request, if the list refuses one of the usual ones. */
  readonly usual?: Args;
  /** The page size, if the largest page has more bytes than its records are worth. */
  readonly size?: number;
  /** The name of the time zone that the site reports. */
  readonly zone?: string | undefined;
}

/** The request for a list: by default its largest page by id, an order without ties, with the direction named. */
export function listRequest(subject: Omit<Subject, 'operation'>, args: Args = {}): RequestSpec {
  const { route, as } = subject;
  return { method: 'GET', route, as, query: encodeArgs(listArgs(subject, args)) };
}

/** All arguments of a request for a list: the usual ones, and its own, which come instead of them. */
export function listArgs({ context, usual, size }: Omit<Subject, 'operation'>, args: Args): Args {
  const sorted = { per_page: MOST_PER_PAGE, orderby: 'id', order: 'desc' };
  const sized = size === undefined ? {} : { per_page: size };
  return { context, ...sorted, ...usual, ...sized, ...args };
}

/** The page size of requests for a list; infinity if it asks for all records. */
export function pageSizeOf({ operation, usual, size }: Subject): number {
  if (size !== undefined || usual === undefined) return size ?? MOST_PER_PAGE;
  const byDefault = defaultOf(operation, 'per_page');
  return Number(usual.per_page ?? byDefault ?? Number.POSITIVE_INFINITY);
}

/** Arguments as a reader of a report writes them in a query: `author[]=3&order=asc`. */
export function describeArgs(args: Args): string {
  return encodeArgs(args)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

type ListAnswer =
  | { readonly kind: 'list'; readonly items: readonly unknown[]; readonly records: readonly SiteRecord[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'denied' }
  | Finding;

/** Reads the answer of a list by the table of answers. @param subject the list, if dates of its records are compared */
export function readList(observation: Observation, { zone }: Pick<Subject, 'zone'> = {}): ListAnswer {
  const { answer, json, status, problem } = observation;
  switch (answer) {
    case 'denied':
      return { kind: 'denied' };
    case 'refused':
      return { kind: 'refused', message: `refused with status ${status}` };
    case 'throttled':
      return throttled(observation);
    case 'absent':
      return inconclusive(`the route does not answer GET (status ${status})`);
    case 'broken':
      return serverError(describeStatus(observation), observation);
    case 'accepted':
      if (Array.isArray(json)) return { kind: 'list', items: json, records: toRecords(json, zone) };
      if (json !== undefined) return noArray(observation);
      return serverError(problem ?? 'no JSON', observation);
  }
}

/** The finding for a list whose records are not an array by themselves, such as one in an envelope. */
function noArray(answer: Observation): Finding {
  const names = Object.keys(asObject(answer.json) ?? {});
  const observed = names.length === 0 ? show(answer.json) : `an object with ${list(names)}`;
  const shown = { expected: 'an array of records', observed, reproduce: [answer.curl] };
  return { ...failure(`${NO_ARRAY}${saidBy(answer)}`, shown), broken: true };
}

/** The finding for an answer that no healthy server gives, or that is not read. @param observed what is wrong with it */
export function serverError(observed: string, answer: Observation): Finding {
  // The limits are ours: a hundred records may be larger.
  if (answer.tooLarge === true) return inconclusive(`${observed}, for a page of records`);
  const shown = { expected: 'an answer in JSON', observed, reproduce: [answer.curl] };
  return { ...failure(`server error: ${observed}${saidBy(answer)}`, shown), broken: true };
}

/** The most records that one page holds (§8). */
export const MOST_PER_PAGE = 100;

/** Sizes of pages that are asked for where the largest is refused; the last is the default (§8). */
const SMALLER_SIZES: readonly number[] = [50, 20, 10];

/** Arguments that the suite sends for its own purposes and that can be left out. */
const DISPENSABLE: readonly string[] = ['page', 'context', 'orderby', 'order', 'per_page'];

/** What a list answered, and to which query. */
export interface Fitted {
  readonly observation: Observation;
  /** The query as sent. Refused arguments are left out or replaced. */
  readonly query: readonly Pair[];
}

/** Values that were sent to lists alone, and whether they were refused. */
type Refusals = Map<string, Promise<boolean>>;

const refusalsIn = memoized((_: Client) => new Map<string, Refusals>());

/**
 * Requests a list for the suite's own purposes: of what it refuses, each dispensable value is sent alone, remembered
 * if it is refused, and left out or replaced by a smaller page, no order, the default context.
 */
export async function askFitted(
  client: Client,
  spec: RequestSpec,
  { declared, dispensable = DISPENSABLE, send = (one) => client.request(one) }: FittingOptions = {},
): Promise<Fitted> {
  const refusals = refusalsOf(client, spec);
  const fitted = async (): Promise<Pair[]> => {
    const fitting: Pair[] = [];
    for (const [name, value] of spec.query ?? []) {
      for (const one of valuesFor(name, value, declared)) {
        if (dispensable.includes(name) && (await refusals.get(`${name}=${one}`)) === true) continue;
        fitting.push([name, one]);
        break;
      }
    }
    return fitting;
  };
  const query = await fitted();
  const observation = await send({ ...spec, query });
  if (observation.answer !== 'refused' || Number(valueIn(query, 'page') ?? 1) > 1)
    return { observation, query };
  const tried = query.filter(([name]) => dispensable.includes(name));
  await learn(tried, refusals, (pairs) => send({ ...spec, query: pairs }));
  const fitting = await fitted();
  if (JSON.stringify(fitting) === JSON.stringify(query)) return { observation, query };
  return { observation: await send({ ...spec, query: fitting }), query: fitting };
}

interface FittingOptions {
  readonly declared?: number | undefined;
  readonly dispensable?: readonly string[];
  /** How requests are sent; default: fresh. */
  readonly send?: (spec: RequestSpec) => Promise<Observation>;
}

/** The value of an argument in a query; undefined if it is missing. */
export function valueIn(query: readonly Pair[], name: string): string | undefined {
  return query.find(([one]) => one === name)?.[1];
}

/** The page size of a query; if it is missing, the default (§8). */
export function sizeIn(query: readonly Pair[]): number {
  return Number(valueIn(query, 'per_page') ?? SMALLER_SIZES.at(-1));
}

/** Refused values are shared by all lists of children with one operation. */
function refusalsOf(client: Client, { route, as }: RequestSpec): Refusals {
  const lists = refusalsIn(client);
  const key = `${as ?? 'anonymous'} ${route.replace(/\/\d+(?=\/)/, '/{id}')}`;
  const refusals: Refusals = lists.get(key) ?? new Map();
  lists.set(key, refusals);
  return refusals;
}

/** The values of an argument to try in turn: its own, and smaller pages. @param declared the largest page of a target */
function valuesFor(name: string, value: string, declared = Number.POSITIVE_INFINITY): string[] {
  if (name !== 'per_page') return [value];
  const size = Number(value);
  const smaller = SMALLER_SIZES.filter((one) => one < size);
  return [...new Set([Math.min(size, declared), size, ...smaller])].map(String);
}

/** Sends each value of a query alone, and smaller pages if a size is refused. */
async function learn(
  query: readonly Pair[],
  refusals: Refusals,
  ask: (query: readonly Pair[]) => Promise<Observation>,
): Promise<void> {
  // If the call without arguments is refused, the arguments are not the cause.
  if ((await ask([])).answer === 'refused') return;
  for (const [name, value] of query) {
    for (const one of valuesFor(name, value)) {
      const key = `${name}=${one}`;
      const isRefused = refusals.get(key) ?? ask([[name, one]]).then(({ answer }) => answer === 'refused');
      refusals.set(key, isRefused);
      if (!(await isRefused)) break;
    }
  }
}
