import { type Alter, answer, Text } from '../../reference/site.ts';
import type { Alteration } from '../alteration.ts';
import { type AskedFor, sending } from '../handling.ts';
import { breaking, type Exhibit, exposed } from './exhibit.ts';

const DENIED = answer({ code: 'rest_forbidden', message: 'No.' }, 403);
const INVALID = answer({ code: 'rest_invalid_param', message: 'No.', data: { status: 400 } }, 400);
const EMPTY = answer([], 200, { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' });

/** Rights that somebody has no longer, or has now: seen where several callers are asked the same. */
export const RIGHT_EXHIBITS: readonly Exhibit[] = [
  lost(
    'edit-denied',
    'an editor may no longer edit pages',
    'the caller "editor" with context=edit',
    answering(DENIED, (asked) => isEditorOf(asked, 'pages') && asked.query.get('context') === 'edit'),
  ),
  lost(
    'drafts-refused',
    'an editor may no longer ask for drafts',
    'the caller "editor" with status=draft',
    answering(INVALID, (asked) => asked.login === 'editor' && isOfDrafts(asked)),
  ),
  lost(
    'list-denied',
    'an editor is denied a list, with all that could be asked of it',
    'the caller "editor"',
    answering(DENIED, (asked) => isEditorOf(asked, 'pages')),
  ),
  gained(
    'drafts-public',
    'anybody may ask for drafts',
    'an anonymous caller with status=draft',
    answering(EMPTY, (asked) => asked.anonymous && isOfDrafts(asked)),
  ),
  gained(
    'list-open',
    'an editor reads a list that was denied',
    'the caller "editor"',
    () => ({}),
    answering(DENIED, (asked) => isEditorOf(asked, 'media')),
  ),
  gained(
    'mail-public',
    'anybody is shown the mail addresses of authors',
    'mail addresses to an anonymous caller',
    showing('author_email', (id) => `user-${id}@site.example`),
  ),
  gained(
    'names-public',
    'anybody is shown the names that authors log in with',
    'user names to an anonymous caller',
    showing('username', (id) => `login-${id}`),
  ),
];

/** What is of other content, and no right. */
export const RIGHT_TWINS: readonly Alteration[] = [
  {
    id: 'other-refusal-of-drafts',
    title: 'a caller without the right is denied drafts in other words',
    behaviour: sending((shown, asked) =>
      asked.anonymous && isOfDrafts(asked) && !(shown.body instanceof Text)
        ? { ...shown, body: { ...Object(shown.body), message: 'Nein.' } }
        : shown,
    ),
  },
];

function lost(id: string, title: string, subject: string, behaviour: Alter): Exhibit {
  return breaking(id, title, 'right-lost', subject, behaviour);
}

function gained(id: string, title: string, subject: string, behaviour: Alter, before?: Alter): Exhibit {
  return exposed(breaking(id, title, 'right-exposed', subject, behaviour, before));
}

function isEditorOf({ login, route }: AskedFor, list: string): boolean {
  return login === 'editor' && route === `/cms/v2/${list}`;
}

function isOfDrafts({ query }: AskedFor): boolean {
  return query.get('status') === 'draft';
}

/** A site that gives some one answer of its own. */
function answering(own: ReturnType<typeof answer>, whom: (asked: AskedFor) => boolean): Alter {
  return sending((shown, asked) => (whom(asked) ? own : shown));
}

/** A site whose posts show everybody one member more, in lists. */
function showing(name: string, value: (id: number) => string): Alter {
  return sending((shown, { anonymous, route, method }) => {
    const { body } = shown;
    if (!anonymous || method !== 'GET' || route !== '/cms/v2/posts' || !Array.isArray(body)) return shown;
    return {
      ...shown,
      body: body.map((post) => ({ ...Object(post), [name]: value(Number(Object(post).id)) })),
    };
  });
}
