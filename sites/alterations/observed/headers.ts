import type { Alter, Answer } from '../../reference/site.ts';
import type { Exhibit } from './exhibit.ts';
import { answering, breaking, heading, isOfRecords, rewriting, turningHeaders, unknown } from './exhibit.ts';

const ORIGIN = 'Access-Control-Allow-Origin';

/** A header with another value; an empty text removes it. */
function header(
  id: string,
  title: string,
  [name, before, after]: readonly [string, string, string],
): Exhibit {
  const kind = after === '' ? 'header-removed' : 'header-words';
  return breaking(
    id,
    title,
    kind,
    name.toLowerCase(),
    heading({ [name]: after }),
    heading({ [name]: before }),
  );
}

/** Accepted answers with records, with another value of a header of all answers. */
function replaced(id: string, title: string, name: string, value: string): Exhibit {
  const turn = answering(
    (asked, shown) => isOfRecords(shown, asked),
    (shown) => ({ ...shown, headers: { ...shown.headers, [name]: value } }),
  );
  return breaking(id, title, 'header-words', name.toLowerCase(), turn);
}

type Which = (shown: Answer) => boolean;

/** A header that refusals lose. @param had which answers had it, and @param has which still have it */
function ofRefusals(
  id: string,
  title: string,
  [name, value]: readonly [string, string],
  had: Which,
  has: Which,
): Exhibit {
  const on = (which: Which): Alter =>
    answering(
      (_, shown) => which(shown),
      (shown) => ({ ...shown, headers: { ...shown.headers, [name]: value } }),
    );
  return breaking(id, title, 'header-removed', `${name.toLowerCase()} of refusals`, on(has), on(had));
}

/** A header that the site no longer sends. */
function gone(id: string, title: string, name: string): Exhibit {
  return breaking(id, title, 'header-removed', name.toLowerCase(), heading({ [name]: '' }));
}

/** Pages of lists that no longer link to a page beside them. */
function relationLost(id: string, relation: string, title: string): Exhibit {
  const others = (links: string): string =>
    links
      .split(', ')
      .filter((one) => !one.includes(`"${relation}"`))
      .join(', ');
  return breaking(id, title, 'header-words', 'link', rewriting('Link', others));
}

const OF_LISTS: readonly Exhibit[] = [
  gone('total-missing', 'lists do not show how many records there are', 'X-WP-Total'),
  gone('pages-missing', 'lists do not show how many pages there are', 'X-WP-TotalPages'),
  breaking(
    'total-words',
    'totals are words',
    'header-words',
    'x-wp-total',
    rewriting('X-WP-Total', (total) => `${total} records`),
  ),
  breaking('link-missing', 'pages of a list are not linked', 'header-words', 'link', heading({ Link: '' })),
  breaking(
    'counts-missing',
    'lists show neither how many records nor how many pages there are',
    'header-removed',
    'x-wp-total',
    heading({ 'X-WP-Total': '', 'X-WP-TotalPages': '' }),
  ),
  breaking(
    'pages-relative',
    'pages are linked by relative addresses',
    'header-words',
    'link',
    rewriting('Link', (links) => links.replaceAll(/<https?:\/\/[^/>]+/g, '<')),
  ),
  relationLost('next-missing', 'next', 'the next page of a list is not linked'),
  relationLost('prev-missing', 'prev', 'the previous page of a list is not linked'),
  breaking(
    'pages-elsewhere',
    'the next page is linked on another host',
    'header-words',
    'link',
    rewriting('Link', (links) => links.replaceAll(/<https?:\/\/[^/>]+/g, '<http://10.0.0.8:8080')),
  ),
  total('total-untrue', 'totals count one more', ({ records, pages }) => [records * 2 + 1, pages]),
  total('pages-wrong', 'lists count one page too many', ({ records, pages }) => [records, pages + 1]),
  total('total-zero', 'lists with records count none', () => [0, 0]),
  total('pages-always-one', 'lists of several pages count one', ({ records, pages }) => [
    records,
    Math.min(pages, 1),
  ]),
];

