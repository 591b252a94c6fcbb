import { type Alter, type Answer, answer } from '../../reference/site.ts';
import { type AskedFor, withRecords } from '../handling.ts';
import {
  answering,
  both,
  breaking,
  type Exhibit,
  isOfRecords,
  LIST,
  usual,
  type Which,
  withClass,
  withMember,
} from './exhibit.ts';
import { withTerms } from './lists.ts';

const DENIED = answer({ code: 'rest_forbidden', message: 'No.', data: { status: 403 } }, 403);
const INVALID = answer({ code: 'rest_invalid_param', message: 'No.', data: { status: 400 } }, 400);
const EMPTY = answer([], 200, { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' });
const EDITOR = 'the caller "editor"';
const ANYBODY = 'an anonymous caller';

function lost(id: string, title: string, subject: string, behaviour: Alter): Exhibit {
  return breaking('right-lost', subject)(id, title, behaviour);
}

function gained(id: string, title: string, subject: string, behaviour: Alter, before?: Alter): Exhibit {
  return withClass('exposed', breaking('right-exposed', subject)(id, title, behaviour, before));
}

const isDrafts = ({ query }: AskedFor): boolean => query.get('status') === 'draft';

function isEditorOf({ login, route }: AskedFor, list: string): boolean {
  return login === 'editor' && route === `/cms/v2/${list}`;
}

/** A site with one fixed answer for some callers. */
function giving(own: Answer, whom: Which): Alter {
  return answering(whom, () => own);
}

/** Posts with an additional member for everybody, in lists. */
function showing(name: string, value: string): Alter {
  return answering(
    both(isOfRecords, ({ anonymous, query }) => anonymous && !query.has('_fields')),
    (shown) => withRecords(shown, (record) => ({ ...record, [name]: value })),
  );
}

/** A cache that answers everybody with the answer for an editing user. */
function cached(): Alter {
  const kept = new Map<string, Answer>();
  return answering(
    ({ route, query }, { status }) => route === LIST && query.get('context') === 'edit' && status !== 400,
    (shown, { query, anonymous }) => {
      const key = query.toString();
      if (shown.status === 200 && !anonymous) kept.set(key, shown);
      return kept.get(key) ?? shown;
    },
  );
}

/** Removed or added rights, which show if several callers send the same request. */
export const RIGHT_EXHIBITS: readonly Exhibit[] = [
  lost(
    'edit-denied',
    'an editor may no longer edit pages',
    `${EDITOR} with context=edit`,
    giving(DENIED, (asked) => isEditorOf(asked, 'pages') && asked.query.get('context') === 'edit'),
  ),
  lost(
    'drafts-refused',
    'an editor may no longer ask for drafts',
    `${EDITOR} with status=draft`,
    giving(INVALID, (asked) => asked.login === 'editor' && isDrafts(asked)),
  ),
  lost(
    'list-denied',
    'an editor is denied a list, with all that could be asked of it',
    EDITOR,
    giving(DENIED, (asked) => isEditorOf(asked, 'pages')),
  ),
  lost(
    'public-denied',
    'pages are denied to anonymous callers',
    ANYBODY,
    giving(DENIED, ({ anonymous, route }) => anonymous && /^\/cms\/v2\/pages(?:\/\d+)?$/.test(route)),
  ),
  lost('preflight-denied', 'preflights are denied', `${ANYBODY} with a preflight`, ({ send }) => ({
    send: (message, response, shown) => {
      const isPreflight = message.method === 'OPTIONS' && message.headers.origin !== undefined;
      return send(message, response, isPreflight ? DENIED : shown);
    },
  })),
  lost(
    'hidden-from-anonymous',
    'a list is empty for anonymous callers alone',
    `all records to ${ANYBODY}`,
    answering(
      both(
        isOfRecords,
        ({ anonymous, route, query }) => anonymous && route === LIST && !query.has('_envelope'),
      ),
      (shown) => ({ ...EMPTY, headers: { ...shown.headers, ...EMPTY.headers } }),
    ),
  ),
  lost(
    'index-hidden-from-anonymous',
    'the index shows its routes to users alone',
    `any route to ${ANYBODY}`,
    answering(
      ({ route, anonymous, method }) => route === '/' && anonymous && method === 'GET',
      (shown) => ({ ...shown, body: { ...Object(shown.body), routes: {} } }),
    ),
  ),
  gained(
    'drafts-public',
    'anybody may ask for drafts',
    `${ANYBODY} with status=draft`,
    giving(EMPTY, (asked) => asked.anonymous && isDrafts(asked)),
  ),
  gained(
    'drafts-listed',
    'a list shows drafts to anybody who did not ask for them',
    `records that are not public to ${ANYBODY}`,
    answering(
      both(isOfRecords, ({ anonymous, route }) => anonymous && route === LIST),
      (shown) =>
        withRecords(shown, (record) => ({
          ...record,
          ...(Number(record.id) % 2 > 0 && { status: 'draft' }),
        })),
    ),
  ),
  gained(
    'cache-of-users',
    'a cache answers everybody as it answered a user',
    `${ANYBODY} with context=edit`,
    cached(),
  ),
  gained(
    'list-open',
    'an editor reads a list that was denied',
    EDITOR,
    usual,
    giving(DENIED, (asked) => isEditorOf(asked, 'media')),
  ),
  gained(
    'terms-exposed',
    'a list that no contract knows is answered to anybody',
    ANYBODY,
    withTerms(),
    withTerms(undefined, true),
  ),
  gained(
    'revisions-public',
    'revisions are answered to anybody',
    ANYBODY,
    giving(EMPTY, ({ route }, { status }) => status === 401 && route.includes('/revisions')),
  ),
  gained(
    'protected-shown',
    'texts that ask for a password are shown without it',
    'protected texts without their password',
    locking('<p>Secret.</p>'),
    locking(''),
  ),
  ...(
    [
      ['mail-public', 'mail addresses of authors', 'mail addresses', 'author_email', 'ann@site.example'],
      ['names-public', 'names that authors log in with', 'user names', 'username', 'ann'],
      ['addresses-public', 'network addresses of authors', 'network addresses', 'author_ip', '192.0.2.7'],
      ['passwords-public', 'passwords of records', 'passwords', 'password', 'sesame'],
      ['phones-public', 'phone numbers', 'phone numbers', 'billing_phone', '+49 30 1'],
    ] as const
  ).map(([id, title, what, name, value]) =>
    gained(id, `anybody is shown the ${title}`, `${what} to ${ANYBODY}`, showing(name, value)),
  ),
];

/** Password-protected posts, with or without their text. */
function locking(rendered: string): Alter {
  return answering(
    both(isOfRecords, ({ route, query }) => route.startsWith(LIST) && query.get('context') !== 'edit'),
    (shown) =>
      withRecords(shown, (record) =>
        withMember(record, 'content', (content) => ({ ...Object(content), protected: true, rendered })),
      ),
  );
}
