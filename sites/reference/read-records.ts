import { invalidParameters, parseDate, slugOf } from './arguments.ts';
import { mayRead, pathParameters, requireAccount, requireRecord, resourceOf } from './calls.ts';
import { routeAddress } from './dispatch.ts';
import { ids, integer, isObject, type Json, type JsonObject, text, texts } from './json.ts';
import { demand } from './request.ts';
import { permalink, showRecord } from './show-record.ts';
import {
  type Answer,
  answer,
  type Call,
  type Context,
  type Filter,
  type Handler,
  type ListQuery,
  type Order,
  type Site,
} from './site.ts';
import type { Store, StoredRecord } from './store.ts';

/** Lists the records of a resource (§4.6 to §4.8). */
export const listRecords: Handler = (call) => {
  const { id: kind, statuses } = resourceOf(call);
  requireStatuses(call, statuses.open);
  requireEditContext(call);
  requireOtherArguments(call);
  const { site, args } = call;
  const { account } = call.request;
  const query: ListQuery = { args: declaredOf(call), known: account !== undefined };
  const all = site.store.ofKind(kind);
  const found = selectRecords(site, all, query);
  const number = integer(args.page, 1);
  const offset = typeof args.offset === 'number' ? args.offset : undefined;
  const page = paginate(found, number, integer(args.per_page, 10), offset);
  // Real software reports no totals if an offset on the first page is beyond the end.
  if (page.items.length === 0 && number === 1) Object.assign(page, { total: 0, pages: 0 });
  const inFront = query.args.ignore_sticky === false && number === 1;
  const items = inFront ? stickyFirst(all, page.items, query) : page.items;
  const view = { context: contextOf(call), account };
  const visible = items.filter((record) => mayRead(site.store, record, account));
  return listAnswer(
    call,
    visible.map((record) => showRecord(site, record, view)),
    page,
  );
};

/** Throws a 401 `Refusal` if an anonymous caller requests the edit context. */
function requireEditContext(call: Call): void {
  if (call.args.context === 'edit') {
    requireAccount(call, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this content.');
  }
}

/** The arguments of the list. Others are not applied. */
function declaredOf({ operation, args }: Call): JsonObject {
  const { properties } = operation.parameters;
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(properties, name)));
}

/** The requested context. */
export function contextOf(call: Call): Context {
  const { context } = call.args;
  return context === 'edit' || context === 'embed' ? context : 'view';
}

/** A list with its totals, and links to the previous and next page. */
export function listAnswer(call: Call, items: Json[], page: { total: number; pages: number }): Answer {
  const number = integer(call.args.page, 1);
  const { per_page: size } = call.args;
  const sized = size === undefined ? '' : `&per_page=${integer(size, 0)}`;
  const address = `${routeAddress(call.site.url, call.request.route)}${sized}`;
  const links: string[] = [];
  if (number > 1) links.push(`<${address}&page=${Math.min(number - 1, page.pages)}>; rel="prev"`);
  if (number < page.pages) links.push(`<${address}&page=${number + 1}>; rel="next"`);
  return answer(items, 200, {
    'X-WP-Total': String(page.total),
    'X-WP-TotalPages': String(page.pages),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  });
}

/** For an anonymous caller, any status but the default is invalid. */
function requireStatuses(call: Call, usual: string): void {
  const unusual = texts(call.args.status).some((status) => status !== usual);
  if (unusual && !call.request.account) throw invalidParameters({ status: 'Status is forbidden.' });
}

/** Two orders require another argument. */
export function requireOtherArguments({ args: { orderby, search, include } }: Call): void {
  const message = 'Another parameter is needed for that order.';
  demand(orderby !== 'relevance' || search, 'rest_no_search_term_defined', message, 400);
  const isGiven = ids(include).length > 0;
  demand(orderby !== 'include' || isGiven, 'rest_orderby_include_missing_include', message, 400);
}

