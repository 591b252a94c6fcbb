import { byText, isObject, member } from '../../client/json.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { type SiteEndpoint, type SiteIndex, type SiteRoute, wordsIn } from '../../client/site-index.ts';
import type { Contract } from '../../specs/model.ts';
import type { ObservedNames } from '../../specs/texts.ts';

/** The most requests for one list as one caller. */
export const MOST_STOPS = 13;
const NO_RECORD = 'site-conformance-no-such-record';
const LONGEST_VALUE = 100;
/** The label of answers under the other form of an address. */
export const OTHER_FORM = 'the other form of the address';
const SEARCH = 'search';
const MOST_FILTERS = 2;
/** A validator that can be sent back unchanged. */
const VALIDATOR = /^[\x21-\x7e][\x20-\x7e]{0,198}[\x21-\x7e]$/;

interface TourItem {
  readonly parameter: string;
  readonly takesNumber: boolean;
}

/** A list of the index. */
export interface TourList {
  readonly route: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly item?: TourItem;
  /** Arguments that may filter the records: the search first, then those that few other routes have. */
  readonly filters: readonly string[];
  readonly isOfContract: boolean;
}

/** The routes that a tour reads: with pages or records of their own, or writable, and without a marked effect. */
export function listsOf(
  index: SiteIndex,
  { namespaces, operations }: Contract,
  { totals, tour }: ObservedNames,
): TourList[] {
  const own = new Set(namespaces.map(({ wire }) => wire));
  const altering = new Set(
    operations.flatMap(({ methods, effect, route }) =>
      methods.includes('GET') && effect !== 'reads' ? [shapeOf(route.wire)] : [],
    ),
  );
  const items = new Map(
    index.routes.flatMap((route): [string, TourItem][] => {
      const found = itemOf(route, altering);
      return found === undefined ? [] : [found];
    }),
  );
  const known = new Map<string, number>();
  for (const route of index.routes) {
    for (const name of Object.keys(readingOf(route)?.args ?? {})) known.set(name, (known.get(name) ?? 0) + 1);
  }
  return index.routes.flatMap((route): TourList[] => {
    const [part, ...more] = route.parts;
    const endpoint = readingOf(route);
    const namespace = member(route.raw, 'namespace');
    if (part === undefined || !('text' in part) || more.length > 0 || endpoint === undefined) return [];
    const path = part.text;
    const isIndex = ['/', `/${String(namespace)}`].includes(path);
    const args = endpoint.args ?? {};
    const isAltering = altering.has(path) || tour.altering.includes(path.split('/').at(-1) ?? '');
    if (isIndex || isAltering || Object.values(args).some(isRequired)) return [];
    const item = items.get(path);
    const isOfContract = typeof namespace === 'string' && own.has(namespace);
    const isPaged = totals.page in args && totals.size in args;
    if (item === undefined && !isPaged && !isWritten(route)) return [];
    const filters = filtersOf(args, known, tour);
    return [{ route: path, args, ...(item !== undefined && { item }), filters, isOfContract }];
  });
}

/** Arguments that accept any text or number. @param known how many routes have each */
function filtersOf(
  args: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, number>,
  { rights }: ObservedNames['tour'],
): string[] {
  const rank = (name: string): number => (name === SEARCH ? 0 : (known.get(name) ?? 0));
  // Filters by status depend on rights.
  const isFilter = (name: string): boolean =>
    name !== rights.parameter && isPlainName(name) && kindOf(args[name]) !== undefined;
  return Object.keys(args)
    .filter(isFilter)
    .toSorted((one, other) => rank(one) - rank(other) || byText(one, other));
}

/** Whether an argument accepts any text or any number; undefined for one with certain values, or with a default. */
function kindOf(descriptor: unknown): 'text' | 'number' | undefined {
  const items = member(descriptor, 'items');
  const bounds = ['enum', 'format', 'pattern', 'maximum', 'maxLength', 'default'];
  const isBounded = bounds.some((name) => {
    const [own, inner] = [member(descriptor, name), member(items, name)];
    const isNone =
      name === 'default' && (own === null || own === '' || (Array.isArray(own) && own.length === 0));
    return (own !== undefined && !isNone) || inner !== undefined;
  });
  if (isBounded) return undefined;
  const type = member(descriptor, 'type') === 'array' ? member(items, 'type') : member(descriptor, 'type');
  if (type === 'string') return 'text';
  return type === 'integer' ? 'number' : undefined;
}

function isWritten({ endpoints }: SiteRoute): boolean {
  return endpoints.some(({ methods }) => ['POST', 'PUT', 'PATCH'].some((method) => methods.includes(method)));
}

function readingOf({ endpoints }: SiteRoute): SiteEndpoint | undefined {
  return endpoints.find(({ methods }) => methods.includes('GET'));
}

const isRequired = (descriptor: unknown): boolean => member(descriptor, 'required') === true;

/** Whether a name has no special meaning in a query. */
const isPlainName = (name: string): boolean => /^[a-z]\w*$/i.test(name);