/** Lists with another total. */
function total(
  id: string,
  title: string,
  turn: (counted: { readonly records: number; readonly pages: number }) => readonly [number, number],
): Exhibit {
  const counting: Alter = turningHeaders((own) => {
    if (own['X-WP-Total'] === undefined || own['X-WP-TotalPages'] === undefined) return { ...own };
    const [records, pages] = turn({
      records: Number(own['X-WP-Total']),
      pages: Number(own['X-WP-TotalPages']),
    });
    return { ...own, 'X-WP-Total': String(records), 'X-WP-TotalPages': String(pages) };
  });
  return breaking(id, title, 'answer-totals', 'totals', counting);
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
  header('allow-missing', 'answers do not list the methods', ['Allow', 'GET, POST', '']),
  header('method-less', 'a method is no longer allowed', ['Allow', 'GET, POST, PUT', 'GET, POST']),
  header('nonce-header-gone', 'answers do not renew the nonce', ['X-WP-Nonce', '0123456789', '']),
];

const CROSS_ORIGIN: readonly Exhibit[] = [
  replaced('expose-less', 'scripts may not read totals', 'Access-Control-Expose-Headers', 'Link'),
  header('origin-missing', 'scripts of other sites may not read answers', [ORIGIN, '*', '']),
  ofRefusals(
    'origin-of-refusals',
    'scripts of other sites may not read refusals',
    [ORIGIN, '*'],
    () => true,
    ({ status }) => status < 400,
  ),
  ofRefusals(
    'challenge-missing',
    'who is denied does not learn how to log in',
    ['WWW-Authenticate', 'Bearer'],
    ({ status }) => status === 401,
    () => false,
  ),
  header('origin-twice', 'the origins that may read are named twice', [ORIGIN, '*', '*, *']),
  header('origin-null', 'no origin may read', [ORIGIN, 'https://elsewhere.example', 'null']),
  header('origin-stale', 'answers name the origin that asked last', [
    ORIGIN,
    'https://elsewhere.example',
    'https://another.example',
  ]),
  header('credentials-gone', 'scripts of other sites may not send cookies', [
    'Access-Control-Allow-Credentials',
    'true',
    '',
  ]),
  header('nonce-not-allowed', 'scripts of other sites may not send the nonce', [
    'Access-Control-Allow-Headers',
    'Authorization, X-WP-Nonce, Content-Type',
    'Content-Type',
  ]),
  header('type-not-allowed', 'scripts of other sites may not send JSON', [
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type',
    'Authorization',
  ]),
  header('methods-not-allowed', 'scripts of other sites may only read', [
    'Access-Control-Allow-Methods',
    'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'OPTIONS, GET',
  ]),
  breaking(
    'preflight-lost',
    'a preflight does not learn which origins may read',
    'header-removed',
    ORIGIN.toLowerCase(),
    preflighted(''),
    preflighted('*'),
  ),
  breaking(
    'head-without-total',
    'HEAD does not say how many records there are',
    'header-removed',
    'x-wp-total',
    answering(
      ({ method }) => method === 'HEAD',
      (shown) => ({ ...shown, headers: { ...shown.headers, 'X-WP-Total': '' } }),
    ),
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
  header('vary-missing', 'answers do not name what they depend on', ['Vary', 'Origin', '']),
  header('cache-public', 'answers may be kept by everybody', [
    'Cache-Control',
    'no-store, private',
    'public, max-age=300',
  ]),
  header('etag-gone', 'answers cannot be asked for again only if changed', ['ETag', '"a"', '']),
  header('modified-gone', 'answers do not say when they changed', ['Last-Modified', DAY, '']),
  header('cookie-other', 'a cookie has another name', ['Set-Cookie', 'session=a', 'visitor=a']),
];

/** Changed headers. */
export const HEADER_EXHIBITS: readonly Exhibit[] = [
  ...OF_LISTS,
  ...OF_ANSWERS,
  ...CROSS_ORIGIN,
  ...OF_CACHES.map(unknown),
];