/** The candidates that pass every filter of the query, in the requested order. */
export function selectRecords(
  site: Site,
  candidates: readonly StoredRecord[],
  query: ListQuery,
): StoredRecord[] {
  const { filters, orders } = site.behaviour;
  const isMeant = furtherCondition(site.store, query);
  const applied = Object.entries(query.args).filter(([name]) => Object.hasOwn(filters, name));
  const kept = candidates.filter((record) => {
    const passes = applied.every(([name, value]) => filters[name]?.(record, value, query) !== false);
    return passes && isMeant(record);
  });
  const order = orders[text(query.args.orderby, 'date')] ?? orders.date;
  if (!order) return kept;
  const compare = order.compare(query);
  const descending = order.turns && query.args.order !== 'asc';
  return kept.toSorted((one, other) => (descending ? compare(other, one) : compare(one, other)));
}

/**
 * Puts sticky posts first on the first page (`ignore_sticky=false`), even those that were not found. Searches, term
 * filters, formats and `include` disable this.
 * @param all the records of the list without any filter
 */
function stickyFirst(all: readonly StoredRecord[], page: StoredRecord[], query: ListQuery): StoredRecord[] {
  const { args } = query;
  const narrowed = ['search', 'categories', 'tags', 'format'].some((name) => args[name] !== undefined);
  if (narrowed || ids(args.include).length > 0 || args.sticky === true) return page;
  const excluded = args.sticky === false ? all.filter(({ sticky }) => sticky) : [];
  const unwanted = new Set([...ids(args.exclude), ...excluded.map(({ id }) => id)]);
  const found = page.filter(({ sticky }) => sticky);
  const missing = all
    .filter((record) => record.sticky && record.status === 'publish')
    .filter((record) => !page.includes(record) && !unwanted.has(record.id))
    .toSorted((one, other) => other.date - one.date);
  return [...found, ...missing, ...page.filter(({ sticky }) => !sticky)];
}

type Comparison = ReturnType<Order['compare']>;

const byDate: Comparison = (one, other) => one.date - other.date;

/** The meaning of each value of `orderby`. */
export const ORDERS: Readonly<Record<string, Order>> = {
  author: turning((one, other) => one.author - other.author),
  date: turning(byDate),
  id: turning((one, other) => one.id - other.id),
  modified: turning((one, other) => one.modified - other.modified),
  parent: turning((one, other) => one.parent - other.parent),
  slug: turning((one, other) => compareTexts(one.slug, other.slug)),
  title: turning((one, other) => compareTexts(one.title, other.title)),
  menu_order: turning((one, other) => one.menuOrder - other.menuOrder),
  include: {
    turns: false,
    compare: ({ args }) => byPosition((record) => ids(args.include).indexOf(record.id)),
  },
  include_slugs: {
    turns: false,
    compare: ({ args }) =>
      texts(args.slug).length > 0
        ? byPosition((record) => texts(args.slug).map(slugOf).indexOf(record.slug))
        : byDate,
  },
  // How relevance is reckoned is unspecified.
  relevance: { turns: false, compare: () => (one, other) => byDate(other, one) },
};

function turning(compare: Comparison): Order {
  return { compare: () => compare, turns: true };
}

function byPosition(position: (record: StoredRecord) => number): Comparison {
  return (one, other) => position(one) - position(other);
}

