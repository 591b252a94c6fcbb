import { expect, it } from 'vitest';
import { type Change, change } from '../change.ts';
import { KINDS, type Kind } from '../law.ts';
import { withCauses } from './cause-rules.ts';
import { REFUSED, SOMETIMES, SUBJECTS } from './difference.ts';

const LIST = '/x/v1/notes';
const RECORD = '/x/v1/notes/{}';

function at(route: string, kind: Kind, subject: string, after?: string): Change {
  return change({
    ...{ id: `${kind} ${route} ${subject}`, kind, owner: 'x/v1', place: route, subject, after, isText: true },
    ...(KINDS[kind].effect === undefined && { effect: 'incomparable' }),
    calls: { route, methods: ['GET'] },
  });
}

function unsure(shown: Change): Change {
  return { ...shown, class: 'unknown' };
}

function asked(method: string, shown: Change): Change {
  return { ...shown, calls: { route: '', ...shown.calls, methods: [method] } };
}

function explained(...changes: readonly Change[]): readonly [id: string, cause: string][] {
  return withCauses(changes, []).flatMap(({ id, cause }) =>
    cause === undefined ? [] : [[id, cause] as const],
  );
}

it.each([
  ['more lists have short pages', 2, 1, 'answer-fewer'],
  ['as many lists have wrong totals', 1, 1, 'answer-totals'],
])('takes for the cause what most lists show if %s', (_, short, untrue, cause) => {
  const fewer = [...Array(short).keys()].map((n) => at(`/x/v1/short${n}`, 'answer-fewer', 'per_page', '50'));
  const totals = [...Array(untrue).keys()].map((n) => at(`/x/v1/untrue${n}`, 'answer-totals', 'totals'));

  expect(new Set(explained(...totals, ...fewer).map(([, root]) => root.split(' ')[0]))).toEqual(
    new Set([cause]),
  );
});

it('takes short pages for the cause where another list ends at the same number by default', () => {
  const short = at('/x/v1/short', 'answer-fewer', 'per_page', '5');
  const totals = ['/x/v1/pages', '/x/v1/media'].map((route) => at(route, 'answer-totals', 'totals'));
  const ending = at('/x/v1/pages', 'default', 'per_page default', '5');

  expect(explained(short, ...totals, ending)).toEqual([...totals, ending].map(({ id }) => [id, short.id]));
  expect(explained(short, ...totals, { ...ending, after: '7' })).toContainEqual([short.id, totals[0]?.id]);
});

it('reports once that a caller is denied all, in preflights of what nobody was shown before too', () => {
  const list = at(LIST, 'right-lost', 'an anonymous caller');
  const code = at('/x/v1/events', 'refusal-changed', 'the code of "denied"', 'x_login');
  const preflights = ['/x/v1/events', '/x/v1/others'].map((route) =>
    asked('OPTIONS', at(route, 'right-lost', 'an anonymous caller with a preflight')),
  );

  expect(explained(...preflights, code, list)).toEqual([
    [preflights[0]?.id, code.id],
    [code.id, list.id],
  ]);
});

