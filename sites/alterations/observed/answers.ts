import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import { withObject } from '../handling.ts';
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
  rewriting,
  turningHeaders,
  unknown,
  usual,
  type Which,
  withHeaders,
} from './exhibit.ts';
import { withAt } from './records.ts';

function hasStatus(status: number): Which {
  return (_, shown) => shown.status === status;
}

function hasCode(code: string): Which {
  return (_, { body }) => !(body instanceof Text) && Object(body).code === code;
}

function not(which: Which): Which {
  return (...answered) => !which(...answered);
}

const isRefusal: Which = (_, { status }) => status >= 400;
const [isBad, isUnknown, isDenied] = [hasStatus(400), hasStatus(404), hasStatus(401)];
const [isInvalid, isOfNoRoute] = [hasCode('rest_invalid_param'), hasCode('rest_no_route')];

function withStatus(number: number) {
  return (shown: Answer): Answer => ({ ...shown, status: number });
}

/** A body with another value. @param path as for `withAt` */
function bodyWith(path: string, turn: Parameters<typeof withAt>[2]) {
  return (shown: Answer): Answer => withObject(shown, (own) => withAt(own, path, turn));
}

function withCode(code: string) {
  return bodyWith('code', () => code);
}

const WITHOUT_DATA = bodyWith('data', () => null);

function unreadable(which: Which, own: Answer) {
  return answering(which, ({ headers }) => ({ ...own, headers }));
}

function lacking(path: string): Alter {
  const none = bodyWith(path, () => undefined);
  return answering(isInvalid, none);
}

const EMPTY: Answer = { ...answer(null, 400), body: new Text('application/json; charset=UTF-8', '') };
const NO_ROUTE = answer({ code: 'rest_no_route', message: 'No route was found', data: { status: 404 } }, 404);
const STATUS = 'the status of "invalid argument"';
const DENIED = 'the status of "denied"';
const INVALID = 'of "rest_invalid_param"';

const REFUSALS: readonly Exhibit[] = [
  ...breaking('refusal-changed', {
    'code-other': ['the code of "invalid argument"', answering(isInvalid, withCode('invalid'))],
    'unknown-code': [
      'the code of "unknown record"',
      answering(both(isUnknown, not(isOfNoRoute)), withCode('not_found')),
    ],
    'unknown-route-code': ['the code of "unknown route"', answering(isOfNoRoute, withCode('route_missing'))],
    'unknown-route-served': [
      'the status of "unknown route"',
      answering(isOfNoRoute, () => answer({ name: 'A site' })),
    ],
    unprocessable: [STATUS, answering(isInvalid, withStatus(422))],
    'denied-as-absent': [DENIED, answering(isDenied, withStatus(404))],
    forbidden: [DENIED, answering(isDenied, withStatus(403))],
    'denied-as-success': [DENIED, answering(isDenied, withStatus(200))],
    'bad-as-fault': [STATUS, answering(isBad, withStatus(500))],
    'fault-page': ['the answer to "invalid argument"', answering(isBad, () => page(500))],
    'unknown-elsewhere': [
      'the code of "unknown record"',
      giving(
        answer(null, 302, { Location: 'https://elsewhere.example/' }),
        both(isUnknown, not(isOfNoRoute)),
      ),
    ],
    // All of them.
    'refusals-inside-error': [
      'the code of "unknown route"',
      answering(isRefusal, (shown) => withObject(shown, (own) => ({ error: own }))),
    ],
    'problem-type': [
      'the content type of refusals',
      answering(isBad, withHeaders({ 'Content-Type': 'application/problem+json' })),
    ],
    'status-text': [`data.status ${INVALID}`, answering(isBad, bodyWith('data.status', String))],
    'data-null': [`data ${INVALID}`, answering(isBad, WITHOUT_DATA)],
  }),
  // As plugins do that hide from anonymous callers what a site has. Few lists of the reference are denied.
  unknown(exhibit('refusal-changed', 'the answer to "denied"', 'denied-hidden', giving(NO_ROUTE, isDenied))),
  ...breaking('answer-unreadable', {
    'page-for-refusal': ['the body of "invalid argument"', unreadable(isBad, page(400))],
    'login-page': ['the body of "denied"', unreadable(isDenied, page(403))],
    'empty-refusal': ['the body of "invalid argument"', unreadable(isBad, EMPTY)],
  }),
  ...breaking('refusal-member-removed', {
    'refusal-without-data': [`data ${INVALID}`, lacking('data')],
    'refusal-without-status': [`data.status ${INVALID}`, lacking('data.status')],
    'params-missing': [`data.params ${INVALID}`, lacking('data.params')],
  }),
  ...breaking('answer-form', {
    'refusal-as-success': ['the answer', answering(isUnknown, withStatus(200))],
    'unknown-as-null': [
      'the answer',
      answering(
        both(isUnknown, ({ route }) => route.startsWith(LIST)),
        (shown) => ({ ...shown, status: 200, body: null }),
      ),
    ],
  }),
];