/** The route of the records of a list, by the route of the list. */
function itemOf(route: SiteRoute, altering: ReadonlySet<string>): [string, TourItem] | undefined {
  const [before, parameter, ...more] = route.parts;
  const endpoint = readingOf(route);
  if (before === undefined || parameter === undefined || more.length > 0 || endpoint === undefined)
    return undefined;
  if (!('text' in before && before.text.endsWith('/') && 'pathParameter' in parameter)) return undefined;
  if (altering.has(`${before.text}{}`)) return undefined;
  const { pathParameter: name, pattern } = parameter;
  const isElsewhereRequired = Object.entries(endpoint.args ?? {}).some(
    ([other, one]) => other !== name && isRequired(one),
  );
  if (isElsewhereRequired) return undefined;
  return [
    before.text.slice(0, -1),
    { parameter: name, takesNumber: /^\(*(?:\\d|\[\\d\]|\[0-9\])[+*]?\)*$/.test(pattern) },
  ];
}

type FirstPage = { readonly json: unknown; readonly records: number | undefined };

/** What the first page of a list shows, and how many records its list has by a header. */
function firstPageOf({ json, headers }: Observation, { totals }: ObservedNames): FirstPage {
  const total = Number(headers[totals.records]);
  return { json, records: Number.isSafeInteger(total) ? total : undefined };
}

/** A request without its caller. */
export type Stop = Omit<RequestSpec, 'as' | 'caller'>;

/** A request for a route that no site has. Clients learn from its refusal that a plugin is missing. */
export const UNKNOWN_ROUTE: Stop = { method: 'GET', route: '/site-conformance-no-such-route' };

/** The request for a list before its records are known. */
export function firstStop({ route }: TourList): Stop {
  return get(route);
}

/** The requests of a short tour for a list of the contract, besides the first page. */
export function shortStops(list: TourList, first: unknown, names: ObservedNames): Stop[] {
  return [...methodStops(list, names), embedStop(list, names), ...fieldStops(list, first, names)];
}

/** HEAD of a list, and the preflight of a browser. */
export function methodStops({ route }: Pick<TourList, 'route'>, names: ObservedNames): Stop[] {
  return [{ method: 'HEAD', route }, preflight(route, names)];
}

interface Asking {
  readonly isAnonymous: boolean;
  /** Whether another caller has asked the same list. Requests that do not depend on the caller are sent once. */
  readonly isSecond: boolean;
  /** Whether the site knows the other form of addresses. */
  readonly isBoth: boolean;
}

/** The requests of a full tour besides the first page, the most conclusive first. @param page the answer with that */
export function fullStops(list: TourList, page: Observation, names: ObservedNames, asking: Asking): Stop[] {
  const { isAnonymous, isSecond, isBoth } = asking;
  const first = firstPageOf(page, names);
  const { route } = list;
  const options: Stop = isAnonymous ? preflight(route, names) : { method: 'OPTIONS', route };
  // How a record is described depends on its caller as little as HEAD of the list, which the first caller sends.
  const described = recordStop(list, first.json, names.identity).map(
    (stop): Stop => ({ ...stop, method: 'OPTIONS' }),
  );
  const head: Stop = { method: 'HEAD', route };
  const outer = isSecond && described.length > 0 ? described : [head];
  const wrong = wrongArgument(list.args);
  const asked = [
    ...(wrong === undefined ? [] : [get(route, [wrong, names.tour.unmatched.text])]),
    ...fieldStops(list, first.json, names),
  ];
  const filtered = [...filterStops(list, first, names), ...largeStop(list, first.records, names)];
  const other: Stop[] = isBoth ? [{ ...get(route), otherForm: true, noted: OTHER_FORM }] : [];
  return [
    ...outer,
    options,
    // What only editors are shown, which checks read of the lists of the contract alone.
    ...(isAnonymous ? [] : editStops(list, names)),
    ...itemStops(list, first.json, names),
    ...(isSecond ? filtered : asked),
    ...pageStops(list, first.records, names),
    embedStop(list, names),
    ...(isSecond ? other : []),
    get(route, [names.tour.envelope, '1']),
    ...(isSecond ? asked : [...filtered, ...other]),
  ];
}

function get(route: string, ...query: NonNullable<Stop['query']>): Stop {
  return { method: 'GET', route, ...(query.length > 0 && { query }) };
}

function noted(stop: Stop): Stop {
  return { ...stop, noted: (stop.query ?? []).map((pair) => pair.join('=')).join('&') };
}

const embedStop = ({ route }: TourList, { tour }: ObservedNames): Stop => get(route, [tour.embed, '1']);

function fieldStops({ route }: TourList, first: unknown, { tour, identity }: ObservedNames): Stop[] {
  const chosen = fieldsOf(first, identity).join(',');
  return chosen === '' ? [] : [noted(get(route, [tour.fields, chosen]))];
}

