import { setTimeout as sleep } from 'node:timers/promises';
import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import { type AskedFor, sending, without } from '../handling.ts';
import { breaking, type Exhibit, exposed, isOfRecords, turningHeaders, unknown } from './exhibit.ts';

const PAGES = '/cms/v2/pages';
/** Milliseconds; several times what any answer takes. */
const SLOW = 120;

type Headers = Readonly<Record<string, string>>;

/** Adds headers to all answers, or replaces them; an empty text takes one away. */
function adding(headers: Headers): Alter {
  return turningHeaders((own) => ({ ...own, ...headers }));
}

/** Changes a header of all answers that have it. */
function rewriting(name: string, turn: (value: string) => string): Alter {
  return turningHeaders((own) => ({ ...own, [name]: own[name] === undefined ? '' : turn(own[name]) }));
}

/** Accepted answers of records with a header of every answer that says otherwise. */
function replaced(id: string, title: string, name: string, value: string): Exhibit {
  const turn = (shown: Answer, asked: AskedFor): Answer =>
    isOfRecords(shown, asked) ? { ...shown, headers: { ...shown.headers, [name]: value } } : shown;
  return breaking(id, title, 'header-words', name.toLowerCase(), sending(turn));
}

/** A header that the site sent before, and does not send. */
function gone(id: string, title: string, name: string, value: string): Exhibit {
  return breaking(id, title, 'header-removed', name.toLowerCase(), () => ({}), adding({ [name]: value }));
}

/** Pages of lists that no longer link to a page beside them. */
function relationLost(relation: string, title: string): Exhibit {
  const others = (links: string): string =>
    links
      .split(', ')
      .filter((one) => !one.includes(`"${relation}"`))
      .join(', ');
  return breaking(`${relation}-missing`, title, 'header-words', 'link', rewriting('Link', others));
}

/** Headers that are otherwise than before. */
const HEADERS: readonly Exhibit[] = [
  breaking(
    'total-missing',
    'lists do not show how many records there are',
    'header-removed',
    'x-wp-total',
    adding({ 'X-WP-Total': '' }),
  ),
  breaking(
    'pages-missing',
    'lists do not show how many pages there are',
    'header-removed',
    'x-wp-totalpages',
    adding({ 'X-WP-TotalPages': '' }),
  ),
  breaking(
    'total-untrue',
    'totals count one more',
    'answer-totals',
    'totals',
    rewriting('X-WP-Total', (total) => String(Number(total) * 2 + 1)),
  ),
  breaking(
    'total-words',
    'totals are words',
    'header-words',
    'x-wp-total',
    rewriting('X-WP-Total', (total) => `${total} records`),
  ),
  breaking('link-missing', 'pages of a list are not linked', 'header-words', 'link', adding({ Link: '' })),
  relationLost('next', 'the next page of a list is not linked'),
  relationLost('prev', 'the previous page of a list is not linked'),
  replaced('charset-missing', 'answers do not name their charset', 'Content-Type', 'application/json'),
  replaced('html-type', 'answers call themselves a page', 'Content-Type', 'text/html; charset=UTF-8'),
  breaking(
    'sniffing',
    'browsers may guess types',
    'header-removed',
    'x-content-type-options',
    adding({ 'X-Content-Type-Options': '' }),
  ),
  replaced('expose-less', 'scripts may not read totals', 'Access-Control-Expose-Headers', 'Link'),
  gone('allow-missing', 'answers do not list the methods', 'Allow', 'GET, POST'),
  gone('origin-missing', 'scripts of other sites may not read answers', 'Access-Control-Allow-Origin', '*'),
  unknown(gone('vary-missing', 'answers do not name what they depend on', 'Vary', 'Origin')),
  unknown(
    breaking(
      'cache-public',
      'answers may be kept by everybody',
      'header-words',
      'cache-control',
      adding({ 'Cache-Control': 'public, max-age=300' }),
      adding({ 'Cache-Control': 'no-store, private' }),
    ),
  ),
  breaking(
    'method-less',
    'a method is no longer allowed',
    'header-words',
    'allow',
    adding({ Allow: 'GET, POST' }),
    adding({ Allow: 'GET, POST, PUT' }),
  ),
];