it.each<[string, Change, Change]>([
  [
    'records that a batch returns under these records',
    at(LIST, 'field-removed', '_links.author'),
    unsure(at('/batch/v1', 'answer-member-removed', 'responses[].body._links.author')),
  ],
  [
    'records that a deletion returns under these records',
    at(LIST, 'field-added', 'rating'),
    asked('DELETE', at(RECORD, 'answer-member-added', 'previous.rating')),
  ],
  [
    'embedded records under a relation that is no longer embeddable',
    at(LIST, 'answer-member-removed', '_links.author[].embeddable'),
    at(LIST, 'answer-member-removed', '_embedded.author'),
  ],
  [
    'one object of a map under all of them',
    at('/x/v1/states', 'answer-member-removed', '*.public'),
    { ...at('/x/v1/states', 'answer-member-removed', 'draft.public'), class: 'unknown' },
  ],
  [
    'embedded records under a relation that is gone',
    at(LIST, 'answer-member-removed', '_links.author'),
    at(LIST, 'answer-member-removed', '_embedded.author'),
  ],
  [
    'personal data of one record under those of its list',
    at('/x/v1/users', 'right-exposed', 'mail addresses to anybody', 'name'),
    at('/x/v1/users/{}', 'right-gained', 'mail addresses to anybody', 'name'),
  ],
  [
    'what surrounds refusals of records under what surrounds their list',
    at(LIST, 'answer-unreadable', 'the body', 'a byte-order mark before the JSON'),
    at(RECORD, 'answer-unreadable', 'the body of "unknown record"', 'a byte-order mark before the JSON'),
  ],
  [
    'what surrounds refusals of a list under what surrounds its answers',
    at(LIST, 'answer-unreadable', 'the body', 'JSON that breaks off'),
    at(LIST, 'answer-unreadable', 'the body of "denied"', 'JSON that breaks off'),
  ],
  [
    'the number of pages under that of records, which is lost with it',
    at(LIST, 'header-removed', 'x-wp-total'),
    at(LIST, 'header-removed', 'x-wp-totalpages'),
  ],
  [
    'links between pages under the number of records, which is lost with them',
    at(LIST, 'header-removed', 'x-wp-total'),
    at(LIST, 'header-words', 'link'),
  ],
  [
    'pages that may begin as the first one under their order',
    at(LIST, 'answer-order', 'the first page'),
    { ...at(LIST, 'answer-repeated', 'pages'), class: 'unknown' },
  ],
  [
    'the content type of refusals under that of answers',
    at(LIST, 'header-words', 'content-type', 'text/html'),
    at(LIST, 'refusal-changed', 'the content type of refusals', 'text/html'),
  ],
  [
    'a list that shows nothing under its refusal',
    at(LIST, 'answer-refused', 'the request', '500'),
    unsure({ ...at(LIST, 'right-lost', 'any record'), before: 'the list' }),
  ],
  [
    'that of refusals on other routes',
    at(LIST, 'header-words', 'content-type', 'text/html, charset'),
    at('/x/v1/closed', 'refusal-changed', 'the content type of refusals', 'text/html;charset=utf-8'),
  ],
  [
    'that of refusals of a method that is refused to others now',
    asked('HEAD', at(LIST, 'answer-refused', 'the request', '405')),
    asked('HEAD', at(LIST, 'refusal-changed', 'the content type of refusals', 'text/html')),
  ],
  [
    'what each caller sees under what everybody sees',
    at('/x/v1/users', 'right-exposed', 'mail addresses to an anonymous caller', 'name'),
    at('/x/v1/users/{}', 'right-exposed', 'mail addresses to the caller "editor"', 'name'),
  ],
  [
    'totals under a list that holds something else than objects',
    at(LIST, 'answer-form', 'the answer', 'list of other values'),
    at(LIST, 'answer-totals', 'totals'),
  ],
  [
    'personal data of embedded records under those of the records',
    at('/x/v1/users', 'right-exposed', 'mail addresses to an anonymous caller', 'email'),
    at(LIST, 'right-exposed', 'mail addresses to an anonymous caller', '_embedded.author[].email'),
  ],
  [
    'what each caller sees of one list under what everybody sees of it',
    at(LIST, 'right-gained', 'more records to an anonymous caller', 'the list'),
    at(LIST, 'right-gained', 'more records to the caller "editor"', 'the list'),
  ],
  [
    'descriptions of records under a list without ids',
    at(LIST, 'answer-type', 'id'),
    asked('OPTIONS', at(RECORD, 'answer-member-removed', 'methods')),
  ],
  [
    'the status of unknown routes under answers of another form',
    at(LIST, 'answer-form', 'the answer'),
    at('*', 'refusal-changed', 'the status of "unknown route"'),
  ],
  [
    'a header that refusals lack under that of answers',
    at(LIST, 'header-removed', 'www-authenticate'),
    at('/x/v1/users', 'header-removed', `www-authenticate${SUBJECTS.ofRefusals}`),
  ],
  [
    'what surrounds refusals with other words, on one route',
    at(LIST, 'answer-unreadable', 'the body', 'a notice before the JSON'),
    asked('POST', at(LIST, 'answer-unreadable', 'the body of "denied"', 'a warning before the JSON')),
  ],
  [
    'links of pages under pages that repeat the first one',
    at(LIST, 'answer-repeated', 'pages'),
    at('/x/v1/pages', 'header-words', 'link'),
  ],
  [
    'records below a list that is denied as well',
    at(LIST, 'right-lost', 'an anonymous caller'),
    unsure({
      ...at(`${RECORD}/revisions`, 'right-lost', 'all records to an anonymous caller'),
      before: 'the list',
    }),
  ],
  [
    'texts in answers to writes under markup that they lose',
    at(LIST, 'answer-value', 'content written with markup'),
    unsure(at(RECORD, 'answer-value', 'previous.content.raw')),
  ],
  [
    'other records that are asked for under a list that is denied',
    at(LIST, 'right-lost', 'the caller "user"'),
    unsure(at(RECORD, 'answer-refused', 'records of a list', '404')),
  ],
  [
    'records that are not public under those that may no longer be edited',
    at(LIST, 'right-lost', 'the caller "author" with context=edit'),
    at(LIST, 'right-lost', 'the caller "author" with status=draft'),
  ],
  [
    'the description of a route that is refused',
    at(LIST, 'answer-refused', 'the request', '404'),
    asked('OPTIONS', at(LIST, 'answer-member-removed', 'schema')),
  ],
  [
    'headers of a page in place of JSON',
    at(LIST, 'answer-unreadable', 'the answer', 'text/html'),
    at(LIST, 'header-removed', 'x-wp-total'),
  ],
  [
    'methods under the rights of their caller',
    at(LIST, 'right-lost', 'an anonymous caller'),
    at(LIST, 'header-words', 'allow'),
  ],
  [
    'the order of a page of which records are hidden',
    { ...at(LIST, 'right-lost', 'some records to an anonymous caller'), before: 'the list' },
    at(LIST, 'answer-order', 'the first page'),
  ],
  [
    'a denied route in any form',
    at(LIST, 'right-lost', 'an anonymous caller'),
    at(LIST, 'right-lost', 'an anonymous caller with context=edit'),
  ],
  [
    'another size of pages under wrong totals',
    at(LIST, 'answer-totals', 'totals'),
    at(LIST, 'default', 'per_page default', '5'),
  ],
  [
    'hidden records under wrong totals',
    at(LIST, 'answer-totals', 'totals'),
    { ...at(LIST, 'right-lost', 'all records to an anonymous caller'), before: 'the list' },
  ],
  [
    'where links lead under their form',
    at(LIST, 'answer-member-added', '_links.author[].embeddable'),
    at(LIST, 'answer-rendered', '_links.*'),
  ],
  [
    'texts of protected records under their exposure',
    at(LIST, 'right-exposed', 'texts of protected records', 'an answer'),
    at(LIST, 'answer-rendered', 'content'),
  ],
  [
    'members of refusals under answers of another form',
    at(LIST, 'answer-form', 'the answer'),
    at(LIST, 'refusal-member-removed', 'the member code of refusals'),
  ],
  [
    'an empty answer under answers that break off',
    at(LIST, 'answer-unreadable', 'the body', 'JSON that breaks off'),
    asked('HEAD', at(LIST, 'answer-form', 'the answer', 'nothing')),
  ],
])('reports %s', (_, root, one) => {
  expect(explained(root, one)).toEqual([[one.id, root.id]]);
});

