import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Json, JsonObject } from '../../reference/json.ts';
import type { Operation } from '../../reference/load-contract.ts';
import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { type AskedFor, declaring, dropping, sending, setting, turningArgs, withList } from '../handling.ts';
import {
  answering,
  both,
  breaking,
  by,
  type Exhibit,
  exhibit,
  giving,
  heading,
  isOfRecords,
  LIST,
  page,
  refusal,
  spelling,
  unknown,
  type Which,
  withHeaders,
} from './exhibit.ts';

/** Milliseconds; several times the usual response time. */
const SLOW = 120;
/** Another list that every site has. */
export const PAGES = '/cms/v2/pages';
/** The records of smaller pages. */
const SMALLER = 3;
const LARGEST = '100';

const isList: Which = ({ route, method }) => route === LIST && method === 'GET';
const isOfPages = both(isOfRecords, ({ route }) => route.startsWith(PAGES));

/** Answers with changed text of the JSON. @param which of them; default: those of pages */
function spelt(id: string, spell: (text: string) => string | Uint8Array, which = isOfPages): Exhibit {
  return exhibit('answer-unreadable', 'the body', id, answering(which, spelling(spell)));
}

function formed(id: string, turn: (list: Json[]) => Json): Exhibit {
  const turned = answering(isList, (shown) =>
    Array.isArray(shown.body) ? { ...shown, body: turn(shown.body) } : shown,
  );
  return exhibit('answer-form', 'the answer', id, turned);
}

/** The first entries of a list, if it has several, and others in place of the last. */
function ending(list: Json[], ...end: readonly Json[]): Json[] {
  return list.length > 1 ? [...list.slice(0, -1), ...end] : list;
}

const NOTICE = '<br />\n<b>Warning</b>:  Undefined variable in x.php<br />\n';
const MAINTENANCE = '<!doctype html><title>Maintenance</title>';
const DEPRECATED = 'PHP Deprecated:  Creation of dynamic property in x.php';
const LOGIN: Answer = { ...answer(null), body: new Text('text/html; charset=UTF-8', MAINTENANCE) };

/** Whether an answer is an accepted one about a single post. */
const isOfPost: Which = ({ route }, { status }) => status === 200 && /^\/cms\/v2\/posts\/\d+$/.test(route);

const NO_TEXT = spelling(() => '');

function asList(shown: Answer): Answer {
  return shown.body instanceof Text ? shown : { ...shown, body: [shown.body] };
}

const BODIES: readonly Exhibit[] = [
  spelt('byte-order-mark', (json) => `\ufeff${json}`),
  spelt('notice-before', (json) => `${NOTICE}${json}`),
  spelt('guard-before-pages', (json) => `)]}',\n${json}`),
  spelt('zero-after-pages', (json) => `${json}0`),
  spelt('called-pages', (json) => `/**/read(${json})`),
  spelt('compressed-pages', (json) => gzipSync(json)),
  spelt('comment-after', (json) => `${json}\n<!-- cached -->`),
  spelt('page-instead', () => MAINTENANCE),
  // As a cache does that answers nobody else.
  spelt(
    'comment-after-all-pages',
    (json) => `${json}\n<!-- cached -->`,
    ({ anonymous, method, route }) => anonymous && method === 'GET' && route.startsWith(PAGES),
  ),
  // With headers of its own.
  exhibit('answer-unreadable', 'the body', 'login-instead', giving(LOGIN, isOfPages)),
  spelt('broken-off', (json) => json.slice(0, -40), isList),
  spelt('notice-after', (json) => `${json}\n${DEPRECATED}`, isList),
  formed('list-as-map', (list) => ({ ...list })),
  formed('list-wrapped', (list) => ({ data: list })),
  formed('list-in-text', (list) => JSON.stringify(list)),
  formed('list-of-ids', (list) => list.map((record) => Object(record).id)),
  formed('list-of-lists', (list) => list.map((record) => [record])),
  formed('list-with-null', (list) => ending(list, null)),
  formed('list-null', () => null),
  ...breaking('answer-form', {
    'list-empty-body': ['the answer', answering(isList, NO_TEXT)],
    'record-as-list': ['the answer', answering(both(isOfRecords, isOfPost), asList)],
  }),
];

