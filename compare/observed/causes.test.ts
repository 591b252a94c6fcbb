import { describe, expect, it } from 'vitest';
import type { AnswerNotes, MemberNotes, RefusalNotes } from '../../client/observed/document.ts';
import { type Change, change } from '../change.ts';
import { KINDS, type Kind } from '../law.ts';
import { compareAnswers } from './compare-answers.ts';
import { REFUSED, SOMETIMES } from './difference.ts';
import { NOTES, sideOf } from './notes.fixture.ts';
import { withRoots } from './roots.ts';

type Side = readonly [answers: readonly Partial<AnswerNotes>[], refusals?: readonly Partial<RefusalNotes>[]];

const REFUSAL: RefusalNotes = {
  ...{ route: NOTES.route, namespace: 'x/v1', method: 'GET', caller: 'anonymous', kind: 'denied' },
  ...{ status: 401, code: 'no_access', answers: 4 },
  ...{ members: { code: 4 }, types: { 'application/json': 4 } },
};

const LIST = '/x/v1/notes';
const RECORD = '/x/v1/notes/{}';

function said(...sides: readonly [Side, Side]): string[] {
  const [before, after] = sides.map(([answers, refusals = []]) =>
    sideOf(
      answers.map((one) => ({ ...NOTES, ...one })),
      refusals.map((one) => ({ ...REFUSAL, ...one })),
    ),
  );
  if (before === undefined || after === undefined) return [];
  const { changes } = compareAnswers(before, after);
  return changes.map(({ class: found, kind, subject }) => `${found} ${kind} ${subject}`);
}

function at(route: string, kind: Kind, subject: string, after?: string): Change {
  return change({
    ...{ id: `${kind} ${route} ${subject}`, kind, owner: 'x/v1', place: route, subject, after },
    ...(KINDS[kind].effect === undefined && { effect: 'incomparable' }),
    calls: { route, methods: ['GET'] },
  });
}

function explained(...changes: readonly Change[]): readonly [id: string, cause: string][] {
  return withRoots(changes, []).flatMap(({ id, cause }) =>
    cause === undefined ? [] : [[id, cause] as const],
  );
}

describe('a list that a caller was denied', () => {
  const denied = { statuses: { 401: 4 }, accepted: 0, forms: {}, records: 0 };
  const answered = { statuses: { 200: 4 }, accepted: 4, forms: { refusal: 4 }, records: 0 };

  it('is not shown by a refusal with a status of success', () => {
    expect(said([[denied]], [[answered]])).toEqual(['breaking refusal-changed the status of "denied"']);
    expect(said([[denied]], [[{ ...answered, forms: { list: 4 } }]])).toEqual([
      'exposed right-exposed an anonymous caller',
    ]);
  });

  it('shows no record to HEAD', () => {
    const head = { method: 'HEAD', forms: {} };
    const [before, after] = [denied, answered].map((one) => ({ ...one, ...head }));
    expect(said([[before ?? {}]], [[after ?? {}]])).toEqual(['compatible right-gained an anonymous caller']);
  });

  it.each([
    ['a list', '/x/v1/notes', ['breaking refusal-changed the answer to "denied"']],
    ['a record, which may be gone,', '/x/v1/notes/{id}', []],
  ])('is hidden: %s', (_, route, expected) => {
    const hidden = { route, kind: 'unknown record', status: 404, code: 'no_route' } as const;
    expect(said([[], [{ route }]], [[], [hidden]])).toEqual(expected);
  });
});

describe('headers of few answers', () => {
  it('count together for all answers of a route, and not for fewer than three', () => {
    const side = (seen: number, callers: readonly string[]): Side => [
      callers.map((caller) => ({
        ...{ caller, accepted: 1, statuses: { 200: 1 }, forms: { list: 1 }, records: 1 },
        headers: seen === 0 ? {} : { 'x-wp-total': { seen } },
      })),
    ];
    const [few, more] = [
      ['user', 'anonymous'],
      ['user', 'anonymous', 'editor'],
    ];

    expect(said(side(1, few ?? []), side(0, few ?? []))).toEqual(['unknown header-removed x-wp-total']);
    expect(said(side(1, more ?? []), side(0, more ?? []))).toEqual(['breaking header-removed x-wp-total']);
  });

  it('have other words for callers on three routes', () => {
    const side = (word: string): Side => [
      ['/x/v1/a', '/x/v1/b', '/x/v1/c'].map((route) => ({
        ...{ route, method: 'OPTIONS', accepted: 1, statuses: { 200: 1 }, forms: { object: 1 }, records: 1 },
        headers: { 'access-control-allow-origin': { seen: 1, words: { [word]: 1 } } },
      })),
    ];

    expect(new Set(said(side('the origin that asked'), side('another origin')))).toEqual(
      new Set(['breaking header-words access-control-allow-origin']),
    );
  });
});

it('does not report a type of one record that other records of its list had', () => {
  const of = (types: Readonly<Record<string, number>>) => ({ members: { score: { seen: 2, of: 2, types } } });
  const list = of({ integer: 1, fraction: 1 });
  const one = { route: '/x/v1/notes/{id}', forms: { object: 1 }, records: 1 };
  const side = (record: string, other = list): Side => [[other, { ...one, ...of({ [record]: 1 }) }]];

  expect(said(side('integer'), side('fraction'))).toEqual([]);
  expect(said(side('integer', of({ integer: 2 })), side('fraction', of({ integer: 2 })))).toEqual([
    'unknown answer-type score',
  ]);
});

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

