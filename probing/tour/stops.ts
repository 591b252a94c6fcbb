import { isObject, member } from '../../client/json.ts';
import type { RequestSpec } from '../../client/observation.ts';
import { shapeOf } from '../../client/route-pattern.ts';
import { type SiteEndpoint, type SiteIndex, type SiteRoute, strings } from '../../client/site-index.ts';
import type { Contract } from '../../specs/model.ts';
import type { ObservedNames } from '../../specs/texts.ts';

/** What is asked of one list as one caller, at most. */
export const MOST_STOPS = 12;
/** What is asked of one list to see the rights of one caller, at most. */
export const MOST_RIGHTS = 5;
/** Values that no site knows; texts and numbers, as the path takes them. */
const UNKNOWN = { text: 'site-conformance-no-such-record', number: '987654321' };
const NO_VALUE = 'site-conformance-no-such-value';
const LONGEST_VALUE = 100;

/** What the path of a record takes. */
interface TourItem {
  readonly parameter: string;
  readonly takesNumber: boolean;
}

/** A list that the index names, and the route of its records where there is one. */
export interface TourList {
  readonly route: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly item?: TourItem;
  readonly isOfContract: boolean;
}

/**
 * The routes without path parameters that a tour reads: what has pages or records of its own, or can be written as well. What
 * another GET does is not known: it may be long work, or create something. What the contract or the data marks with an effect
 * is left out, and so is what needs an argument.
 */
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
  return index.routes.flatMap((route): TourList[] => {
    const [part, ...more] = route.parts;
    const endpoint = readingOf(route);
    const namespace = member(route.raw, 'namespace');
    if (part === undefined || !('text' in part) || more.length > 0 || endpoint === undefined) return [];
    const path = part.text;
    const isIndex = path === '/' || path === `/${String(namespace)}`;
    const args = endpoint.args ?? {};
    if (isIndex || altering.has(path) || Object.values(args).some(isRequired)) return [];
    const item = items.get(path);
    const isOfContract = typeof namespace === 'string' && own.has(namespace);
    const isResource = item !== undefined || (totals.page in args && totals.size in args) || isWritten(route);
    if (!isResource || tour.altering.includes(path.split('/').at(-1) ?? '')) return [];
    return [{ route: path, args, ...(item !== undefined && { item }), isOfContract }];
  });
}

function readingOf({ endpoints }: SiteRoute): SiteEndpoint | undefined {
  return endpoints.find(({ methods }) => methods.includes('GET'));
}

/** Whether a route is written as well, as settings are. */
function isWritten({ endpoints }: SiteRoute): boolean {
  return endpoints.some(({ methods }) => methods.some((method) => ['POST', 'PUT', 'PATCH'].includes(method)));
}

function isRequired(descriptor: unknown): boolean {
  return member(descriptor, 'required') === true;
}

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

/** What the first page of a list showed. */
export interface FirstPage {
  readonly json: unknown;
  readonly records: number | undefined;
}

/** A request, whoever sends it. */
export type Stop = Omit<RequestSpec, 'as' | 'caller'>;

/** What is asked of a list before its records are known. */
export function firstStop({ route }: TourList): Stop {
  return { method: 'GET', route };
}

/** What a short tour asks beside the first page. */
export function shortStops({ route }: TourList, names: ObservedNames): Stop[] {
  return [{ method: 'HEAD', route }, preflight(route, names)];
}

/** What a full tour asks beside the first page, the most telling first. */
export function fullStops(
  list: TourList,
  first: FirstPage,
  names: ObservedNames,
  isAnonymous: boolean,
): Stop[] {
  const { route } = list;
  const options: Stop = isAnonymous ? preflight(route, names) : { method: 'OPTIONS', route };
  const { fields, embed, envelope } = names.tour;
  const get = (name: string, value: string): Stop => ({ method: 'GET', route, query: [[name, value]] });
  const chosen = fieldsOf(first.json, names.identity).join(',');
  const wrong = wrongArgument(list.args);
  return [
    { method: 'HEAD', route },
    options,
    ...itemStops(list, first.json, names.identity),
    ...(wrong === undefined ? [] : [get(wrong, NO_VALUE)]),
    ...pageStops(list, first.records, names),
    ...(chosen === '' ? [] : [{ ...get(fields, chosen), noted: `${fields}=${chosen}` }]),
    get(embed, '1'),
    get(envelope, '1'),
  ];
}

