import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Json, JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { type AskedFor, declaring, sending, withList } from '../handling.ts';
import {
  answering,
  both,
  breaking,
  by,
  type Exhibit,
  isOfRecords,
  LIST,
  spelling,
  unknown,
  type Which,
  withHeaders,
} from './exhibit.ts';
import { page } from './refusals.ts';

/** Milliseconds; several times the usual response time. */
const SLOW = 120;
const PAGES = '/cms/v2/pages';
/** The records of smaller pages. */
const SMALLER = 3;

const isList: Which = ({ route, method }) => route === LIST && method === 'GET';
const isOfPages = both(isOfRecords, ({ route }) => route.startsWith(PAGES));
const unreadable = breaking('answer-unreadable', 'the body');

/** Answers with changed text of the JSON: by default, those of pages. */
function spelt(
  id: string,
  title: string,
  spell: (text: string) => string | Uint8Array,
  which = isOfPages,
): Exhibit {
  return unreadable(id, title, answering(which, spelling(spell)));
}

const form = breaking('answer-form', 'the answer');

/** One list of another form. */
function formed(id: string, title: string, turn: (list: Json[]) => Json): Exhibit {
  const turned = (shown: Answer): Answer =>
    Array.isArray(shown.body) ? { ...shown, body: turn(shown.body) } : shown;
  return form(id, title, answering(isList, turned));
}

/** The first entries of a list, if it has several, and others in place of the last. */
function ending(list: Json[], ...end: readonly Json[]): Json[] {
  return list.length > 1 ? [...list.slice(0, -1), ...end] : list;
}

const NOTICE = '<br />\n<b>Warning</b>:  Undefined variable in x.php<br />\n';
const MAINTENANCE = '<!doctype html><title>Maintenance</title>';
const DEPRECATED = 'PHP Deprecated:  Creation of dynamic property in x.php';

const BODIES: readonly Exhibit[] = [
  spelt('byte-order-mark', 'a byte-order mark stands before pages', (json) => `\ufeff${json}`),
  spelt('notice-before', 'a notice of PHP stands before pages', (json) => `${NOTICE}${json}`),
  spelt('guard-before-pages', 'a guard stands before pages', (json) => `)]}',\n${json}`),
  spelt('zero-after-pages', 'a zero stands after pages', (json) => `${json}0`),
  spelt('called-pages', 'pages are a call of a function', (json) => `/**/read(${json})`),
  spelt('compressed-pages', 'pages are compressed and do not say so', (json) => gzipSync(json)),
  spelt('comment-after', 'a comment stands after pages', (json) => `${json}\n<!-- cached -->`),
  spelt('page-instead', 'a page stands in the place of pages', () => MAINTENANCE),
  unreadable(
    'login-instead',
    'a page to log in stands in the place of pages, with headers of its own',
    answering(isOfPages, () => ({
      ...answer(null),
      body: new Text('text/html; charset=UTF-8', MAINTENANCE),
    })),
  ),
  spelt('broken-off', 'a list breaks off', (json) => json.slice(0, -40), isList),
  spelt('notice-after', 'a notice of PHP stands after a list', (json) => `${json}\n${DEPRECATED}`, isList),
  formed('list-as-map', 'a list is an object by number', (list) => ({ ...list })),
  formed('list-wrapped', 'a list is wrapped in an object', (list) => ({ data: list })),
  formed('list-in-text', 'a list is a text that holds JSON', (list) => JSON.stringify(list)),
  formed('list-of-ids', 'a list holds ids alone', (list) => list.map((record) => Object(record).id)),
  formed('list-of-lists', 'a list holds each record in a list', (list) => list.map((record) => [record])),
  formed('list-with-null', 'a list ends with null', (list) => ending(list, null)),
  formed('list-null', 'a list is null', () => null),
  form(
    'list-empty-body',
    'a list has no body',
    answering(
      isList,
      spelling(() => ''),
    ),
  ),
  form(
    'record-as-list',
    'a record of a list is a list of one',
    answering(
      both(isOfRecords, ({ route }) => /^\/cms\/v2\/posts\/\d+$/.test(route)),
      (shown) => (shown.body instanceof Text ? shown : { ...shown, body: [shown.body] }),
    ),
  ),
];

const refused = breaking('answer-refused', 'the request');

const REFUSED: readonly Exhibit[] = [
  breaking('answer-status', 'the status of success')(
    'accepted-status',
    'pages are answered with 203',
    answering(
      ({ route }, { status }) => route.startsWith(PAGES) && status === 200,
      (shown) => ({ ...shown, status: 203 }),
    ),
  ),
  refused(
    'head-refused',
    'HEAD is refused',
    answering(by('HEAD'), () =>
      answer({ code: 'rest_no_route', message: 'No.', data: { status: 404 } }, 404),
    ),
  ),
  refused(
    'options-refused',
    'OPTIONS is refused',
    answering(by('OPTIONS'), () => page(405)),
  ),
  refused(
    'list-moved',
    'a list is redirected to another host',
    answering(
      ({ route }) => route === LIST,
      () => answer(null, 301, { Location: 'https://elsewhere.example/' }),
    ),
  ),
  refused(
    'list-fails',
    'a list ends in a fault',
    answering(isList, () => page(500)),
  ),
];

