import { expect, it } from 'vitest';
import { type Change, change } from '../change.ts';
import { KINDS, type Kind } from '../law.ts';
import { withCauses } from './cause-rules.ts';

const USER = 'the caller "user"';
const ANYBODY = 'an anonymous caller';

/** A change on a method of a list. */
function on(method: string, kind: Kind, subject: string, more: Partial<Change> = {}): Change {
  const route = '/x/v1/notes';
  const made = change({
    ...{ id: `${method} ${kind} ${subject}`, kind, owner: 'x/v1', place: route, subject, isText: true },
    ...(KINDS[kind].effect === undefined && { effect: 'incomparable' }),
    calls: { route, methods: [method], callers: [subject.startsWith(USER) ? 'user' : 'anonymous'] },
  });
  return { ...made, ...more };
}

const gets = (...rest: [Kind, string, Partial<Change>?]): Change => on('GET', ...rest);
const unsure = { class: 'unknown' } as const;
const listAsOther = gets('answer-form', 'the answer', { before: 'list', after: 'nothing' });
const repeated = gets('answer-repeated', 'pages');

it.each<[string, Change, Change]>([
  [
    'what nobody is shown under what the user is denied',
    gets('right-lost', USER),
    gets('right-lost', ANYBODY),
  ],
  [
    'the same for one kind of request',
    gets('right-lost', `${USER} with search=x`),
    gets('right-lost', `${ANYBODY} with search=x`),
  ],
  [
    'preflights of nobody under a route that the user is denied',
    gets('right-lost', USER),
    on('OPTIONS', 'right-lost', `${ANYBODY} with a preflight`),
  ],
  [
    'records that nobody is shown under their list that the user is denied',
    on('OPTIONS', 'right-lost', USER),
    { ...on('OPTIONS', 'right-lost', ANYBODY), calls: { route: '/x/v1/notes/{}', methods: ['OPTIONS'] } },
  ],
  [
    'refusals of others under such a route',
    gets('right-lost', USER),
    gets('refusal-changed', 'the status of "denied"'),
  ],
  [
    'texts in place of refusals under lists that are denied',
    gets('right-lost', ANYBODY),
    { ...gets('answer-unreadable', 'the body of "denied"'), place: '/x/v1/others' },
  ],
  [
    'pages in place of refusals under those in place of the list',
    gets('answer-unreadable', 'the body'),
    gets('refusal-changed', 'the status of "denied"'),
  ],
  [
    'pages in place of preflights under those in place of refusals',
    gets('refusal-changed', 'the status of "denied"'),
    on('OPTIONS', 'answer-unreadable', 'the body'),
  ],
  [
    'pages in place of the refusal of an unknown route',
    gets('answer-unreadable', 'the body', { after: 'a page in place of JSON' }),
    {
      ...gets('answer-unreadable', 'the body of "unknown route"', { after: 'a page in place of JSON' }),
      ...{ owner: '', calls: { route: '', methods: ['GET'] } },
    },
  ],
  [
    'refusals of several callers under a route that the user is denied',
    gets('right-lost', USER),
    gets('refusal-changed', 'the answer to "invalid argument"', unsure),
  ],
  [
    'preflights under refusals that are texts',
    gets('answer-unreadable', 'the body of "denied"'),
    on('OPTIONS', 'right-lost', `${ANYBODY} with a preflight`),
  ],
  [
    'wrong totals under pages of another size',
    gets('default', 'per_page default', { effect: 'incomparable' }),
    gets('answer-totals', 'totals', unsure),
  ],
  [
    'wrong totals under a record that is twice on a page',
    gets('answer-repeated', 'one page'),
    gets('answer-totals', 'totals'),
  ],
  ['longer pages under records that all of them repeat', repeated, gets('default', 'per_page default')],
  ['another order under records that all pages repeat', repeated, gets('answer-order', 'the first page')],
  [
    'the description of a route under its list that is something else',
    listAsOther,
    on('OPTIONS', 'answer-form', 'the answer', { before: 'object', after: 'nothing' }),
  ],
  [
    'codes under a list that is something else',
    listAsOther,
    gets('refusal-changed', 'the code of "invalid argument"', { after: 'none' }),
  ],
  [
    'empty answers under empty lists',
    listAsOther,
    gets('answer-form', 'the answer with per_page=100', { before: 'list', after: 'nothing' }),
  ],
  [
    'refusals among the answers under their status of success',
    gets('refusal-changed', 'the status of "denied"', { after: '200' }),
    gets('answer-form', 'the answer', { before: 'list', after: 'refusal' }),
  ],
  [
    'the refusal of an unknown route among answers that are refusals',
    gets('answer-form', 'the answer', { before: 'list', after: 'refusal' }),
    gets('refusal-changed', 'the status of "unknown route"', { after: '200' }),
  ],
  [
    'a content type of refusals that lost a word with that of answers',
    gets('header-words', 'content-type', { after: 'without charset=utf-8' }),
    gets('refusal-changed', 'the content type of refusals', {
      before: 'application/json;charset=utf-8',
      after: 'application/json',
    }),
  ],
  [
    'headers of HEAD under a route that is refused',
    gets('answer-refused', 'the request'),
    on('HEAD', 'header-removed', 'x-wp-total', unsure),
  ],
])('reports once %s', (_, cause, found) => {
  const [, explained] = withCauses([cause, found], []);

  expect(explained?.cause).toBe(cause.id);
  expect(withCauses([cause, found], [])[0]?.cause).toBeUndefined();
});

it.each<[string, Change, Change]>([
  [
    'another request of nobody',
    gets('right-lost', `${USER} with search=x`),
    gets('right-lost', `${ANYBODY} with search=y`),
  ],
  ['what nobody is shown', on('OPTIONS', 'right-lost', USER), gets('right-lost', ANYBODY)],
  [
    'a list of another form',
    listAsOther,
    gets('answer-form', 'the answer with author=1', { before: 'list', after: 'object' }),
  ],
])('reports for itself %s', (_, cause, found) => {
  expect(withCauses([cause, found], [])[1]?.cause).toBeUndefined();
});