/** Refusals that are otherwise than before. @param is whether a refusal is; @param turn what is other about it */
function refusing(
  id: string,
  title: string,
  kind: string,
  subject: string,
  is: (shown: Answer) => boolean,
  turn: Partial<Answer> | ((shown: Answer) => Partial<Answer>),
): Exhibit {
  const other = (shown: Answer): Answer => ({
    ...shown,
    ...(typeof turn === 'function' ? turn(shown) : turn),
  });
  return breaking(
    id,
    title,
    kind,
    subject,
    sending((shown) => (is(shown) ? other(shown) : shown)),
  );
}

const isInvalid = ({ body }: Answer): boolean =>
  !(body instanceof Text) && Object(body).code === 'rest_invalid_param';
const isBad = ({ status }: Answer): boolean => status === 400;
const isDenied = ({ status }: Answer): boolean => status === 401;

const REFUSALS: readonly Exhibit[] = [
  refusing(
    'code-other',
    'refusals of arguments have another code',
    'refusal-changed',
    'the code of "invalid argument"',
    isInvalid,
    ({ body }) => ({ body: { ...Object(body), code: 'invalid' } }),
  ),
  refusing(
    'unprocessable',
    'what is invalid is answered with 422',
    'refusal-changed',
    'the status of "invalid argument"',
    isInvalid,
    { status: 422 },
  ),
  refusing(
    'denied-as-absent',
    'what is denied is answered with 404',
    'refusal-changed',
    'the status of "denied"',
    isDenied,
    { status: 404 },
  ),
  refusing(
    'forbidden',
    'what is denied is answered with 403',
    'refusal-changed',
    'the status of "denied"',
    isDenied,
    { status: 403 },
  ),
  refusing(
    'page-for-refusal',
    'refusals are pages',
    'answer-unreadable',
    'the body of "invalid argument"',
    isBad,
    { body: new Text('text/html; charset=UTF-8', '<!doctype html><p>No.</p>') },
  ),
  refusing(
    'empty-refusal',
    'refusals have no body',
    'answer-unreadable',
    'the body of "invalid argument"',
    isBad,
    { body: new Text('application/json; charset=UTF-8', '') },
  ),
  refusing(
    'refusal-without-data',
    'refusals have no data',
    'refusal-member-removed',
    'data of "rest_invalid_param"',
    isInvalid,
    { body: { code: 'rest_invalid_param', message: 'No.' } },
  ),
  refusing(
    'refusal-without-status',
    'data of refusals have no status',
    'refusal-member-removed',
    'data.status of "rest_invalid_param"',
    isInvalid,
    ({ body }) => ({ body: { ...Object(body), data: without(Object(Object(body).data), 'status') } }),
  ),
];

/** Lists of pages in other text. */
function spelt(id: string, title: string, spell: (text: string) => string): Exhibit {
  const turn = (shown: Answer, asked: AskedFor): Answer =>
    isOfRecords(shown, asked) && asked.route.startsWith(PAGES)
      ? { ...shown, body: new Text('application/json; charset=UTF-8', spell(JSON.stringify(shown.body))) }
      : shown;
  return breaking(id, title, 'answer-unreadable', 'the body', sending(turn));
}

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
  breaking(
    'record-as-list',
    'an autosave is a list of one',
    'answer-form',
    'the answer',
    sending((shown, { route }) =>
      shown.status === 200 && /autosaves\/\d+$/.test(route) && !(shown.body instanceof Text)
        ? { ...shown, body: [shown.body] }
        : shown,
    ),
  ),
  breaking(
    'accepted-status',
    'pages are answered with 203',
    'answer-status',
    'the status of success',
    sending((shown, { route }) =>
      route.startsWith(PAGES) && shown.status === 200 ? { ...shown, status: 203 } : shown,
    ),
  ),
  exposed(
    breaking(
      'revisions-public',
      'revisions are answered to anybody',
      'right-exposed',
      'an anonymous caller',
      sending((shown, { route }) =>
        isDenied(shown) && route.includes('/revisions') ? { ...shown, status: 200, body: [] } : shown,
      ),
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

/** Answers that are otherwise than before in what is not their records. */
export const ANSWER_EXHIBITS: readonly Exhibit[] = [
  ...HEADERS,
  ...REFUSALS,
  ...BODIES,
  breaking(
    'public-denied',
    'pages are denied to anonymous callers',
    'right-lost',
    'an anonymous caller',
    sending((shown, { anonymous, route }) =>
      anonymous && /^\/cms\/v2\/pages(?:\/\d+)?$/.test(route)
        ? answer({ code: 'rest_forbidden', message: 'No.', data: { status: 401 } }, 401, shown.headers)
        : shown,
    ),
  ),
];
