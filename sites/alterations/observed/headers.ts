import type { Alter } from '../../reference/site.ts';
import type { Exhibit, Which } from './exhibit.ts';
import {
  answering,
  breaking,
  by,
  heading,
  isOfRecords,
  rewriting,
  turningHeaders,
  unknown,
  withHeaders,
} from './exhibit.ts';

const ORIGIN = 'Access-Control-Allow-Origin';
const ELSEWHERE = 'https://elsewhere.example';

/** Other values of a header, by id; an empty text removes it. */
function headers(
  name: string,
  values: Readonly<Record<string, readonly [title: string, before: string, after: string]>>,
): Exhibit[] {
  return Object.entries(values).map(([id, [title, before, after]]) => {
    const changed = breaking(after === '' ? 'header-removed' : 'header-words', name.toLowerCase());
    return changed(id, title, heading({ [name]: after }), heading({ [name]: before }));
  });
}

/** Accepted answers with records, with another value of a header of all answers. */
function replaced(id: string, title: string, name: string, value: string): Exhibit {
  const turn = answering(isOfRecords, withHeaders({ [name]: value }));
  return breaking('header-words', name.toLowerCase())(id, title, turn);
}

/** A header that refusals lose. @param had which answers had it, and @param has which still have it */
function ofRefusals(
  id: string,
  title: string,
  headers: Readonly<Record<string, string>>,
  had: Which,
  has: Which,
): Exhibit {
  const lost = breaking('header-removed', `${Object.keys(headers).join().toLowerCase()} of refusals`);
  return lost(id, title, answering(has, withHeaders(headers)), answering(had, withHeaders(headers)));
}

/** A header that the site no longer sends. */
function gone(id: string, title: string, name: string): Exhibit {
  return breaking('header-removed', name.toLowerCase())(id, title, heading({ [name]: '' }));
}

/** Links between the pages of lists, in other words. */
function linked(id: string, title: string, turn: (links: string) => string): Exhibit {
  return breaking('header-words', 'link')(id, title, rewriting('Link', turn));
}

function withoutRelation(relation: string): (links: string) => string {
  return (links) =>
    links
      .split(', ')
      .filter((one) => !one.includes(`"${relation}"`))
      .join(', ');
}

const OF_LISTS: readonly Exhibit[] = [
  gone('total-missing', 'lists do not show how many records there are', 'X-WP-Total'),
  gone('pages-missing', 'lists do not show how many pages there are', 'X-WP-TotalPages'),
  breaking('header-words', 'x-wp-total')(
    'total-words',
    'totals are words',
    rewriting('X-WP-Total', (total) => `${total} records`),
  ),
  linked('link-missing', 'pages of a list are not linked', () => ''),
  breaking('header-removed', 'x-wp-total')(
    'counts-missing',
    'lists show neither how many records nor how many pages there are',
    heading({ 'X-WP-Total': '', 'X-WP-TotalPages': '' }),
  ),
  linked('pages-relative', 'pages are linked by relative addresses', (links) =>
    links.replaceAll(/<https?:\/\/[^/>]+/g, '<'),
  ),
  linked('next-missing', 'the next page of a list is not linked', withoutRelation('next')),
  linked('prev-missing', 'the previous page of a list is not linked', withoutRelation('prev')),
  linked('next-same', 'the next page is linked as the first one', (links) =>
    links.replaceAll(/([?&]page=)\d+([^>]*>; rel="next")/g, '$11$2'),
  ),
  linked('link-without-size', 'pages are linked without their size', (links) =>
    links.replaceAll(/([?&])per_page=\d+&?/g, '$1'),
  ),
  linked('link-without-route', 'pages are linked without their route', (links) =>
    links.replaceAll(/([?&])rest_route=[^&>]*&?/g, '$1'),
  ),
  linked('pages-elsewhere', 'the next page is linked on another host', (links) =>
    links.replaceAll(/<https?:\/\/[^/>]+/g, '<http://10.0.0.8:8080'),
  ),
  total('total-untrue', 'totals count one more', (records, pages) => [records * 2 + 1, pages]),
  total('pages-wrong', 'lists count one page too many', (records, pages) => [records, pages + 1]),
  total('total-zero', 'lists with records count none', () => [0, 0]),
  total('pages-always-one', 'lists of several pages count one', (records, pages) => [
    records,
    Math.min(pages, 1),
  ]),
];

/** Lists with another total. */
function total(
  id: string,
  title: string,
  turn: (records: number, pages: number) => readonly [number, number],
): Exhibit {
  const counting: Alter = turningHeaders((own) => {
    if (own['X-WP-Total'] === undefined || own['X-WP-TotalPages'] === undefined) return { ...own };
    const [records, pages] = turn(Number(own['X-WP-Total']), Number(own['X-WP-TotalPages']));
    return { ...own, 'X-WP-Total': String(records), 'X-WP-TotalPages': String(pages) };
  });
  return breaking('answer-totals', 'totals')(id, title, counting);
}

