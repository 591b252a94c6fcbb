import { type Answer, answer, type Behaviour, respond, Text } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';
import { type AskedFor, askedFor, type Exhibit } from './exhibit.ts';

type Asker = 'anonymous' | 'admin' | 'editor';
type Turn = (shown: Answer, asked: AskedFor, caller: Asker) => Answer;

const DENIED = answer({ code: 'rest_forbidden', message: 'No.' }, 403);
const EMPTY = answer([], 200, { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' });

/** Rights that somebody has no longer, or has now: seen where several callers are asked the same. */
export const RIGHT_EXHIBITS: readonly Exhibit[] = [
  {
    id: 'edit-denied',
    title: 'an editor may no longer edit pages',
    shows: { class: 'breaking', kind: 'right-lost', subject: 'the caller "editor" with context=edit' },
    behaviour: asking((shown, { route, query }, caller) =>
      caller === 'editor' && route === '/cms/v2/pages' && query.get('context') === 'edit' ? DENIED : shown,
    ),
  },
  {
    id: 'drafts-refused',
    title: 'an editor may no longer ask for drafts',
    shows: { class: 'breaking', kind: 'right-lost', subject: 'the caller "editor" with status=draft' },
    behaviour: asking((shown, { query }, caller) =>
      caller === 'editor' && query.get('status') === 'draft'
        ? answer({ code: 'rest_invalid_param', message: 'No.', data: { status: 400 } }, 400)
        : shown,
    ),
  },
  {
    id: 'list-denied',
    title: 'an editor is denied a list, with all that could be asked of it',
    shows: { class: 'breaking', kind: 'right-lost', subject: 'the caller "editor"' },
    behaviour: asking((shown, { route }, caller) =>
      caller === 'editor' && route === '/cms/v2/pages' ? DENIED : shown,
    ),
  },
  {
    id: 'drafts-public',
    title: 'anybody may ask for drafts',
    shows: { class: 'exposed', kind: 'right-exposed', subject: 'an anonymous caller with status=draft' },
    behaviour: asking((shown, { query }, caller) =>
      caller === 'anonymous' && query.get('status') === 'draft' ? EMPTY : shown,
    ),
  },
  {
    id: 'list-open',
    title: 'an editor reads a list that was denied',
    shows: { class: 'exposed', kind: 'right-exposed', subject: 'the caller "editor"' },
    before: asking((shown, { route }, caller) =>
      caller === 'editor' && route === '/cms/v2/media' ? DENIED : shown,
    ),
    behaviour: {},
  },
  {
    id: 'mail-public',
    title: 'anybody is shown the mail addresses of authors',
    shows: { class: 'exposed', kind: 'right-exposed', subject: 'mail addresses to an anonymous caller' },
    behaviour: showing('author_email', (id) => `user-${id}@site.example`),
  },
  {
    id: 'names-public',
    title: 'anybody is shown the names that authors log in with',
    shows: { class: 'exposed', kind: 'right-exposed', subject: 'user names to an anonymous caller' },
    behaviour: showing('username', (id) => `login-${id}`),
  },
];

/** What is of other content, and no right. */
export const RIGHT_TWINS: readonly Alteration[] = [
  {
    id: 'other-refusal-of-drafts',
    title: 'a caller without the right is denied drafts in other words',
    behaviour: asking((shown, { query }, caller) =>
      caller === 'anonymous' && query.get('status') === 'draft' && !(shown.body instanceof Text)
        ? { ...shown, body: { ...Object(shown.body), message: 'Nein.' } }
        : shown,
    ),
  },
];

/** A site that answers one caller otherwise than another. */
function asking(turn: Turn): Partial<Behaviour> {
  return {
    send: (message, response, shown) => {
      const { authorization = '' } = message.headers;
      const [login = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
      const caller = login === 'editor' || login === 'admin' ? login : 'anonymous';
      return respond(message.method, response, turn(shown, askedFor(message), caller));
    },
  };
}

/** A site whose posts show everybody one member more, in lists. */
function showing(name: string, value: (id: number) => string): Partial<Behaviour> {
  return asking((shown, { route, method }, caller) => {
    const { body } = shown;
    if (caller !== 'anonymous' || method !== 'GET' || body instanceof Text) return shown;
    if (route !== '/cms/v2/posts' || !Array.isArray(body)) return shown;
    return {
      ...shown,
      body: body.map((post) => ({ ...Object(post), [name]: value(Number(Object(post).id)) })),
    };
  });
}