const MOVED = answer(null, 301, { Location: 'https://elsewhere.example/' });

const unregistered: Alter = answering(
  ({ anonymous, route }) => anonymous && route === PAGES,
  (_, { method }) => (method === 'OPTIONS' ? answer([]) : refusal('rest_no_route', 404)),
);

const REFUSED: readonly Exhibit[] = [
  exhibit(
    'answer-status',
    'the status of success',
    'accepted-status',
    answering(
      ({ route }, { status }) => route.startsWith(PAGES) && status === 200,
      (shown) => ({ ...shown, status: 203 }),
    ),
  ),
  ...breaking('answer-refused', {
    'head-refused': ['the request', giving(refusal('rest_no_route', 404), by('HEAD'))],
    'options-refused': ['the request', giving(page(405), by('OPTIONS'))],
    'options-not-found': ['the request', giving(page(404), by('OPTIONS'))],
    'list-moved': ['the request', giving(MOVED, ({ route }) => route === LIST)],
    'list-fails': ['the request', giving(page(500), isList)],
    // The records below it are then others.
    'edit-of-pages-fails': [
      'the request',
      giving(refusal('fault', 500), ({ route, query }) => route === PAGES && query.get('context') === 'edit'),
    ],
    // As plugins do that remove routes for who is not logged in.
    'pages-unregistered': ['the request', unregistered],
    'large-pages-refused': [
      `with per_page=${LARGEST}`,
      giving(refusal('rest_invalid_param', 400), ({ query }) => query.get('per_page') === LARGEST),
    ],
    'record-refused': ['records of a list', giving(refusal('rest_post_invalid_id', 404), isOfPost)],
    'record-moved': ['the request', giving(MOVED, isOfPost)],
  }),
  unknown(
    exhibit(
      'answer-refused',
      'some requests',
      'further-pages-denied',
      giving(
        refusal('rest_forbidden', 403),
        ({ query, method }) => method === 'GET' && Number(query.get('page')) > 1,
      ),
    ),
  ),
];

function listing(which: Which, turn: (list: Json[]) => Json[]): Alter {
  return answering(which, (shown) => withList(shown, turn));
}

const isListOfPages: Which = ({ route }) => route === PAGES;
const isFirstPage = both(isList, ({ query }) => !query.has('page'));

function ordered(id: string, which: Which, turn: (list: Json[]) => Json[]): Exhibit {
  return unknown(exhibit('answer-order', 'the first page', id, listing(which, turn)));
}

const ORDERS: readonly Exhibit[] = [
  ordered('order-other', isListOfPages, (list) => list.toReversed()),
  ordered('sticky-first', isFirstPage, (list) => [...list.slice(-1), ...list.slice(0, -1)]),
  // With true totals.
  exhibit(
    'default',
    'per_page default',
    'pages-smaller',
    answering(
      ({ route, query }) => route === PAGES && !query.has('per_page'),
      (shown, asked) => {
        const pages = String(Math.ceil(Number(shown.headers['X-WP-Total']) / SMALLER));
        const fewer = withList(shown, (list) => list.slice(0, SMALLER));
        return withHeaders({ 'X-WP-TotalPages': pages })(fewer, asked);
      },
    ),
  ),
  exhibit(
    'answer-totals',
    'totals',
    'page-short',
    listing(isOfRecords, (list) => ending(list)),
  ),
  unknown(
    exhibit(
      'answer-slower',
      'the route',
      'slow-pages',
      sending(async (shown, { route }) => {
        if (route === PAGES) await sleep(SLOW);
        return shown;
      }),
    ),
  ),
];

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
  termed('answer-type', 'count', 'terms-count-text', (term) => ({ ...term, count: String(term.count) })),
  termed('answer-member-removed', 'slug', 'terms-without-slug', dropping('slug')),
  // Terms have no date of change.
  unknown(termed('answer-value', 'name', 'terms-without-names', setting({ name: '' }))),
  unknown(termed('answer-rendered', 'name', 'terms-renamed', (term) => ({ ...term, name: `${term.name}!` }))),
  unknown(
    exhibit(
      'answer-value',
      'count',
      'terms-uncounted',
      withTerms(setting({ count: 0 })),
      withTerms((term) => (Number(term.id) > 4 ? { ...term, count: 0 } : term)),
    ),
  ),
  unknown(
    exhibit(
      'answer-rendered',
      'name',
      'two-terms-in-another-encoding',
      withTerms(namingTwo('Caf\u00c3\u00a9')),
      withTerms(namingTwo('Caf\u00e9')),
    ),
  ),
];