/** The list with a value that no record matches. If it shows records anyway, the argument does not filter by it. */
function filterStops({ route, args, filters }: TourList, { json }: FirstPage, { tour }: ObservedNames) {
  if (!Array.isArray(json) || json.length === 0) return [];
  return filters
    .slice(0, MOST_FILTERS)
    .map((name) => noted(get(route, [name, tour.unmatched[kindOf(args[name]) ?? 'text']])));
}

/** The largest page of a list, if it has more records than usual pages. */
function largeStop({ route, args }: TourList, records: number | undefined, { totals }: ObservedNames) {
  const most = member(args[totals.size], 'maximum');
  if (records === undefined || records <= totals.usual || typeof most !== 'number') return [];
  return [noted(get(route, [totals.size, String(most)]))];
}

/** Conditional requests for the same; none if the answer has no validator, or was itself conditional. */
export function conditionalStops(
  asked: Stop,
  { answer, headers }: Pick<Observation, 'answer' | 'headers'>,
  names: ObservedNames,
): Stop[] {
  if (answer !== 'accepted' || asked.method !== 'GET' || isConditional(asked, names)) return [];
  const { route } = asked;
  const [first] = Object.entries(names.tour.validators).flatMap(([name, condition]): Stop[] => {
    const value = headers[name];
    if (value === undefined || !VALIDATOR.test(value)) return [];
    return [{ ...get(route), headers: { [condition]: value }, noted: `${condition}: ${name.toUpperCase()}` }];
  });
  return first === undefined ? [] : [first];
}

/** Whether a request is conditional. */
export function isConditional({ headers = {} }: Stop, { tour }: ObservedNames): boolean {
  return Object.values(tour.validators).some((name) => headers[name] !== undefined);
}

function preflight(route: string, names: ObservedNames): Stop {
  return { method: 'OPTIONS', route, headers: names.tour.preflight, noted: 'a preflight' };
}

/** The second and the last page; for a short list, with a smaller page size. */
function pageStops({ route, args }: TourList, records: number | undefined, { totals }: ObservedNames) {
  const { page, size, usual } = totals;
  if (records === undefined || records < 2 || !(page in args && size in args)) return [];
  const each = Math.min(usual, Math.ceil(records / 3));
  const last = Math.ceil(records / each);
  return [...new Set([2, last])].map((at) => get(route, [size, String(each)], [page, String(at)]));
}

function itemStops(list: TourList, json: unknown, { identity, tour }: ObservedNames): Stop[] {
  const { route, item } = list;
  if (item === undefined) return [];
  const value = item.takesNumber ? tour.unmatched.number : NO_RECORD;
  return [...recordStop(list, json, identity), get(`${route}/${value}`)];
}

/** The first record of a list, if its route is known. */
export function recordStop({ route, item }: TourList, json: unknown, identity: string): Stop[] {
  const value = item && firstValue(json, item.parameter, identity);
  return value === undefined ? [] : [get(`${route}/${value}`)];
}

/** Requests that show whether a caller may edit the records of a list, and sees those that are not public. */
export function rightStops(list: TourList, names: ObservedNames): Stop[] {
  const { parameter, statuses } = names.tour.rights;
  const own = statuses.filter((status) => wordsIn(list.args[parameter]).includes(status));
  return [...editStops(list, names), ...own.map((status) => noted(get(list.route, [parameter, status])))];
}

function editStops({ route, args }: TourList, names: ObservedNames): Stop[] {
  const { context } = names.tour.rights;
  return wordsIn(args[names.context]).includes(context) ? [get(route, [names.context, context])] : [];
}

/** The value that identifies the first record: a member of it, or its name in an object of records. */
function firstValue(json: unknown, parameter: string, identity: string): string | undefined {
  const [name, record] = Object.entries(isObject(json) || Array.isArray(json) ? json : {})[0] ?? [];
  const value = member(record, parameter) ?? (isObject(json) ? name : member(record, identity));
  const text = typeof value === 'number' ? String(value) : value;
  const isUsable =
    typeof text === 'string' && text.length <= LONGEST_VALUE && /^[\w/-]+(?:\.[\w/-]+)*$/.test(text);
  return isUsable ? text : undefined;
}

/** Names of two members, one of them inside another. */
function fieldsOf(json: unknown, identity: string): string[] {
  const record = Array.isArray(json) ? json[0] : json;
  if (!isObject(record)) return [];
  const names = Object.keys(record).filter(isPlainName).sort();
  const plain = names.includes(identity) ? identity : names[0];
  const nested = names.flatMap((name) => {
    const value = record[name];
    const inner = isObject(value) ? Object.keys(value).filter(isPlainName).sort()[0] : undefined;
    return inner === undefined ? [] : [`${name}.${inner}`];
  });
  return [plain, nested[0]].filter((name) => name !== undefined);
}

/** An argument that refuses some texts, to send a wrong value. */
function wrongArgument(args: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(args).filter(isPlainName).sort();
  return (
    names.find((name) => member(args[name], 'type') === 'integer') ??
    names.find((name) => member(args[name], 'type') === 'string' && Array.isArray(member(args[name], 'enum')))
  );
}