const ordered = breaking('answer-order', 'the first page');

const ORDERS: readonly Exhibit[] = [
  unknown(
    ordered(
      'order-other',
      'pages come in another order',
      answering(
        ({ route }) => route === PAGES,
        (shown) => withList(shown, (list) => list.toReversed()),
      ),
    ),
  ),
  unknown(
    ordered(
      'sticky-first',
      'the last record comes first',
      answering(
        both(isList, ({ query }) => !query.has('page')),
        (shown) => withList(shown, (list) => [...list.slice(-1), ...list.slice(0, -1)]),
      ),
    ),
  ),
  breaking('answer-repeated', 'pages')(
    'page-repeats',
    'each page begins with a record of the page before',
    repeating(),
  ),
  breaking('default', 'per_page default')(
    'pages-smaller',
    'pages hold fewer records where their size is not named, with true totals',
    answering(
      ({ route, query }) => route === PAGES && !query.has('per_page'),
      (shown, asked) => {
        const pages = String(Math.ceil(Number(shown.headers['X-WP-Total']) / SMALLER));
        const fewer = withList(shown, (list) => list.slice(0, SMALLER));
        return withHeaders({ 'X-WP-TotalPages': pages })(fewer, asked);
      },
    ),
  ),
  breaking('answer-totals', 'totals')(
    'page-short',
    'pages hold fewer records than are asked for',
    answering(isOfRecords, (shown) => withList(shown, (list) => ending(list))),
  ),
  unknown(
    breaking('answer-slower', 'the route')(
      'slow-pages',
      'pages take long',
      sending(async (shown, { route }) => {
        if (route === PAGES) await sleep(SLOW);
        return shown;
      }),
    ),
  ),
];

/** Later pages whose first record repeats one of an earlier page. */
function repeating(): Alter {
  const first = new Map<string, Json>();
  return answering(isOfRecords, (shown, { route, query }) =>
    withList(shown, (list) => {
      const [head = null, ...rest] = list;
      const known = first.get(route);
      if (!query.has('page') || query.get('page') === '1') first.set(route, known ?? head);
      const isFurther = Number(query.get('page') ?? 1) > 1;
      return isFurther && known !== undefined && list.length > 0 ? [known, ...rest] : list;
    }),
  );
}

/** A namespace that no contract knows, with a list. */
const NAMESPACE = 'shop/v1';
const TERMS = `/${NAMESPACE}/terms`;

const UNKNOWN_LIST: readonly Exhibit[] = [
  breaking('answer-type', 'count')(
    'terms-count-text',
    'the number of records of a term is a text, in a list that no contract knows',
    withTerms((term) => ({ ...term, count: String(term.count) })),
    withTerms(),
  ),
  breaking('answer-member-removed', 'slug')(
    'terms-without-slug',
    'terms have no slug, in a list that no contract knows',
    withTerms(({ slug: _, ...term }) => term),
    withTerms(),
  ),
];

/**
 * A site with a list of terms outside its contract.
 * @param turn changes a term, at each reading of the first page; @param isClosed whether only users may read it
 */
export function withTerms(
  turn: (term: JsonObject, at: number) => JsonObject = (term) => term,
  isClosed = false,
): Alter {
  const paging = { type: 'integer', required: false };
  let answers = 0;
  return together(
    declaring(({ namespaces, routes }) => {
      if (Array.isArray(namespaces)) namespaces.push(NAMESPACE);
      const args = { page: { ...paging, default: 1 }, per_page: { ...paging, default: 10 } };
      Object.assign(Object(routes), {
        [TERMS]: { namespace: NAMESPACE, methods: ['GET'], endpoints: [{ methods: ['GET'], args }] },
      });
    }),
    sending((shown, asked) => {
      if (asked.route !== TERMS) return shown;
      if (isClosed && asked.anonymous) return answer({ code: 'rest_forbidden' }, 401);
      if (asked.method === 'GET' && asked.query.size === 1) answers += 1;
      const at = answers;
      return termsOf(asked, (term) => turn(term, at));
    }),
  );
}

function termsOf({ query }: AskedFor, turn: (term: JsonObject) => JsonObject): Answer {
  const [size, number] = [Number(query.get('per_page') ?? 10), Number(query.get('page') ?? 1)];
  const all = [1, 2, 3, 4].map((id): Json => turn({ id, name: `Term ${id}`, slug: `term-${id}`, count: id }));
  const headers = {
    'X-WP-Total': String(all.length),
    'X-WP-TotalPages': String(Math.ceil(all.length / size)),
  };
  return answer(all.slice((number - 1) * size, number * size), 200, headers);
}

/** Changed lists: text around or instead of JSON, form, order and time. */
export const LIST_EXHIBITS: readonly Exhibit[] = [...BODIES, ...REFUSED, ...ORDERS, ...UNKNOWN_LIST];