function compareTexts(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

interface Page<T> {
  items: T[];
  total: number;
  pages: number;
}

/**
 * Cuts a page out of `found`.
 * @param perPage -1 for all on one page
 * @param offset overrides `page`
 * @throws Refusal 400 for a page beyond the last, unless nothing was found at all
 */
export function paginate<T>(
  found: readonly T[],
  page: number,
  perPage: number,
  offset: number | undefined,
): Page<T> {
  const total = found.length;
  const size = perPage < 0 ? Math.max(total, 1) : perPage;
  const pages = Math.ceil(total / size);
  const message = 'The page number requested is larger than the number of pages available.';
  demand(total === 0 || page <= pages, 'rest_post_invalid_page_number', message, 400);
  const start = offset === undefined ? (page - 1) * size : Math.abs(offset);
  return { items: found.slice(start, start + size), total, pages };
}

/** Reads one record: 404 if it does not exist, 401 if it is hidden, 403 for a wrong password. */
export const readRecord: Handler = (call) => {
  const { site, args } = call;
  const { account } = call.request;
  const record = requireRecord(call, resourceOf(call).id, pathParameters(call).last);
  requireEditContext(call);
  const isRight = !args.password || args.password === record.password;
  demand(isRight, 'rest_post_incorrect_password', 'Incorrect post password.', 403);
  demand(
    mayRead(site.store, record, account),
    'rest_forbidden',
    'Sorry, you are not allowed to do that.',
    401,
  );
  const shown = showRecord(site, record, {
    context: contextOf(call),
    account,
    password: typeof args.password === 'string' ? args.password : undefined,
    excerptLength: typeof args.excerpt_length === 'number' ? args.excerpt_length : undefined,
  });
  return answer(shown, 200, { Link: `<${permalink(site, record)}>; rel="alternate"; type=text/html` });
};

/** What each list parameter filters (§4.6 to §4.8). All apply together; term filters have a table of their own. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  search: (record, value, query) => searchMatches(record, String(value), query),
  after: (record, value) => record.date > instant(value),
  before: (record, value) => record.date < instant(value),
  modified_after: (record, value) => record.modified > instant(value),
  modified_before: (record, value) => record.modified < instant(value),
  // If both are given, real software uses only the exclusion.
  author: (record, value, { args }) =>
    ids(args.author_exclude).length > 0 || among(record.author, ids(value)),
  author_exclude: (record, value) => !ids(value).includes(record.author),
  include: (record, value) => among(record.id, ids(value)),
  exclude: (record, value, { args }) =>
    ids(args.include).length > 0 || args.sticky === true || !ids(value).includes(record.id),
  slug: (record, value) => among(record.slug, texts(value).map(slugOf)),
  status: (record, value, { known }) => {
    const usual = known ? ['publish', 'inherit', 'private'] : ['publish', 'inherit'];
    return (texts(value).length > 0 ? texts(value) : usual).some((status) =>
      status === 'any' ? !['trash', 'auto-draft'].includes(record.status) : record.status === status,
    );
  },
  parent: (record, value) => among(record.parent, ids(value)),
  parent_exclude: (record, value, { args }) =>
    ids(args.parent).length > 0 || !ids(value).includes(record.parent),
  menu_order: (record, value) => record.menuOrder === Math.abs(Number(value)),
  sticky: (record, value, { args }) =>
    value === true ? record.sticky : ids(args.include).length > 0 || !record.sticky,
  format: (record, value) => among(record.format, texts(value)),
};

function instant(value: Json): number {
  return parseDate(String(value)) ?? Number.NaN;
}

/** An empty list does not filter. */
function among<T>(value: T, list: readonly T[]): boolean {
  return list.length === 0 || list.includes(value);
}

/** Types of files that the site accepts, by media type (§4.8). */
const MIME_TYPES: Readonly<Record<string, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'],
  video: ['video/mp4', 'video/webm', 'video/ogg'],
  text: ['text/plain', 'text/csv', 'text/html', 'text/css'],
  application: ['application/pdf', 'application/zip', 'application/json', 'application/msword'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/ogg'],
};

/** Whether a file has one of the media or mime types. An unknown mime type does not filter. */
function mediaMatches(record: StoredRecord, { args }: ListQuery): boolean {
  if (args.media_type === undefined && args.mime_type === undefined) return true;
  const ofKinds = texts(args.media_type).flatMap((kind) => MIME_TYPES[kind] ?? []);
  const known = texts(args.mime_type).filter((type) => MIME_TYPES[type.split('/')[0] ?? '']?.includes(type));
  const wanted = [...ofKinds, ...known];
  return wanted.length === 0 || wanted.includes(record.file?.type ?? '');
}

/** What each term parameter filters (§4.6); undefined for a value that does not filter. */
const TERM_FILTERS: Readonly<Record<string, (value: Json, store: Store) => Passes>> = {
  categories: (value, store) => having(value, store, (record) => record.categories),
  tags: (value, store) => having(value, store, (record) => record.tags),
  categories_exclude: (value, store) => lacking(value, store, (record) => record.categories),
  tags_exclude: (value, store) => lacking(value, store, (record) => record.tags),
};

type TermsOf = (record: StoredRecord) => readonly number[];
type Passes = ((record: StoredRecord) => boolean) | undefined;

function having(value: Json, store: Store, termsOf: TermsOf): Passes {
  const wanted = wantedTerms(value, store);
  if (wanted.length === 0) return undefined;
  const all = isObject(value) && value.operator === 'AND';
  return (record) => {
    const has = (term: number): boolean => termsOf(record).includes(term);
    return all ? wanted.every(has) : wanted.some(has);
  };
}

function lacking(value: Json, store: Store, termsOf: TermsOf): Passes {
  const unwanted = wantedTerms(value, store);
  if (unwanted.length === 0) return undefined;
  return (record) => !unwanted.some((term) => termsOf(record).includes(term));
}

/** The terms of a value, as a list or as the member `terms`, with descendants if requested. */
function wantedTerms(value: Json, store: Store): number[] {
  if (!isObject(value)) return ids(value);
  const terms = ids(value.terms);
  return value.include_children === true ? withDescendants(terms, store.terms) : terms;
}

function withDescendants(terms: number[], all: Store['terms']): number[] {
  const found = new Set(terms);
  for (const term of found) {
    for (const child of all) if (child.parent === term) found.add(child.id);
  }
  return [...found];
}

const STOPWORDS = new Set(
  `about an are as at be by com for from how in is it of on or that the this to was what when where who will
  with www`.split(/\s+/),
);

/** The text of each searchable column. */
const COLUMNS: Record<string, (record: StoredRecord) => string> = {
  post_title: (record) => record.title,
  post_content: (record) => record.content,
  post_excerpt: (record) => record.excerpt,
};

/**
 * Whether every word of `search` is in a searched column of `record`, or equals one with `search_semantics=exact`. A
 * leading hyphen excludes a word. Anonymous searches do not find protected records.
 */
function searchMatches(record: StoredRecord, search: string, query: ListQuery): boolean {
  if (search === '') return true;
  if (!query.known && record.password !== '') return false;
  const exact = query.args.search_semantics === 'exact';
  const columns = columnsOf(record, query);
  return searchTerms(search).every((term) => {
    const excluded = term.startsWith('-');
    const word = (excluded ? term.slice(1) : term).toLowerCase();
    const found = columns.some((column) => (exact ? column === word : column.includes(word)));
    return found !== excluded;
  });
}

/** The words of a search. A quoted phrase is one word, and very common words are ignored. */
function searchTerms(search: string): string[] {
  const found = search.match(/"[^"]*(?:"|$)|[^\t ",+]+/g) ?? [];
  const terms = found
    .map((term) => term.replaceAll(/^["' ]+|["' ]+$/g, ''))
    .filter((term) => term !== '' && !/^[a-z-]$/i.test(term) && !STOPWORDS.has(term.toLowerCase()));
  return terms.length === 0 || terms.length > 9 ? [search] : terms;
}

function columnsOf(record: StoredRecord, query: ListQuery): string[] {
  const chosen = texts(query.args.search_columns);
  const names = chosen.length > 0 ? chosen : Object.keys(COLUMNS);
  const columns = names.map((name) => COLUMNS[name]?.(record) ?? '');
  if (record.file) columns.push(record.file.path);
  return columns.map((column) => column.toLowerCase());
}

/** The conditions of parameters that filter together: those of terms, joined by `tax_relation`, and those of files. */
function furtherCondition(store: Store, query: ListQuery): (record: StoredRecord) => boolean {
  const { args } = query;
  const conditions = Object.entries(TERM_FILTERS).flatMap(([name, filter]) => {
    const value = args[name];
    const condition = value === undefined ? undefined : filter(value, store);
    return condition ? [condition] : [];
  });
  const isIn = (record: StoredRecord): boolean =>
    args.tax_relation === 'OR' && conditions.length > 0
      ? conditions.some((condition) => condition(record))
      : conditions.every((condition) => condition(record));
  return (record) => isIn(record) && mediaMatches(record, query);
}
