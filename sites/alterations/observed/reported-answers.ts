import { type Alter, type Answer, answer, Text } from '../../reference/site.ts';
import { type AskedFor, withObject, withRecords } from '../handling.ts';
import {
  answering,
  breaking,
  type Exhibit,
  exposed,
  isOfRecords,
  type TurnAnswer,
  turningHeaders,
  unknown,
  withInner,
} from './exhibit.ts';

const LIST = '/cms/v2/posts';
const JSON_TYPE = 'application/json; charset=UTF-8';

const adds = (headers: Readonly<Record<string, string>>): Alter =>
  turningHeaders((own) => ({ ...own, ...headers }));

function header(
  id: string,
  title: string,
  [name, before, after]: readonly [string, string, string],
): Exhibit {
  const kind = after === '' ? 'header-removed' : 'header-words';
  return breaking(id, title, kind, name.toLowerCase(), adds({ [name]: after }), adds({ [name]: before }));
}

const ORIGIN = 'Access-Control-Allow-Origin';

const HEADERS: readonly Exhibit[] = [
  header('nonce-header-gone', 'answers do not renew the nonce', ['X-WP-Nonce', '0123456789', '']),
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
  header('methods-not-allowed', 'scripts of other sites may only read', [
    'Access-Control-Allow-Methods',
    'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    'OPTIONS, GET',
  ]),
  header('origin-twice', 'the origins that may read are named twice', [ORIGIN, '*', '*, *']),
  header('origin-null', 'no origin may read', [ORIGIN, 'https://elsewhere.example', 'null']),
  unknown(header('etag-gone', 'answers cannot be asked for again only if changed', ['ETag', '"a"', ''])),
  unknown(
    header('modified-gone', 'answers do not tell when they changed', [
      'Last-Modified',
      'Mon, 06 May 2024 07:08:09 GMT',
      '',
    ]),
  ),
  unknown(header('cookie-other', 'a cookie has another name', ['Set-Cookie', 'session=a', 'visitor=a'])),
  breaking(
    'pages-elsewhere',
    'the next page is linked on another host',
    'header-words',
    'link',
    turningHeaders((own) => ({
      ...own,
      Link: (own.Link ?? '').replaceAll(/https?:\/\/[^/]+/g, 'http://10.0.0.8:8080'),
    })),
  ),
  breaking(
    'pages-wrong',
    'lists count one page too many',
    'answer-totals',
    'totals',
    turningHeaders((own) =>
      own['X-WP-TotalPages'] === undefined
        ? { ...own }
        : { ...own, 'X-WP-TotalPages': String(Number(own['X-WP-TotalPages']) + 1) },
    ),
  ),
  breaking(
    'total-zero',
    'lists with records count none',
    'answer-totals',
    'totals',
    turningHeaders((own) =>
      own['X-WP-Total'] === undefined ? { ...own } : { ...own, 'X-WP-Total': '0', 'X-WP-TotalPages': '0' },
    ),
  ),
];

const isBad = (_: AskedFor, { status }: Answer): boolean => status === 400;
const isUnknown = (_: AskedFor, { status }: Answer): boolean => status === 404;

function refusing(
  [id, title, subject]: readonly [string, string, string],
  which: (asked: AskedFor, shown: Answer) => boolean,
  turn: TurnAnswer,
): Exhibit {
  return breaking(id, title, 'refusal-changed', subject, answering(which, turn));
}

const page = (status: number): Answer => ({
  ...answer(null, status),
  body: new Text('text/html; charset=UTF-8', '<!doctype html><p>Error'),
});