it.each([
  ['a list with other ids', at(LIST, 'answer-type', 'id'), at(RECORD, 'answer-refused', 'records of a list')],
  ['another type', at(LIST, 'answer-type', 'meta'), at('/x/v1/pages', 'answer-rendered', 'meta')],
  [
    'other addresses',
    at(LIST, 'answer-value', 'link', 'an address of another host'),
    at(LIST, 'answer-rendered', 'guid'),
  ],
  [
    'a denied list',
    at(LIST, 'right-lost', 'an anonymous caller'),
    at('/x/v1/more', 'refusal-changed', 'the code of "denied"'),
  ],
  [
    'a denied list, in preflights of what is below it',
    at('/x/v1/users', 'right-lost', 'an anonymous caller'),
    {
      ...at('/x/v1/users/me', 'right-lost', 'an anonymous caller with a preflight'),
      calls: { route: '/x/v1/users/me', methods: ['OPTIONS'] },
    },
  ],
  [
    'a refused list',
    at('/x/v1/users', 'answer-refused', 'the request', '404'),
    at('/x/v1/users/me', 'refusal-changed', 'the answer to "denied"', '404'),
  ],
  [
    'a refused list that others embed',
    at('/x/v1/users', 'answer-refused', 'the request', '404'),
    { ...at(LIST, 'answer-member-removed', '_embedded.author[].name'), after: REFUSED },
  ],
  [
    'a denied list that some records embed',
    at('/x/v1/users', 'right-lost', 'an anonymous caller'),
    { ...at(LIST, 'answer-member-removed', '_embedded.author[].*'), after: SOMETIMES },
  ],
  [
    'a renamed code',
    at(RECORD, 'refusal-changed', 'the code of "unknown record"', 'x_unknown'),
    {
      ...at(LIST, 'refusal-changed', 'the code of "invalid argument"', 'x_unknown'),
      class: 'unknown' as const,
    },
  ],
  [
    'a removed field that some embedded records show',
    at(LIST, 'field-removed', 'author'),
    {
      ...at('/x/v1/search', 'answer-member-removed', '_embedded.self[].*'),
      before: 'always author, excerpt',
    },
  ],
  [
    'pages that end at a number',
    at('/x/v1/parts', 'answer-fewer', 'per_page', '5'),
    at(LIST, 'default', 'per_page default', '5'),
  ],
  [
    'a member that everybody sees now',
    at(LIST, 'field-added', 'title.raw'),
    {
      ...at(LIST, 'right-gained', 'members of context=edit to an anonymous caller'),
      after: 'date_gmt, title.raw',
    },
  ],
  ['another form', at(LIST, 'answer-form', 'the answer'), at(LIST, 'answer-member-removed', 'headers')],
])('consequences of %s are none of their own', (_, root, one) => {
  expect(explained(root, one)).toEqual([[one.id, root.id]]);
});