const ORIGIN = 'Access-Control-Allow-Origin';
const ELSEWHERE = 'https://elsewhere.example';

/** Other values of a header, by id; an empty text removes it. */
function headers(
  name: string,
  values: Readonly<Record<string, readonly [before: string, after: string]>>,
): Exhibit[] {
  return Object.entries(values).map(([id, [before, after]]) => {
    const kind = after === '' ? 'header-removed' : 'header-words';
    return exhibit(kind, name.toLowerCase(), id, heading({ [name]: after }), heading({ [name]: before }));
  });
}

function replaced(id: string, name: string, value: string): Exhibit {
  const turn = answering(isOfRecords, withHeaders({ [name]: value }));
  return exhibit('header-words', name.toLowerCase(), id, turn);
}

/** Headers that the site no longer sends, of which the first is reported. @param which of the answers; default: all */
function gone(id: string, names: readonly [string, ...string[]], which: Which = () => true): Exhibit {
  const none = withHeaders(Object.fromEntries(names.map((name) => [name, ''])));
  return exhibit('header-removed', names[0].toLowerCase(), id, answering(which, none));
}

function rewritten(id: string, name: string, turn: (value: string) => string): Exhibit {
  return exhibit('header-words', name.toLowerCase(), id, rewriting(name, turn));
}

function linked(id: string, turn: (links: string) => string): Exhibit {
  return rewritten(id, 'Link', turn);
}

function withoutRelation(relation: string): (links: string) => string {
  return (links) =>
    links
      .split(', ')
      .filter((one) => !one.includes(`"${relation}"`))
      .join(', ');
}

const TOTAL = 'X-WP-Total';
const PAGES = 'X-WP-TotalPages';

const OF_LISTS: readonly Exhibit[] = [
  gone('total-missing', [TOTAL]),
  gone('pages-missing', [PAGES]),
  rewritten('total-words', TOTAL, (total) => `${total} records`),
  linked('link-missing', () => ''),
  gone('counts-missing', [TOTAL, PAGES]),
  linked('pages-relative', (links) => links.replaceAll(/<https?:\/\/[^/>]+/g, '<')),
  linked('next-missing', withoutRelation('next')),
  linked('prev-missing', withoutRelation('prev')),
  linked('next-same', (links) => links.replaceAll(/([?&]page=)\d+([^>]*>; rel="next")/g, '$11$2')),
  linked('link-without-size', (links) => links.replaceAll(/([?&])per_page=\d+&?/g, '$1')),
  linked('link-without-route', (links) => links.replaceAll(/([?&])rest_route=[^&>]*&?/g, '$1')),
  linked('pages-elsewhere', (links) => links.replaceAll(/<https?:\/\/[^/>]+/g, '<http://10.0.0.8:8080')),
  total('total-untrue', (records, pages) => [records * 2 + 1, pages]),
  total('pages-wrong', (records, pages) => [records, pages + 1]),
  total('total-zero', () => [0, 0]),
  total('pages-always-one', (records, pages) => [records, Math.min(pages, 1)]),
];