const REFUSALS: readonly Exhibit[] = [
  refusing(
    ['unknown-code', 'records that are not there have another code', 'the code of "unknown record"'],
    isUnknown,
    (shown) => withObject(shown, (body) => ({ ...body, code: 'not_found' })),
  ),
  refusing(
    ['bad-as-fault', 'what is invalid ends in a fault', 'the status of "invalid argument"'],
    isBad,
    (shown) => ({ ...shown, status: 500 }),
  ),
  refusing(
    ['fault-page', 'what is invalid ends in a page about a fault', 'the answer to "invalid argument"'],
    isBad,
    () => page(500),
  ),
  refusing(
    ['problem-type', 'refusals have another content type', 'the content type of refusals'],
    isBad,
    (shown) => ({
      ...shown,
      headers: { ...shown.headers, 'Content-Type': 'application/problem+json' },
    }),
  ),
  refusing(
    ['status-text', 'the status in refusals is a text', 'data.status of "rest_invalid_param"'],
    isBad,
    (shown) => withObject(shown, (body) => withInner(body, 'data', 'status', String)),
  ),
  refusing(
    ['data-null', 'refusals have null for their data', 'data of "rest_invalid_param"'],
    isBad,
    (shown) => withObject(shown, (body) => ({ ...body, data: null })),
  ),
  breaking(
    'refusal-as-success',
    'what is not there is answered with a refusal and a status of success',
    'answer-form',
    'the answer',
    answering(isUnknown, (shown) => ({ ...shown, status: 200 })),
  ),
];

/** One list that is answered otherwise. */
function listed(id: string, title: string, kind: string, subject: string, turn: TurnAnswer): Exhibit {
  const which = ({ route, method }: AskedFor): boolean => route === LIST && method === 'GET';
  return breaking(id, title, kind, subject, answering(which, turn));
}

const text =
  (spell: (text: string) => string): TurnAnswer =>
  (shown) => ({ ...shown, body: new Text(JSON_TYPE, spell(JSON.stringify(shown.body))) });

const BODIES: readonly Exhibit[] = [
  listed('list-as-map', 'a list is an object by number', 'answer-form', 'the answer', (shown) =>
    Array.isArray(shown.body) ? { ...shown, body: { ...shown.body } } : shown,
  ),
  listed('list-wrapped', 'a list is wrapped in an object', 'answer-form', 'the answer', (shown) =>
    Array.isArray(shown.body) ? { ...shown, body: { data: shown.body } } : shown,
  ),
  listed('list-null', 'a list is null', 'answer-form', 'the answer', (shown) => ({ ...shown, body: null })),
  listed(
    'list-empty-body',
    'a list has no body',
    'answer-form',
    'the answer',
    text(() => ''),
  ),
  listed(
    'broken-off',
    'a list breaks off',
    'answer-unreadable',
    'the body',
    text((json) => json.slice(0, -40)),
  ),
  listed(
    'notice-after',
    'a notice of PHP stands after a list',
    'answer-unreadable',
    'the body',
    text((json) => `${json}\nPHP Deprecated:  Creation of dynamic property in x.php`),
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
    'options-without-schema',
    'OPTIONS does not show the schema',
    'answer-member-removed',
    'schema',
    () => ({}),
    answering(
      ({ method }) => method === 'OPTIONS',
      (shown) => withObject(shown, (body) => ({ ...body, schema: { title: 'post', type: 'object' } })),
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
];

/** Records as nobody but users saw them. */
function shownToAll(id: string, title: string, what: string, name: string, value: string): Exhibit {
  const turn: TurnAnswer = (shown) => withRecords(shown, (record) => ({ ...record, [name]: value }));
  const which = (asked: AskedFor, shown: Answer): boolean =>
    asked.anonymous && !asked.query.has('_fields') && isOfRecords(shown, asked);
  return exposed(
    breaking(id, title, 'right-exposed', `${what} to an anonymous caller`, answering(which, turn)),
  );
}

const RIGHTS: readonly Exhibit[] = [
  shownToAll(
    'addresses-public',
    'anybody is shown the network addresses of authors',
    'network addresses',
    'author_ip',
    '192.0.2.7',
  ),
  shownToAll('passwords-public', 'anybody is shown passwords of records', 'passwords', 'password', 'sesame'),
  shownToAll('phones-public', 'anybody is shown phone numbers', 'phone numbers', 'billing_phone', '+49 30 1'),
  breaking(
    'hidden-from-anonymous',
    'a list is empty for anonymous callers alone',
    'right-lost',
    'all records to an anonymous caller',
    answering(
      ({ anonymous, route, method, query }) =>
        anonymous && route === LIST && method === 'GET' && !query.has('_envelope'),
      () => answer([], 200, { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' }),
    ),
  ),
];

/** What people reported of answers: headers, refusals, bodies and rights. */
export const REPORTED_ANSWERS: readonly Exhibit[] = [...HEADERS, ...REFUSALS, ...BODIES, ...RIGHTS];