it.each([
  ['POST', 'meta properties/price/items,type', 'meta.price', 'declared'],
  ['POST', 'author type', 'author', 'declared'],
  // What a list takes as a filter is no matter of what it shows.
  ['GET', 'author type', 'author', undefined],
  ['POST', 'author maximum', 'author', undefined],
  ['POST', 'meta properties/price/type', 'meta.rating', undefined],
])('another type in answers follows from that of %s %s', (method, keywords, member, cause) => {
  const about = { namespace: 'x/v1', route: LIST, method };
  const declared = { ...at(LIST, 'constraint', keywords), id: 'declared', about };
  const shown = [at(LIST, 'answer-type', member), at(`${RECORD}/revisions`, 'answer-type', member)];

  expect(withCauses(shown, [declared]).map((one) => one.cause)).toEqual([cause, cause]);
});

it('a member that records lack follows from the declaration that nobody may write it any more', () => {
  const about = { namespace: 'x/v1', route: LIST, method: 'POST' };
  const declared = at(LIST, 'constraint', 'meta properties/price');
  const removed = at(LIST, 'answer-member-removed', 'meta.price');
  const causeOf = (...more: readonly Partial<Change>[]): (string | undefined)[] =>
    more.map((one) => withCauses([removed], [{ ...declared, about, ...one }])[0]?.cause);

  expect(causeOf({}, { after: '{}' }, { subject: 'meta properties/rating' })).toEqual([
    declared.id,
    undefined,
    undefined,
  ]);
});

it.each<[string, Change, Change]>([
  [
    'a parameter that is required',
    at(LIST, 'required-parameter-added', 'author'),
    at(LIST, 'refusal-changed', 'the answer to "invalid argument"'),
  ],
  ['another default', at(LIST, 'default', 'orderby default'), at(LIST, 'default', 'orderby default')],
  ['a removed method', at(LIST, 'method-removed', 'DELETE'), at(LIST, 'header-words', 'allow')],
  ['a removed parameter', at(LIST, 'parameter-removed', 'meta'), at(RECORD, 'answer-member-removed', 'meta')],
])('what answers show follows from the declaration of %s', (_, cause, one) => {
  const about = { namespace: 'x/v1', route: LIST, method: 'POST' };
  const declared = { ...cause, id: 'declared', about };

  expect(withCauses([asked('POST', one)], [declared]).map((shown) => shown.cause)).toEqual(['declared']);
});