function total(id: string, turn: (records: number, pages: number) => readonly [number, number]): Exhibit {
  const counting: Alter = turningHeaders((own) => {
    if (own[TOTAL] === undefined || own[PAGES] === undefined) return { ...own };
    const [records, pages] = turn(Number(own[TOTAL]), Number(own[PAGES]));
    return { ...own, [TOTAL]: String(records), [PAGES]: String(pages) };
  });
  return exhibit('answer-totals', 'totals', id, counting);
}

const OF_ANSWERS: readonly Exhibit[] = [
  replaced('charset-missing', 'Content-Type', 'application/json'),
  replaced('charset-other', 'Content-Type', 'application/json; charset=ISO-8859-1'),
  replaced('html-type', 'Content-Type', 'text/html; charset=UTF-8'),
  unknown(gone('sniffing', ['X-Content-Type-Options'])),
  ...headers('Allow', {
    'allow-missing': ['GET, POST', ''],
    'method-less': ['GET, POST, PUT', 'GET, POST'],
  }),
  ...headers('X-WP-Nonce', { 'nonce-header-gone': ['0123456789', ''] }),
];

const CROSS_ORIGIN: readonly Exhibit[] = [
  replaced('expose-less', 'Access-Control-Expose-Headers', 'Link'),
  ...headers(ORIGIN, {
    'origin-missing': ['*', ''],
    'origin-twice': ['*', '*, *'],
    'origin-null': [ELSEWHERE, 'null'],
    // The one that asked last.
    'origin-stale': [ELSEWHERE, 'https://another.example'],
  }),
  ...headers('Access-Control-Allow-Credentials', { 'credentials-gone': ['true', ''] }),
  ...headers('Access-Control-Allow-Headers', {
    'nonce-not-allowed': ['Authorization, X-WP-Nonce, Content-Type', 'Content-Type'],
    'type-not-allowed': ['Authorization, Content-Type', 'Authorization'],
  }),
  ...headers('Access-Control-Allow-Methods', {
    'methods-not-allowed': ['OPTIONS, GET, POST, PUT, PATCH, DELETE', 'OPTIONS, GET'],
  }),
  ...breaking('header-removed', {
    'origin-of-refusals': [
      'access-control-allow-origin of refusals',
      answering(not(isRefusal), withHeaders({ [ORIGIN]: '*' })),
      heading({ [ORIGIN]: '*' }),
    ],
    'challenge-missing': [
      'www-authenticate of refusals',
      usual,
      answering(isDenied, withHeaders({ 'WWW-Authenticate': 'Bearer' })),
    ],
    'preflight-lost': [ORIGIN.toLowerCase(), preflighted(''), preflighted('*')],
  }),
  gone('head-without-total', [TOTAL], by('HEAD')),
  // As a cache stores them.
  gone('total-of-later-pages', [TOTAL, PAGES], ({ query }) => Number(query.get('page')) > 1),
];

function preflighted(value: string): Alter {
  return answering(({ preflight }) => preflight, withHeaders({ [ORIGIN]: value }));
}

const DAY = 'Mon, 06 May 2024 07:08:09 GMT';

/** Headers for caches between callers and the site, so the effect of a change is unknown. */
const OF_CACHES: readonly Exhibit[] = [
  ...headers('Vary', { 'vary-missing': ['Origin', ''] }),
  ...headers('Cache-Control', { 'cache-public': ['no-store, private', 'public, max-age=300'] }),
  ...headers('ETag', { 'etag-gone': ['"a"', ''] }),
  ...headers('Last-Modified', { 'modified-gone': [DAY, ''] }),
  ...headers('Set-Cookie', { 'cookie-other': ['session=a', 'visitor=a'] }),
];

/** Changed headers and refusals. */
export const ANSWER_EXHIBITS: readonly Exhibit[] = [
  ...OF_LISTS,
  ...OF_ANSWERS,
  ...CROSS_ORIGIN,
  ...OF_CACHES.map(unknown),
  ...REFUSALS,
];