it.each<[string, Change, Change]>([
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
    'what each caller sees under what everybody sees',
    at('/x/v1/users', 'right-exposed', 'mail addresses to an anonymous caller', 'name'),
    at('/x/v1/users/{}', 'right-exposed', 'mail addresses to the caller "editor"', 'name'),
  ],
  [
    'totals under a list that holds something else than objects',
    at(LIST, 'answer-form', 'the answer', 'list of other values'),
    at(LIST, 'answer-totals', 'totals'),
  ],
])('reports %s', (_, root, one) => {
  expect(explained(root, one)).toEqual([[one.id, root.id]]);
});

it('is not silent about values of a member that has another type in another list', () => {
  const side = (text: string, type: string): Side => [
    [
      { sample: { members: ['author'], records: { 1: `m ${text}`, 2: `m ${text}`, 3: `m ${text}` } } },
      { route: '/x/v1/texts', members: { author: { seen: 20, of: 20, types: { [type]: 20 } } } },
    ],
  ];

  expect(said(side('x', 'integer'), side('y', 'text'))).toEqual([
    'unknown answer-rendered author',
    'breaking answer-type author',
  ]);
});

it('leaves out what two callers saw differently on both sides, because it may be random', () => {
  const read = (caller: string, text: string): Partial<AnswerNotes> => ({
    ...{ caller, context: 'view' },
    sample: { members: ['content'], records: { 1: `m ${text}`, 2: `m ${text}`, 3: `m ${text}` } },
  });

  expect(
    said([[read('user', 'a'), read('anonymous', 'b')]], [[read('user', 'c'), read('anonymous', 'd')]]),
  ).toEqual([]);
  expect(
    said([[read('user', 'a'), read('anonymous', 'a')]], [[read('user', 'c'), read('anonymous', 'd')]]),
  ).toEqual(['unknown answer-rendered content']);
});

it.each([
  ['is certain that unmodified records have lost', 3, 'breaking'],
  ['is not certain that other records have lost', 0, 'unknown'],
])('%s a relation of all of them, though other relations come and go', (_, same, found) => {
  const link = { seen: 20, of: 20, types: { list: 20 } };
  const side = (modified: string, links: Readonly<Record<string, MemberNotes>>): Side => {
    const records = Object.fromEntries([1, 2, 3].map((id) => [id, id > same ? modified : 'm']));
    return [
      [
        {
          sample: { members: [], records },
          members: { _links: { ...link, types: { object: 20 } }, ...links },
        },
      ],
    ];
  };
  const others = { '_links.up': { ...link, seen: 9, sometimes: true } as const };
  const [was, is] = [side('a', { '_links.author': link, ...others }), side('b', others)];

  expect(said(was, is)).toEqual([`${found} answer-member-removed _links.author`]);
});

describe('a member that only some records have, and none now', () => {
  const of = (modified: string, path: string, seen: number): Side => {
    const records = Object.fromEntries([...Array(20).keys()].map((id) => [id, id < 13 ? 'm' : modified]));
    const own = { seen, of: 20, types: { list: seen }, sometimes: true } as const;
    const members = {
      [path.split('.')[0] ?? '']: { seen: 20, of: 20, types: { object: 20 } },
      ...(seen > 0 && { [path]: own }),
    };
    return [[{ sample: { members: [], records }, members }]];
  };

  it.each([
    ['_links.file', 10, ['unknown answer-member-removed _links.file']],
    ['_links.file', 9, []],
    ['sizes.large', 9, ['unknown answer-member-removed sizes.large']],
    ['sizes.large', 8, []],
  ])('is lost where several are unmodified: %s of %i of 20', (path, seen, expected) => {
    expect(said(of('a', path, seen), of('b', path, 0))).toEqual(expected);
  });
});

it.each([
  ['are others, behind it', ['9', '8', '7'], ['1', '2', '3'], ['unknown answer-order the first page']],
  ['are the same but for new ones', ['9', '8', '7'], ['11', '10', '9'], []],
  ['are fewer', ['9', '8', '7', '6', '5', '4'], ['9', '8', '7'], []],
])('notices another order where the records of the first page %s', (_, then, now, expected) => {
  const side = (order: readonly string[]): Side => {
    const records = Object.fromEntries([...Array(9).keys()].map((id) => [id + 1, 'm']));
    return [[{ sample: { members: [], records, order } }]];
  };

  expect(said(side(then), side(now))).toEqual(expected);
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

  expect(withRoots(shown, [declared]).map((one) => one.cause)).toEqual([cause, cause]);
});

it('a member that records lack follows from the declaration that nobody may write it any more', () => {
  const about = { namespace: 'x/v1', route: LIST, method: 'POST' };
  const declared = at(LIST, 'constraint', 'meta properties/price');
  const removed = at(LIST, 'answer-member-removed', 'meta.price');
  const causeOf = (...more: readonly Partial<Change>[]): (string | undefined)[] =>
    more.map((one) => withRoots([removed], [{ ...declared, about, ...one }])[0]?.cause);

  expect(causeOf({}, { after: '{}' }, { subject: 'meta properties/rating' })).toEqual([
    declared.id,
    undefined,
    undefined,
  ]);
});