/** The first page under the other form of the address. */
export function otherFormStop({ route }: TourList): Stop {
  return { method: 'GET', route, otherForm: true, noted: 'the other form of the address' };
}

function preflight(route: string, names: ObservedNames): Stop {
  return { method: 'OPTIONS', route, headers: names.tour.preflight, noted: 'a preflight' };
}

/** The second and the last page; of a short list in smaller pages. */
function pageStops(
  { route, args }: TourList,
  records: number | undefined,
  { totals }: ObservedNames,
): Stop[] {
  const { page, size, usual } = totals;
  if (records === undefined || records < 2 || !(page in args && size in args)) return [];
  const each = Math.min(usual, Math.ceil(records / 3));
  const last = Math.ceil(records / each);
  return [...new Set([2, last])].map((at) => ({
    method: 'GET',
    route,
    query: [
      [size, String(each)],
      [page, String(at)],
    ],
  }));
}

function itemStops(list: TourList, json: unknown, identity: string): Stop[] {
  const { route, item } = list;
  if (item === undefined) return [];
  const value = item.takesNumber ? UNKNOWN.number : UNKNOWN.text;
  return [...recordStop(list, json, identity), { method: 'GET', route: `${route}/${value}` }];
}

/** The first record of a list, where its route is known. */
export function recordStop({ route, item }: TourList, json: unknown, identity: string): Stop[] {
  const value = item && firstValue(json, item.parameter, identity);
  return value === undefined ? [] : [{ method: 'GET', route: `${route}/${value}` }];
}

/** What shows whether a caller may edit the records of a list, and sees those that are not public. */
export function rightStops({ route, args }: TourList, names: ObservedNames): Stop[] {
  const { context, parameter, statuses } = names.tour.rights;
  const asked = [
    [names.context, context] as const,
    ...statuses.map((status) => [parameter, status] as const),
  ];
  return asked
    .filter(([name, value]) => takes(args[name], value))
    .map(([name, value]) => ({
      method: 'GET',
      route,
      query: [[name, value]],
      ...(name === parameter && { noted: `${name}=${value}` }),
    }));
}

/** Whether a parameter is one of values that hold this one, or a list of such. */
function takes(descriptor: unknown, value: string): boolean {
  return [descriptor, member(descriptor, 'items')].some((one) =>
    strings(member(one, 'enum')).includes(value),
  );
}

/** By what the first record is asked for: a member of it, or its name in an object of records. */
function firstValue(json: unknown, parameter: string, identity: string): string | undefined {
  const record = firstRecord(json);
  const name = isObject(json) ? Object.keys(json)[0] : undefined;
  const value = member(record, parameter) ?? (isObject(json) ? name : member(record, identity));
  const text = typeof value === 'number' ? String(value) : value;
  const isUsable =
    typeof text === 'string' && text.length <= LONGEST_VALUE && /^[\w/-]+(?:\.[\w/-]+)*$/.test(text);
  return isUsable ? text : undefined;
}

function firstRecord(json: unknown): unknown {
  if (Array.isArray(json)) return json[0];
  return isObject(json) ? Object.values(json)[0] : undefined;
}

/** Names of two members, one of them inside another. */
function fieldsOf(json: unknown, identity: string): string[] {
  const record = Array.isArray(json) ? json[0] : json;
  if (!isObject(record)) return [];
  const isName = (name: string): boolean => /^[a-z]\w*$/i.test(name);
  const names = Object.keys(record).filter(isName).sort();
  const plain = names.includes(identity) ? identity : names[0];
  const nested = names.flatMap((name) => {
    const value = record[name];
    const inner = isObject(value) ? Object.keys(value).filter(isName).sort()[0] : undefined;
    return inner === undefined ? [] : [`${name}.${inner}`];
  });
  return [plain, nested[0]].filter((name) => name !== undefined);
}

/** An argument that takes no text, or only certain ones; names with a special meaning are left alone. */
function wrongArgument(args: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(args)
    .filter((name) => /^[a-z]\w*$/i.test(name))
    .sort();
  return (
    names.find((name) => member(args[name], 'type') === 'integer') ??
    names.find((name) => member(args[name], 'type') === 'string' && Array.isArray(member(args[name], 'enum')))
  );
}
