import { describe, expect, it } from 'vitest';
import type { AnswerNotes, MemberNotes, RefusalNotes } from '../../client/observed/document.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES, sideOf } from './notes.fixture.ts';

type Side = readonly [answers: readonly Partial<AnswerNotes>[], refusals?: readonly Partial<RefusalNotes>[]];

const REFUSAL: RefusalNotes = {
  ...{ route: NOTES.route, namespace: 'x/v1', method: 'GET', caller: 'anonymous', kind: 'denied' },
  ...{ status: 401, code: 'no_access', answers: 4 },
  ...{ members: { code: 4 }, types: { 'application/json': 4 } },
};

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

/** Members of four records. */
function membersOf(...names: readonly string[]): Record<string, MemberNotes> {
  return Object.fromEntries(names.map((name) => [name, { seen: 4, of: 4, types: { integer: 4 } }]));
}

describe('a list that a caller was denied', () => {
  const denied = { statuses: { 401: 4 }, accepted: 0, forms: {}, records: 0 };
  const answered = { statuses: { 200: 4 }, accepted: 4, forms: { refusal: 4 }, records: 0 };

  it('is not shown by a refusal or a page with a status of success', () => {
    expect(said([[denied]], [[answered]])).toEqual(['breaking refusal-changed the status of "denied"']);
    expect(said([[denied]], [[{ ...answered, forms: { unreadable: 4 } }]])).toEqual([
      'breaking refusal-changed the status of "denied"',
    ]);
    expect(said([[denied]], [[{ ...answered, forms: { list: 4 } }]])).toEqual([
      'exposed right-exposed an anonymous caller',
    ]);
  });

  it.each<[string, Partial<AnswerNotes>, string]>([
    ['context=edit', { context: 'edit', members: membersOf('id') }, 'breaking refusal-changed'],
    ['context=edit and more', { context: 'edit', members: membersOf('id', 'raw') }, 'exposed right-exposed'],
    ['a status', { with: ['status=draft'], published: { public: 4, hidden: 0 } }, 'breaking refusal-changed'],
    [
      'a status and drafts',
      { with: ['status=draft'], published: { public: 3, hidden: 1 } },
      'exposed right-exposed',
    ],
    ['a status and nothing', { with: ['status=draft'], records: 0 }, 'exposed right-exposed'],
  ])('is not exposed by what was shown anyway, asked with %s', (_, asked, expected) => {
    const shown = { ...answered, forms: { list: 4 }, records: 4 };
    const usual = { ...shown, context: 'view', members: membersOf('id') };
    const { context, with: others } = { context: 'view', ...asked };
    const was = { ...denied, context, ...(others && { with: others }) };

    expect(said([[usual, was]], [[usual, { ...shown, context, ...asked }]])).toEqual([
      expect.stringContaining(expected),
    ]);
    // A caller who was denied the whole list is shown all of it.
    const both = said([[{ ...denied, context: 'view' }, was]], [[usual, { ...shown, context, ...asked }]]);
    expect(both).toContain('exposed right-exposed an anonymous caller');
    expect(both.join()).not.toContain('refusal-changed');
  });

  it('shows nothing if it is empty, and the user sees records in it', () => {
    const asked = { with: ['status=private'] };
    const list = { ...answered, ...asked, forms: { list: 4 } };
    const user = { ...list, caller: 'user', records: 4 };

    expect(said([[{ ...denied, ...asked }, user]], [[list, user]])).toEqual([
      'compatible right-gained an anonymous caller with status=private',
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

describe('a server error', () => {
  const data = { code: 4, 'data.trace': 4 };
  const html = { types: { 'text/html': 4 } };

  it.each<[string, Partial<RefusalNotes>, string]>([
    ['another code', { code: 'plugin_fatal' }, 'refusal-changed the code of "server error"'],
    ['another status', { status: 503 }, 'refusal-changed the status of "server error"'],
    ['fewer members', { members: { code: 4 } }, 'refusal-member-removed data.trace of "no_access"'],
    ['another content type', html, 'refusal-changed the content type of refusals'],
  ])('breaks nobody by %s, unlike another refusal', (_, change, expected) => {
    const between = (kind: RefusalNotes['kind'], status: number): string[] => {
      const was = ['a', 'b', 'c', 'd'].map((name) => ({
        ...{ kind, status, route: `/x/v1/${name}`, members: { data: 4, ...data } },
      }));
      const is = was.map((one) => ({ ...one, ...change, members: { data: 4, ...(change.members ?? data) } }));
      return [...new Set(said([[], was], [[], is]))];
    };
    expect(between('server error', 500)).toEqual([`unknown ${expected}`]);
    expect(between('invalid argument', 400)).toEqual([
      `breaking ${expected.replace('server error', 'invalid argument')}`,
    ]);
  });
});

describe('a right', () => {
  const denied = { statuses: { 401: 4 }, accepted: 0, forms: {}, records: 0 };
  const write = { method: 'DELETE', with: ['a valid call'] };

  it.each<[string, Partial<AnswerNotes>, Partial<AnswerNotes>, string]>([
    ['lost', {}, denied, 'breaking right-lost an anonymous caller'],
    ['that lets anybody in', denied, {}, 'exposed right-exposed an anonymous caller'],
    [
      'that lets anybody write',
      { ...denied, ...write },
      write,
      'exposed right-exposed an anonymous caller with a valid call',
    ],
    [
      'of another caller',
      { ...denied, caller: 'reader' },
      { caller: 'reader' },
      'exposed right-exposed the caller "reader"',
    ],
    [
      'that the user gained',
      { ...denied, caller: 'user' },
      { caller: 'user' },
      'compatible right-gained the caller "user"',
    ],
  ])('%s', (_, was, is, change) => {
    expect(said([[was]], [[is]])).toEqual([change]);
  });
});

it('says that a page beyond the last one is no longer refused', () => {
  const side = (status: number): Side => [
    [],
    [{ kind: 'page beyond the last', status, answers: 1, asked: '/x/v1/notes?page=1000000' }],
  ];

  expect(said(side(400), side(200))).toEqual([
    'breaking refusal-changed the status of "page beyond the last"',
  ]);
  expect(said(side(200), side(400))).toEqual([
    'unknown refusal-changed the status of "page beyond the last"',
  ]);
});

describe('a field that a creation leaves to the site', () => {
  const made = (unsent: AnswerNotes['unsent'] = {}): Side => [[{ method: 'POST', unsent }]];

  it('has another default if all new records have another word', () => {
    expect(said(made({ sticky: { false: 3 } }), made({ sticky: { true: 3 } }))).toEqual([
      'breaking default sticky default',
    ]);
  });

  it.each([
    ['in few records', { sticky: { false: 2 } }, { sticky: { true: 9 } }],
    ['if it depends on the record', { sticky: { false: 9 } }, { sticky: { false: 1, true: 9 } }],
    ['if one run has not seen it', { sticky: { false: 9 } }, {}],
  ])('says nothing %s', (_, was, is) => {
    expect(said(made(was), made(is))).toEqual([]);
  });
});

describe('the date of change after updates', () => {
  const updated = (words: Record<string, number>): Side => [[{ method: 'PUT', unsent: { modified: words } }]];

  it('breaks callers that look for changes, if no update moves it any more', () => {
    expect(said(updated({ moved: 9 }), updated({ kept: 3 }))).toEqual([
      'breaking answer-value modified after an update',
    ]);
  });

  it.each([
    ['if some still do', { moved: 9 }, { moved: 1, kept: 8 }],
    ['if some did not', { moved: 9, kept: 1 }, { kept: 9 }],
    ['if updates move it now', { kept: 9 }, { moved: 9 }],
    ['of few updates', { moved: 9 }, { kept: 2 }],
  ])('says nothing %s', (_, was, is) => {
    expect(said(updated(was), updated(is))).toEqual([]);
  });
});

describe('what is written', () => {
  const written = (part: string, words: Record<string, number>): Side => [
    [{ method: 'POST', unsent: { [`content written with ${part}`]: words } }],
  ];

  it.each([
    ['a long text', 'lost', 'breaking'],
    ['several values', 'lost', 'breaking'],
    ['line breaks', 'lost', 'unknown'],
    ['line breaks', 'encoded', 'unknown'],
  ])('loses %s (%s)', (part, fate, effect) => {
    expect(said(written(part, { kept: 3 }), written(part, { [fate]: 3 }))).toEqual([
      `${effect} answer-value content written with ${part}`,
    ]);
  });

  it.each([
    ['where it is kept now', { lost: 3 }, { kept: 3 }],
    ['where it depends on the value', { kept: 9 }, { kept: 1, lost: 8 }],
    ['of few values', { kept: 9 }, { lost: 2 }],
  ])('says nothing %s', (_, was, is) => {
    expect(said(written('markup', was), written('markup', is))).toEqual([]);
  });
});

describe('one request to each of some lists that fails now', () => {
  const side = (status: number, accepted: number, asked: readonly string[]): Side => [
    asked.map((word, at) => ({
      ...{ route: `/x/v1/list${at}`, with: [word], statuses: { [status]: 1 }, accepted },
      ...{ forms: accepted === 0 ? {} : { list: 1 }, records: accepted },
    })),
  ];

  it.each([
    ['the same parameter with other values', ['_fields=id,title', '_fields=id,name', '_fields'], 'breaking'],
    ['other parameters', ['_fields=id,title', '_embed', 'context=edit'], 'unknown'],
    ['two lists', ['_fields=id,title', '_fields=id,name'], 'unknown'],
  ])('with %s', (_, asked, found) => {
    expect(said(side(200, 1, asked), side(500, 0, asked))).toEqual(
      asked.map((word) => `${found} answer-refused with ${word}`),
    );
  });
});

it.each([
  ['three pages', { kept: 4, lost: 0 }, 3, ['breaking header-words link']],
  ['two pages', { kept: 4, lost: 0 }, 2, ['unknown header-words link']],
  ['three pages, and did before', { kept: 0, lost: 1 }, 3, []],
  ['three pages, and none is known before', undefined, 3, []],
])('names links that lack an argument of the request on %s', (_, chosen, lost, expected) => {
  const totals = { true: 4, untrue: 0, paged: 4, astray: 0 };
  const side = (noted: typeof chosen): Side => [[{ totals: { ...totals, ...(noted && { chosen: noted }) } }]];

  expect(said(side(chosen), side({ kept: 0, lost }))).toEqual(expected);
});

it.each([
  ['three of all', 20, 17, ['breaking header-removed x-wp-total']],
  ['two of one list', 20, 18, ['unknown header-removed x-wp-total']],
  ['one', 20, 19, []],
  ['some, as before', 19, 17, []],
])('names a header that %s answers lack', (_, before, after, expected) => {
  const side = (seen: number): Side => [[{ headers: { 'x-wp-total': { seen }, etag: { seen } } }]];

  expect(said(side(before), side(after))).toEqual(expected);
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
  const side = (order: readonly string[], note: string): Side => {
    const records = Object.fromEntries([...Array(9).keys()].map((id) => [id + 1, note]));
    return [[{ sample: { members: ['name'], records, order } }]];
  };

  // With a date of change, and without one.
  for (const note of ['m', '- aaaaaa']) expect(said(side(then, note), side(now, note))).toEqual(expected);
});
