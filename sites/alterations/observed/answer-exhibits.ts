import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Behaviour, respond, Text } from '../../reference/site.ts';
import { type AskedFor, askedFor, type Exhibit, isOfRecords, turning, turningHeaders } from './exhibit.ts';

const PAGES = '/cms/v2/pages';
/** Milliseconds; several times what any answer takes. */
const SLOW = 120;

/** Headers that are otherwise than before. */
const HEADERS: readonly Exhibit[] = [
  header('total-missing', 'lists do not tell how many records there are', 'header-removed', 'x-wp-total', {
    'X-WP-Total': undefined,
  }),
  header('pages-missing', 'lists do not tell how many pages there are', 'header-removed', 'x-wp-totalpages', {
    'X-WP-TotalPages': undefined,
  }),
  {
    ...header('total-untrue', 'totals count one more', 'answer-totals', 'totals', {}),
    behaviour: turningHeaders((headers) =>
      headers['X-WP-Total'] === undefined
        ? headers
        : { ...headers, 'X-WP-Total': String(Number(headers['X-WP-Total']) * 2 + 1) },
    ),
  },
  {
    ...header('total-words', 'totals are words', 'header-words', 'x-wp-total', {}),
    behaviour: turningHeaders((headers) =>
      headers['X-WP-Total'] === undefined
        ? headers
        : { ...headers, 'X-WP-Total': `${headers['X-WP-Total']} records` },
    ),
  },
  header('link-missing', 'pages of a list are not linked', 'header-words', 'link', { Link: undefined }),
  {
    ...header('next-missing', 'the next page of a list is not linked', 'header-words', 'link', {}),
    behaviour: turningHeaders(({ Link: link = '', ...headers }) => {
      const kept = link.split(', ').filter((one) => one !== '' && !one.includes('"next"'));
      return kept.length === 0 ? headers : { ...headers, Link: kept.join(', ') };
    }),
  },
  {
    ...header('prev-missing', 'the previous page of a list is not linked', 'header-words', 'link', {}),
    behaviour: turningHeaders(({ Link: link = '', ...headers }) => {
      const kept = link.split(', ').filter((one) => one !== '' && !one.includes('"prev"'));
      return kept.length === 0 ? headers : { ...headers, Link: kept.join(', ') };
    }),
  },
  replaced('charset-missing', 'answers do not name their charset', 'content-type', {
    'Content-Type': 'application/json',
  }),
  replaced('html-type', 'answers call themselves a page', 'content-type', {
    'Content-Type': 'text/html; charset=UTF-8',
  }),
  sniffing('sniffing', 'browsers may guess types'),
  replaced('expose-less', 'scripts may not read totals', 'access-control-expose-headers', {
    'Access-Control-Expose-Headers': 'Link',
  }),
  gone('allow-missing', 'answers do not tell which methods there are', 'breaking', 'allow', {
    Allow: 'GET, POST',
  }),
  gone(
    'origin-missing',
    'scripts of other sites may not read answers',
    'breaking',
    'access-control-allow-origin',
    {
      'Access-Control-Allow-Origin': '*',
    },
  ),
  gone('vary-missing', 'answers do not tell what they depend on', 'unknown', 'vary', { Vary: 'Origin' }),
  {
    ...gone('cache-public', 'answers may be kept by everybody', 'unknown', 'cache-control', {
      'Cache-Control': 'no-store, private',
    }),
    shows: { class: 'unknown', kind: 'header-words', subject: 'cache-control' },
    behaviour: turningHeaders((headers) => ({ ...headers, 'Cache-Control': 'public, max-age=300' })),
  },
  {
    ...gone('method-less', 'a method is no longer allowed', 'breaking', 'allow', { Allow: 'GET, POST, PUT' }),
    shows: { class: 'breaking', kind: 'header-words', subject: 'allow' },
    behaviour: turningHeaders((headers) => ({ ...headers, Allow: 'GET, POST' })),
  },
];

