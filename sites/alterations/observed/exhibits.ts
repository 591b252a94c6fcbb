import { isObject } from '../../reference/json.ts';
import { type Alter, type Answer, answer, type ListQuery } from '../../reference/site.ts';
import { together } from '../alteration.ts';
import { type AskedFor, filteringBy } from '../handling.ts';
import { ANSWER_EXHIBITS } from './answers.ts';
import {
  answering,
  both,
  type Exhibit,
  exhibit,
  giving,
  isOfRecords,
  LIST,
  refusal,
  turningRecords,
  twin,
  unknown,
  usual,
  type Which,
} from './exhibit.ts';
import { LIST_EXHIBITS, PAGES, withTerms } from './lists.ts';
import { RECORD_EXHIBITS, withAt } from './records.ts';
import { TEXT_EXHIBITS } from './texts.ts';

const DENIED = refusal('rest_forbidden', 403);
const EMPTY = answer([], 200, { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' });
const PERSON = { author_email: 'ann@site.example' };
const EDITOR = 'the caller "editor"';
const ANYBODY = 'an anonymous caller';

function lost(id: string, subject: string, behaviour: Alter): Exhibit {
  return exhibit('right-lost', subject, id, behaviour);
}

function gained(id: string, subject: string, behaviour: Alter, before?: Alter): Exhibit {
  const shows = { class: 'exposed', kind: 'right-exposed', subject } as const;
  return { ...twin(id, behaviour, before), shows };
}

/** Empty lists for some callers. */
function emptied(whom: Which): Alter {
  return answering(whom, ({ headers }) => ({ ...EMPTY, headers: { ...headers, ...EMPTY.headers } }));
}

/** Callers who are denied what they could read. */
function denied(id: string, subject: string, whom: Which): Exhibit {
  return lost(id, subject, giving(DENIED, whom));
}

/** Hides every third record in the lists of some callers. */
function hidingSome(isFor: (query: ListQuery) => boolean): Alter {
  return filteringBy('status', (filter) => (record, value, query) => {
    return (!isFor(query) || record.id % 3 > 0) && filter(record, value, query);
  });
}

/** Some public records are for users only, as membership plugins do it. */
export const forMembers: Alter = hidingSome(({ known }) => !known);

/** Users see some records only in lists of others, as plugins of authors do it. */
export const forOthers: Alter = hidingSome(({ known }) => known);

const isNobody: Which = ({ anonymous }) => anonymous;
const isDrafts: Which = ({ query }) => query.get('status') === 'draft';
const isMediaOfEditor: Which = (asked) => isEditorOf(asked, 'media');
const isDeniedRevision: Which = ({ route }, { status }) => status === 401 && route.includes('/revisions');

function isEditorOf({ login, route }: AskedFor, list: string): boolean {
  return login === 'editor' && route === `/cms/v2/${list}`;
}

function showing(name: string, value: string): Alter {
  return turningRecords(
    (record) => ({ ...record, [name]: value }),
    ({ anonymous, query }) => anonymous && !query.has('_fields'),
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
const RIGHTS: readonly Exhibit[] = [
  denied('edit-denied', `${EDITOR} with context=edit`, (asked) => {
    return isEditorOf(asked, 'pages') && asked.query.get('context') === 'edit';
  }),
  lost(
    'drafts-refused',
    `${EDITOR} with status=draft`,
    giving(
      refusal('rest_invalid_param', 400),
      both(({ login }) => login === 'editor', isDrafts),
    ),
  ),
  // With all that could be asked of it.
  denied('list-denied', EDITOR, (asked) => isEditorOf(asked, 'pages')),
  denied('public-denied', ANYBODY, ({ anonymous, route }) => {
    return anonymous && /^\/cms\/v2\/pages(?:\/\d+)?$/.test(route);
  }),
  denied('preflight-denied', `${ANYBODY} with a preflight`, ({ preflight }) => preflight),
  lost(
    'hidden-from-anonymous',
    `all records to ${ANYBODY}`,
    emptied(
      both(
        isOfRecords,
        ({ anonymous, route, query }) => anonymous && route === LIST && !query.has('_envelope'),
      ),
    ),
  ),
  // With all that was denied: an empty list exposes nothing.
  lost(
    'pages-empty-for-anonymous',
    `all records to ${ANYBODY}`,
    emptied(
      both(isNobody, ({ route, method, query }) => {
        return route === PAGES && method === 'GET' && !query.has('_envelope');
      }),
    ),
  ),
  lost('some-hidden-from-users', 'some records to the caller "user"', forOthers),
  lost('some-hidden-from-anonymous', `some records to ${ANYBODY}`, forMembers),
  unknown(
    exhibit('right-gained', `more records to ${ANYBODY}`, 'some-shown-to-anonymous', usual, forMembers),
  ),
  lost(
    'index-hidden-from-anonymous',
    `any route to ${ANYBODY}`,
    answering(
      ({ route, anonymous, method }) => route === '/' && anonymous && method === 'GET',
      (shown) => ({ ...shown, body: { ...Object(shown.body), routes: {} } }),
    ),
  ),
  gained('drafts-public', `${ANYBODY} with status=draft`, giving(EMPTY, both(isNobody, isDrafts))),
  // To anybody who did not ask for them.
  gained(
    'drafts-listed',
    `records that are not public to ${ANYBODY}`,
    turningRecords(
      (record) => (Number(record.id) % 2 > 0 ? { ...record, status: 'draft' } : record),
      ({ anonymous, route }) => anonymous && route === LIST,
    ),
  ),
  gained('cache-of-users', `${ANYBODY} with context=edit`, cached()),
  // Alone, and embedded in records of another list.
  gained(
    'mail-embedded',
    `mail addresses to ${ANYBODY}`,
    together(
      turningRecords(
        (record) => ({ ...record, ...PERSON }),
        ({ anonymous, query, route }) => anonymous && route === PAGES && !query.has('_fields'),
      ),
      turningRecords(
        (record) => ({ ...record, _embedded: { ...Object(record._embedded), up: [PERSON] } }),
        ({ anonymous, query, route }) => anonymous && route === LIST && query.has('_embed'),
      ),
    ),
  ),
  // To each caller, of whom the first is named.
  unknown(
    exhibit(
      'right-gained',
      `members of context=edit to ${ANYBODY}`,
      'raw-public',
      turningRecords(
        (record) => withAt(record, 'title', (title) => (isObject(title) ? { ...title, raw: 'A' } : title)),
        isNobody,
      ),
    ),
  ),
  gained('list-open', EDITOR, usual, giving(DENIED, isMediaOfEditor)),
  gained('terms-exposed', ANYBODY, withTerms(), withTerms(undefined, true)),
  gained('revisions-public', ANYBODY, giving(EMPTY, isDeniedRevision)),
  gained('protected-shown', 'protected texts without their password', locking('<p>Secret.</p>'), locking('')),
  ...(
    [
      ['mail-public', 'mail addresses', 'author_email', 'ann@site.example'],
      ['names-public', 'user names', 'username', 'ann'],
      ['addresses-public', 'network addresses', 'author_ip', '192.0.2.7'],
      ['passwords-public', 'passwords', 'password', 'sesame'],
      ['phones-public', 'phone numbers', 'billing_phone', '+49 30 1'],
    ] as const
  ).map(([id, what, name, value]) => gained(id, `${what} to ${ANYBODY}`, showing(name, value))),
];

function locking(rendered: string): Alter {
  return turningRecords(
    (record) => withAt(record, 'content', (text) => ({ ...Object(text), protected: true, rendered })),
    ({ route, query }) => route.startsWith(LIST) && query.get('context') !== 'edit',
  );
}

/** Changes that clients have reported, each with the change that a comparison must report. */
export const EXHIBITS: readonly Exhibit[] = [
  ...RECORD_EXHIBITS,
  ...TEXT_EXHIBITS,
  ...ANSWER_EXHIBITS,
  ...LIST_EXHIBITS,
  ...RIGHTS,
];
