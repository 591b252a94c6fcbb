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
  values: Readonly<Record<string, readonly [before: string, after: string]>>,
): Exhibit[] {
  return Object.entries(values).map(([id, [before, after]]) => {
    const changed = breaking(after === '' ? 'header-removed' : 'header-words', name.toLowerCase());
    return changed(id, heading({ [name]: after }), heading({ [name]: before }));
  });
}

function replaced(id: string, name: string, value: string): Exhibit {
  const turn = answering(isOfRecords, withHeaders({ [name]: value }));
  return breaking('header-words', name.toLowerCase())(id, turn);
}

/** A header that refusals lose. @param had which answers had it, and @param has which still have it */
function ofRefusals(id: string, headers: Readonly<Record<string, string>>, had: Which, has: Which): Exhibit {
  const lost = breaking('header-removed', `${Object.keys(headers).join().toLowerCase()} of refusals`);
  return lost(id, answering(has, withHeaders(headers)), answering(had, withHeaders(headers)));
}

/** Headers that the site no longer sends, of which the first is reported. @param which of the answers; default: all */
function gone(id: string, names: readonly [string, ...string[]], which: Which = () => true): Exhibit {
  const none = withHeaders(Object.fromEntries(names.map((name) => [name, ''])));
  return breaking('header-removed', names[0].toLowerCase())(id, answering(which, none));
}

function linked(id: string, turn: (links: string) => string): Exhibit {
  return breaking('header-words', 'link')(id, rewriting('Link', turn));
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
  breaking('header-words', 'x-wp-total')(
    'total-words',
    rewriting(TOTAL, (total) => `${total} records`),
  ),
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
  return breaking('answer-totals', 'totals')(id, counting);
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
  ofRefusals(
    'origin-of-refusals',
    { [ORIGIN]: '*' },
    () => true,
    (_, { status }) => status < 400,
  ),
  ofRefusals(
    'challenge-missing',
    { 'WWW-Authenticate': 'Bearer' },
    (_, { status }) => status === 401,
    () => false,
  ),
  breaking('header-removed', ORIGIN.toLowerCase())('preflight-lost', preflighted(''), preflighted('*')),
  gone('head-without-total', [TOTAL], by('HEAD')),
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

/** Changed headers. */
export const HEADER_EXHIBITS: readonly Exhibit[] = [
  ...OF_LISTS,
  ...OF_ANSWERS,
  ...CROSS_ORIGIN,
  ...OF_CACHES.map(unknown),
];