/** Refusals that are otherwise than before. */
const REFUSALS: readonly Exhibit[] = [
  refusing(
    'code-other',
    'refusals of arguments have another code',
    'refusal-changed',
    'the code of "invalid argument"',
    (shown) =>
      said(shown) === 'rest_invalid_param'
        ? { ...shown, body: { ...Object(shown.body), code: 'invalid' } }
        : shown,
  ),
  refusing(
    'unprocessable',
    'what is invalid is answered with 422',
    'refusal-changed',
    'the status of "invalid argument"',
    (shown) => (said(shown) === 'rest_invalid_param' ? { ...shown, status: 422 } : shown),
  ),
  refusing(
    'denied-as-absent',
    'what is denied is answered with 404',
    'refusal-changed',
    'the status of "denied"',
    (shown) => (shown.status === 401 ? { ...shown, status: 404 } : shown),
  ),
  refusing(
    'forbidden',
    'what is denied is answered with 403',
    'refusal-changed',
    'the status of "denied"',
    (shown) => (shown.status === 401 ? { ...shown, status: 403 } : shown),
  ),
  refusing(
    'page-for-refusal',
    'refusals are pages',
    'answer-unreadable',
    'the body of "invalid argument"',
    (shown) =>
      shown.status === 400
        ? { ...shown, body: new Text('text/html; charset=UTF-8', '<!doctype html><p>No.</p>') }
        : shown,
  ),
  refusing(
    'empty-refusal',
    'refusals have no body',
    'answer-unreadable',
    'the body of "invalid argument"',
    (shown) =>
      shown.status === 400 ? { ...shown, body: new Text('application/json; charset=UTF-8', '') } : shown,
  ),
  refusing(
    'refusal-without-data',
    'refusals have no data',
    'refusal-member-removed',
    'data of "rest_invalid_param"',
    (shown) =>
      said(shown) === 'rest_invalid_param'
        ? { ...shown, body: { code: 'rest_invalid_param', message: 'No.' } }
        : shown,
  ),
  refusing(
    'refusal-without-status',
    'data of refusals have no status',
    'refusal-member-removed',
    'data.status of "rest_invalid_param"',
    (shown) =>
      said(shown) === 'rest_invalid_param'
        ? { ...shown, body: { ...Object(shown.body), data: { params: {} } } }
        : shown,
  ),
];

/** What stands around JSON or in its place, and answers of another form. */
const BODIES: readonly Exhibit[] = [
  spelt('byte-order-mark', 'a byte-order mark stands before pages', (text) => `\ufeff${text}`),
  spelt(
    'notice-before',
    'a notice of PHP stands before pages',
    (text) => `<br />\n<b>Warning</b>:  Undefined variable in x.php<br />\n${text}`,
  ),
  spelt('comment-after', 'a comment stands after pages', (text) => `${text}\n<!-- cached -->`),
  spelt(
    'page-instead',
    'a page stands in the place of pages',
    () => '<!doctype html><title>Maintenance</title>',
  ),
  bodied('record-as-list', 'an autosave is a list of one', 'answer-form', 'the answer', (shown, { route }) =>
    shown.status === 200 && /autosaves\/\d+$/.test(route) && !(shown.body instanceof Text)
      ? { ...shown, body: [shown.body] }
      : shown,
  ),
  bodied(
    'accepted-status',
    'pages are answered with 203',
    'answer-status',
    'the status of success',
    (shown, { route }) =>
      route.startsWith(PAGES) && shown.status === 200 ? { ...shown, status: 203 } : shown,
  ),
  {
    ...bodied(
      'revisions-public',
      'revisions are answered to anybody',
      'right-exposed',
      'an anonymous caller',
      (shown, { route }) =>
        shown.status === 401 && route.includes('/revisions') ? { ...shown, status: 200, body: [] } : shown,
    ),
    shows: { class: 'exposed', kind: 'right-exposed', subject: 'an anonymous caller' },
  },
  {
    ...bodied('slow-pages', 'pages take long', 'answer-slower', 'the route', async (shown, { route }) => {
      if (route === PAGES) await sleep(SLOW);
      return shown;
    }),
    shows: { class: 'unknown', kind: 'answer-slower', subject: 'the route' },
  },
];