function namingTwo(name: string): (term: JsonObject) => JsonObject {
  return (term) => (Number(term.id) > 4 ? { ...term, name } : term);
}

function termed(kind: string, subject: string, id: string, turn: (term: JsonObject) => JsonObject): Exhibit {
  return exhibit(kind, subject, id, withTerms(turn), withTerms());
}

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
  const all = [1, 2, 3, 4, 5, 6].map(
    (id): Json => turn({ id, name: `Term ${id}`, slug: `term-${id}`, count: id }),
  );
  const headers = {
    'X-WP-Total': String(all.length),
    'X-WP-TotalPages': String(Math.ceil(all.length / size)),
  };
  return answer(all.slice((number - 1) * size, number * size), 200, headers);
}

/** Longer pages are cut. */
const CAP = 10;
const OWN_FILTER = 'colour';

/** A list of a plugin with a filter that no record passes. @param isIgnored whether the filter is ignored */
function filtered(isIgnored: boolean): Alter {
  const none = answer([], 200, { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' });
  return together(
    // What is sent last stands first.
    giving(none, ({ route, query }) => !isIgnored && route === TERMS && query.has(OWN_FILTER)),
    withTerms(),
    declaring(({ routes }) => {
      const [endpoint] = Object(Object(routes)[TERMS]).endpoints;
      endpoint.args[OWN_FILTER] = { type: 'string', required: false };
    }),
  );
}

/** A site that sends validators and answers 304 to conditional requests. @param isCompared whether it compares them */
export function versioned(
  [name, value]: readonly [string, string],
  condition: string,
  isCompared = true,
): Alter {
  return ({ send }) => ({
    send: (message, response, shown) => {
      const headers = { ...shown.headers, [name]: value };
      const isKnown = isCompared && shown.status === 200 && message.headers[condition] === value;
      const nothing = { status: 304, body: new Text('', '') };
      return send(message, response, { ...shown, headers, ...(isKnown && nothing) });
    },
  });
}

function sentAgain(id: string, validator: readonly [string, string], condition: string): Exhibit {
  const after = heading(Object.fromEntries([validator]));
  return unknown(exhibit('answer-whole', condition, id, after, versioned(validator, condition)));
}

function listsRecords({ role, resource }: Operation): boolean {
  return role === 'list' && resource !== undefined;
}

/** Lists whose content differs from the request, in total or by page. */
const ASKED: readonly Exhibit[] = [
  ...breaking('answer-filter', {
    'search-ignored': ['search', ({ filters }) => ({ filters: { ...filters, search: () => true } })],
    'own-filter-ignored': [OWN_FILTER, filtered(true), filtered(false)],
  }),
  // Nothing declares that large pages are cut, or refused.
  exhibit(
    'answer-fewer',
    'per_page',
    'cap-lower',
    listing(
      both(isOfRecords, ({ query }) => Number(query.get('per_page')) > CAP),
      (list) => list.slice(0, CAP),
    ),
  ),
  ...breaking('answer-repeated', {
    'page-repeats': ['pages', repeating()],
    'page-ignored': ['pages', turningArgs(listsRecords, setting({ page: 1 }))],
    'record-twice': ['one page', listing(isOfRecords, (list) => ending(list, ...list.slice(0, 1)))],
  }),
  sentAgain('digest-ignored', ['ETag', '"a"'], 'if-none-match'),
  sentAgain('day-ignored', ['Last-Modified', 'Mon, 06 May 2024 07:08:09 GMT'], 'if-modified-since'),
];

/** Changed lists: text around or instead of JSON, form, order and time. */
export const LIST_EXHIBITS: readonly Exhibit[] = [
  ...BODIES,
  ...REFUSED,
  ...ORDERS,
  ...UNKNOWN_LIST,
  ...ASKED,
];