const OF_ANSWERS: readonly Exhibit[] = [
  replaced('charset-missing', 'answers do not name their charset', 'Content-Type', 'application/json'),
  replaced(
    'charset-other',
    'answers name another charset',
    'Content-Type',
    'application/json; charset=ISO-8859-1',
  ),
  replaced('html-type', 'answers call themselves a page', 'Content-Type', 'text/html; charset=UTF-8'),
  gone('sniffing', 'browsers may guess types', 'X-Content-Type-Options'),
  ...headers('Allow', {
    'allow-missing': ['answers do not list the methods', 'GET, POST', ''],
    'method-less': ['a method is no longer allowed', 'GET, POST, PUT', 'GET, POST'],
  }),
  ...headers('X-WP-Nonce', { 'nonce-header-gone': ['answers do not renew the nonce', '0123456789', ''] }),
];

const CROSS_ORIGIN: readonly Exhibit[] = [
  replaced('expose-less', 'scripts may not read totals', 'Access-Control-Expose-Headers', 'Link'),
  ...headers(ORIGIN, {
    'origin-missing': ['scripts of other sites may not read answers', '*', ''],
    'origin-twice': ['the origins that may read are named twice', '*', '*, *'],
    'origin-null': ['no origin may read', ELSEWHERE, 'null'],
    'origin-stale': ['answers name the origin that asked last', ELSEWHERE, 'https://another.example'],
  }),
  ...headers('Access-Control-Allow-Credentials', {
    'credentials-gone': ['scripts of other sites may not send cookies', 'true', ''],
  }),
  ...headers('Access-Control-Allow-Headers', {
    'nonce-not-allowed': [
      'scripts of other sites may not send the nonce',
      'Authorization, X-WP-Nonce, Content-Type',
      'Content-Type',
    ],
    'type-not-allowed': [
      'scripts of other sites may not send JSON',
      'Authorization, Content-Type',
      'Authorization',
    ],
  }),
  ...headers('Access-Control-Allow-Methods', {
    'methods-not-allowed': [
      'scripts of other sites may only read',
      'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'OPTIONS, GET',
    ],
  }),
  ofRefusals(
    'origin-of-refusals',
    'scripts of other sites may not read refusals',
    { [ORIGIN]: '*' },
    () => true,
    (_, { status }) => status < 400,
  ),
  ofRefusals(
    'challenge-missing',
    'who is denied does not learn how to log in',
    { 'WWW-Authenticate': 'Bearer' },
    (_, { status }) => status === 401,
    () => false,
  ),
  breaking('header-removed', ORIGIN.toLowerCase())(
    'preflight-lost',
    'a preflight does not learn which origins may read',
    preflighted(''),
    preflighted('*'),
  ),
  breaking('header-removed', 'x-wp-total')(
    'head-without-total',
    'HEAD does not say how many records there are',
    answering(by('HEAD'), withHeaders({ 'X-WP-Total': '' })),
  ),
];

/** The allowed origins in answers to preflights only. */
function preflighted(value: string): Alter {
  return ({ send }) => ({
    send: (message, response, shown) => {
      const isPreflight = message.method === 'OPTIONS' && message.headers.origin !== undefined;
      const headers = { ...shown.headers, ...(isPreflight && { [ORIGIN]: value }) };
      return send(message, response, { ...shown, headers });
    },
  });
}

const DAY = 'Mon, 06 May 2024 07:08:09 GMT';

/** Headers for caches between callers and the site, so the effect of a change is unknown. */
const OF_CACHES: readonly Exhibit[] = [
  ...headers('Vary', { 'vary-missing': ['answers do not name what they depend on', 'Origin', ''] }),
  ...headers('Cache-Control', {
    'cache-public': ['answers may be kept by everybody', 'no-store, private', 'public, max-age=300'],
  }),
  ...headers('ETag', { 'etag-gone': ['answers cannot be asked for again only if changed', '"a"', ''] }),
  ...headers('Last-Modified', { 'modified-gone': ['answers do not say when they changed', DAY, ''] }),
  ...headers('Set-Cookie', { 'cookie-other': ['a cookie has another name', 'session=a', 'visitor=a'] }),
];

/** Changed headers. */
export const HEADER_EXHIBITS: readonly Exhibit[] = [
  ...OF_LISTS,
  ...OF_ANSWERS,
  ...CROSS_ORIGIN,
  ...OF_CACHES.map(unknown),
];