/** Answers that are otherwise than before in what is not their records. */
export const ANSWER_EXHIBITS: readonly Exhibit[] = [
  ...HEADERS,
  ...REFUSALS,
  ...BODIES,
  {
    id: 'public-denied',
    title: 'pages are denied to anonymous callers',
    shows: { class: 'breaking', kind: 'right-lost', subject: 'an anonymous caller' },
    behaviour: denyingPages(),
  },
];

type Headers = Readonly<Record<string, string | undefined>>;

/** Answers with other headers; undefined takes one away. */
function header(id: string, title: string, kind: string, subject: string, others: Headers): Exhibit {
  return {
    id,
    title,
    shows: { class: 'breaking', kind, subject },
    behaviour: turningHeaders((headers) =>
      Object.fromEntries(
        Object.entries({ ...headers, ...others }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    ),
  };
}

/** Accepted answers of records with a header of every answer that says otherwise. */
function replaced(
  id: string,
  title: string,
  subject: string,
  others: Readonly<Record<string, string>>,
): Exhibit {
  return {
    id,
    title,
    shows: { class: 'breaking', kind: 'header-words', subject },
    behaviour: turning((shown, asked) =>
      isOfRecords(shown, asked) ? { ...shown, headers: { ...shown.headers, ...others } } : shown,
    ),
  };
}

/** A header that the site sent before, and does not send. */
function gone(
  id: string,
  title: string,
  found: 'breaking' | 'unknown',
  subject: string,
  before: Readonly<Record<string, string>>,
): Exhibit {
  return {
    id,
    title,
    shows: { class: found, kind: 'header-removed', subject },
    before: turningHeaders((headers) => ({ ...headers, ...before })),
    behaviour: {},
  };
}

function sniffing(id: string, title: string): Exhibit {
  const behaviour: Partial<Behaviour> = {
    send: (message, response, shown) => {
      const type = shown.body instanceof Text ? shown.body.type : 'application/json; charset=UTF-8';
      response.writeHead(shown.status, {
        'Content-Type': type,
        'X-Robots-Tag': 'noindex',
        'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
        ...shown.headers,
      });
      const text = shown.body instanceof Text ? shown.body.content : JSON.stringify(shown.body);
      response.end(message.method === 'HEAD' ? undefined : text);
    },
  };
  return {
    id,
    title,
    shows: { class: 'breaking', kind: 'header-removed', subject: 'x-content-type-options' },
    behaviour,
  };
}

function refusing(
  id: string,
  title: string,
  kind: string,
  subject: string,
  turn: (shown: Answer) => Answer,
): Exhibit {
  return { id, title, shows: { class: 'breaking', kind, subject }, behaviour: turning(turn) };
}

/** The code of a refusal. */
function said({ body }: Answer): unknown {
  return body instanceof Text ? undefined : Object(body).code;
}

function bodied(
  id: string,
  title: string,
  kind: string,
  subject: string,
  turn: (shown: Answer, asked: AskedFor) => Answer | Promise<Answer>,
): Exhibit {
  return { id, title, shows: { class: 'breaking', kind, subject }, behaviour: turning(turn) };
}

/** Lists of pages in other text. */
function spelt(id: string, title: string, spell: (text: string) => string): Exhibit {
  return bodied(id, title, 'answer-unreadable', 'the body', (shown, asked) =>
    isOfRecords(shown, asked) && asked.route.startsWith(PAGES) && !(shown.body instanceof Text)
      ? { ...shown, body: new Text('application/json; charset=UTF-8', spell(JSON.stringify(shown.body))) }
      : shown,
  );
}

function denyingPages(): Partial<Behaviour> {
  return {
    send: (message, response, shown) => {
      const { route } = askedFor(message);
      const isDenied =
        message.headers.authorization === undefined && /^\/cms\/v2\/pages(?:\/\d+)?$/.test(route);
      const body = { code: 'rest_forbidden', message: 'No.', data: { status: 401 } };
      respond(message.method, response, isDenied ? { ...shown, status: 401, body } : shown);
    },
  };
}
