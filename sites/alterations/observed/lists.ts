import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Json, JsonObject } from '../../reference/json.ts';
import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { type AskedFor, declaring, sending, withList } from '../handling.ts';
import {
  answering,
  breaking,
  type Exhibit,
  isOfRecords,
  LIST,
  spelling,
  type TurnAnswer,
  unknown,
} from './exhibit.ts';
import { page } from './refusals.ts';

/** Milliseconds; several times the usual response time. */
const SLOW = 120;
const PAGES = '/cms/v2/pages';

const isList = ({ route, method }: AskedFor): boolean => route === LIST && method === 'GET';

/** One list with another answer. */
function listed(id: string, title: string, kind: string, subject: string, turn: TurnAnswer): Exhibit {
  return breaking(id, title, kind, subject, answering(isList, turn));
}

/** Lists of pages with changed text of the JSON. */
function spelt(id: string, title: string, spell: (text: string) => string | Uint8Array): Exhibit {
  const isOfPages = (asked: AskedFor, shown: Answer): boolean =>
    isOfRecords(shown, asked) && asked.route.startsWith(PAGES);
  return breaking(id, title, 'answer-unreadable', 'the body', answering(isOfPages, spelling(spell)));
}

const BODIES: readonly Exhibit[] = [
  spelt('byte-order-mark', 'a byte-order mark stands before pages', (json) => `\ufeff${json}`),
  spelt(
    'notice-before',
    'a notice of PHP stands before pages',
    (json) => `<br />\n<b>Warning</b>:  Undefined variable in x.php<br />\n${json}`,
  ),
  spelt('guard-before-pages', 'a guard stands before pages', (json) => `)]}',\n${json}`),
  spelt('zero-after-pages', 'a zero stands after pages', (json) => `${json}0`),
  spelt('called-pages', 'pages are a call of a function', (json) => `/**/read(${json})`),
  spelt('compressed-pages', 'pages are compressed and do not say so', (json) => gzipSync(json)),
  spelt('comment-after', 'a comment stands after pages', (json) => `${json}\n<!-- cached -->`),
  spelt(
    'page-instead',
    'a page stands in the place of pages',
    () => '<!doctype html><title>Maintenance</title>',
  ),
  listed(
    'broken-off',
    'a list breaks off',
    'answer-unreadable',
    'the body',
    spelling((json) => json.slice(0, -40)),
  ),
  listed(
    'notice-after',
    'a notice of PHP stands after a list',
    'answer-unreadable',
    'the body',
    spelling((json) => `${json}\nPHP Deprecated:  Creation of dynamic property in x.php`),
  ),
  listed('list-as-map', 'a list is an object by number', 'answer-form', 'the answer', (shown) =>
    Array.isArray(shown.body) ? { ...shown, body: { ...shown.body } } : shown,
  ),
  listed('list-wrapped', 'a list is wrapped in an object', 'answer-form', 'the answer', (shown) =>
    Array.isArray(shown.body) ? { ...shown, body: { data: shown.body } } : shown,
  ),
  listed(
    'list-in-text',
    'a list is a text that holds JSON',
    'answer-form',
    'the answer',
    spelling((json) => JSON.stringify(json)),
  ),
  listed('list-of-ids', 'a list holds ids alone', 'answer-form', 'the answer', (shown) =>
    withList(shown, (list) => list.map((record) => Object(record).id)),
  ),
  listed('list-of-lists', 'a list holds each record in a list', 'answer-form', 'the answer', (shown) =>
    withList(shown, (list) => list.map((record) => [record])),
  ),
  listed('list-with-null', 'a list ends with null', 'answer-form', 'the answer', (shown) =>
    withList(shown, (list) => (list.length > 1 ? [...list.slice(0, -1), null] : list)),
  ),
  listed('list-null', 'a list is null', 'answer-form', 'the answer', (shown) => ({ ...shown, body: null })),
  listed(
    'list-empty-body',
    'a list has no body',
    'answer-form',
    'the answer',
    spelling(() => ''),
  ),
  breaking(
    'record-as-list',
    'a record of a list is a list of one',
    'answer-form',
    'the answer',
    answering(
      (asked, shown) => isOfRecords(shown, asked) && /^\/cms\/v2\/posts\/\d+$/.test(asked.route),
      (shown) => (shown.body instanceof Text ? shown : { ...shown, body: [shown.body] }),
    ),
  ),
];

const isRead = ({ route }: AskedFor, { status }: Answer): boolean =>
  route.startsWith(PAGES) && status === 200;

const REFUSED: readonly Exhibit[] = [
  breaking(
    'accepted-status',
    'pages are answered with 203',
    'answer-status',
    'the status of success',
    answering(isRead, (shown) => ({ ...shown, status: 203 })),
  ),
  breaking(
    'head-refused',
    'HEAD is refused',
    'answer-refused',
    'the request',
    answering(
      ({ method }) => method === 'HEAD',
      () => answer({ code: 'rest_no_route', message: 'No.', data: { status: 404 } }, 404),
    ),
  ),
  breaking(
    'options-refused',
    'OPTIONS is refused',
    'answer-refused',
    'the request',
    answering(
      ({ method }) => method === 'OPTIONS',
      () => page(405),
    ),
  ),
  breaking(
    'list-moved',
    'a list is redirected to another host',
    'answer-refused',
    'the request',
    answering(
      ({ route }) => route === LIST,
      () => answer(null, 301, { Location: 'https://elsewhere.example/' }),
    ),
  ),
  breaking(
    'list-fails',
    'a list ends in a fault',
    'answer-refused',
    'the request',
    answering(isList, () => page(500)),
  ),
];

const ORDERS: readonly Exhibit[] = [
  unknown(
    breaking(
      'order-other',
      'pages come in another order',
      'answer-order',
      'the first page',
      answering(
        ({ route }) => route === PAGES,
        (shown) => withList(shown, (list) => list.toReversed()),
      ),
    ),
  ),
  unknown(
    breaking(
      'sticky-first',
      'the last record comes first',
      'answer-order',
      'the first page',
      answering(
        (asked) => isList(asked) && !asked.query.has('page'),
        (shown) => withList(shown, (list) => [...list.slice(-1), ...list.slice(0, -1)]),
      ),
    ),
  ),
  breaking(
    'page-repeats',
    'each page begins with a record of the page before',
    'answer-repeated',
    'pages',
    repeating(),
  ),
  breaking(
    'page-short',
    'pages hold fewer records than are asked for',
    'answer-totals',
    'totals',
    answering(
      (asked, shown) => isOfRecords(shown, asked),
      (shown) => withList(shown, (list) => (list.length > 1 ? list.slice(0, -1) : list)),
    ),
  ),
  unknown(
    breaking(
      'slow-pages',
      'pages take long',
      'answer-slower',
      'the route',
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
  return answering(
    (asked, shown) => isOfRecords(shown, asked),
    (shown, { route, query }) =>
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
  breaking(
    'terms-count-text',
    'the number of records of a term is a text, in a list that no contract knows',
    'answer-type',
    'count',
    withTerms((term) => ({ ...term, count: String(term.count) })),
    withTerms(),
  ),
  breaking(
    'terms-without-slug',
    'terms have no slug, in a list that no contract knows',
    'answer-member-removed',
    'slug',
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
