import { describe, expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { type Change, type ChangeSpec, change } from '../change.ts';
import { NONE_LEFT } from '../declared/compare-surfaces.ts';
import { classOfKind, KINDS, type Kind } from '../law.ts';
import { groupsOf } from './groups.ts';

function narrowed(method: string, more: Partial<ChangeSpec> = {}): Change {
  const place = `${method} /cms/v2/posts`;
  return change({
    id: `index/routes/${place}/per_page/maximum`,
    kind: 'constraint',
    effect: 'narrows',
    owner: 'cms/v2',
    place,
    subject: 'per_page maximum',
    before: 100,
    after: 50,
    ...more,
  });
}

function checkOf(kind: 'check-broken' | 'check-untold' | 'check-fixed', id: string, cause?: string): Change {
  const found = change({ id: `checks/${id}`, kind, owner: 'cms/v2', place: id, subject: `check ${id}` });
  return cause === undefined ? found : { ...found, cause };
}

it('reports one cause in many places once, and names some of them', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH'];

  expect(groupsOf(methods.map((method) => narrowed(method)))).toMatchObject([
    {
      sentence:
        'GET /cms/v2/posts, POST /cms/v2/posts, PUT /cms/v2/posts and 1 more: per_page maximum was 100 and is 50: fewer values are accepted.',
      changes: { length: 4 },
    },
  ]);
});

it('reports once that a header lost words, even if it had more of them somewhere', () => {
  const lost = (place: string, words: string): Change =>
    narrowed('GET', {
      id: place,
      place,
      kind: 'header-words',
      effect: 'widens',
      subject: 'link',
      isText: true,
      before: `with ${words}`,
    });

  expect(groupsOf([lost('/a', 'next'), lost('/b', 'next, prev')])).toMatchObject([{ changes: ['/a', '/b'] }]);
});

it('reports once that embedded records lack a member, whatever embeds them', () => {
  const lacking = (list: string, relation: string, effect: 'widens' | 'unknown'): Change =>
    narrowed('GET', {
      ...{ id: list, place: list, calls: { route: list, methods: ['GET'] } },
      ...{ kind: 'answer-member-removed', effect, subject: `_embedded.${relation}[].title`, isText: true },
    });
  const groups = groupsOf([lacking('/a', 'up', 'widens'), lacking('/b', 'author', 'unknown')]);

  expect(groups.map(({ headline }) => headline)).toEqual([
    'a, b: `_embedded.up[].title` was removed, likewise `_embedded.author[].title`: 2 routes',
  ]);
});

it('does not take another type of a member of refusals for their code', () => {
  const data = ['rest_none', 'rest_denied'].map((refused) =>
    narrowed('GET', {
      ...{ id: refused, kind: 'refusal-changed', effect: 'incomparable', subject: `data of "${refused}"` },
      ...{ isText: true, before: 'object', after: 'empty object' },
    }),
  );

  expect(groupsOf(data).map(({ headline }) => headline)).toEqual([
    'GET /cms/v2/posts: `data` of 2 kinds of refusals is an empty object, not an object',
  ]);
});

it.each([
  ['none now', ['none', 'none', 'none'], ['GET /cms/v2/posts: 3 kinds of refusals have no code now']],
  ['one other', ['x', 'x', 'x'], ['GET /cms/v2/posts: 3 kinds of refusals have the code x now']],
  [
    'with another first word',
    ['api_none', 'api_bad_id', 'api_denied'],
    ['GET /cms/v2/posts: 3 codes of refusals changed alike, such as rest_none, which is api_none'],
  ],
  [
    'others each',
    ['absent', 'bad_id', 'denied'],
    [
      'GET /cms/v2/posts: the code of "rest_none" was rest_none and is absent',
      'GET /cms/v2/posts: the code of "rest_bad_id" was rest_bad_id and is bad_id',
      'GET /cms/v2/posts: the code of "rest_denied" was rest_denied and is denied',
    ],
  ],
])('reports codes of refusals that are %s once', (_, afters, expected) => {
  const codes = ['rest_none', 'rest_bad_id', 'rest_denied'].map((before, at) =>
    narrowed('GET', {
      ...{ id: before, kind: 'refusal-changed', effect: 'incomparable', subject: `the code of "${before}"` },
      ...{ isText: true, before, after: afters[at] },
    }),
  );

  expect(groupsOf(codes).map(({ headline }) => headline)).toEqual(expected);
});

it('reports changed refusals once, even if a few with another code do not prove it', () => {
  const retyped = (code: string, effect: 'incomparable' | 'unknown'): Change =>
    narrowed('GET', {
      ...{ id: code, kind: 'refusal-changed', effect, subject: `data of "${code}"` },
      ...{ isText: true, before: 'object', after: 'null' },
    });

  const usual = { ...retyped('usual', 'incomparable'), owner: 'cms/v1' };

  expect(groupsOf([retyped('rare', 'unknown'), usual])).toMatchObject([
    { class: 'breaking', changes: ['rare', 'usual'] },
  ]);
});

it('puts the worst first, whatever the order of the changes', () => {
  const wider = narrowed('GET', { id: 'wider', effect: 'widens', owner: 'a/v1' });
  const unsure = narrowed('GET', { id: 'unsure', effect: 'unknown', owner: 'b/v1' });

  expect(groupsOf([wider, unsure, narrowed('GET')]).map((one) => one.class)).toEqual([
    'breaking',
    'unknown',
    'compatible',
  ]);
});

it('assigns checks to the cause of their change, directly or indirectly', () => {
  const root = narrowed('GET');
  const [first, second] = [checkOf('check-broken', 'a', root.id), checkOf('check-untold', 'b', 'checks/a')];

  expect(groupsOf([second, first, root])).toMatchObject([{ id: root.id, hanging: [second.id, first.id] }]);
});

it('names the checks that make a cause bad which affects no caller by itself', () => {
  const wider = narrowed('GET', { effect: 'widens' });
  const of = (id: string): Change => checkOf('check-broken', id, wider.id);

  expect(groupsOf([wider, of('a')])[0]?.advice).toBe('It contradicts the contract: a fails.');
  expect(groupsOf([wider, of('a'), of('b')])[0]?.advice).toBe('It contradicts the contract: a, b fail.');
});

it('makes a cause as bad as a check that breaks because of it, but not worse because of an inconclusive one', () => {
  const [unsure, mended] = [narrowed('GET', { effect: 'unknown' }), checkOf('check-fixed', 'a')];

  expect(groupsOf([unsure, checkOf('check-broken', 'b', unsure.id)])[0]?.class).toBe('breaking');
  expect(groupsOf([mended, checkOf('check-untold', 'b', mended.id)])[0]?.class).toBe('compatible');
});

it('ends if causes form a circle', () => {
  const circle = [checkOf('check-broken', 'a', 'checks/b'), checkOf('check-broken', 'b', 'checks/a')];

  expect(groupsOf(circle).flatMap((one) => one.changes)).toHaveLength(2);
});

it('reports once what cannot be compared for one reason, in any number of namespaces', () => {
  const untold = (id: string, reason: string, owner = 'cms/v2'): Change => ({
    ...checkOf('check-untold', id),
    reason,
    owner,
  });
  const denied = 'inconclusive before: denied';
  const groups = groupsOf([
    untold('a', denied),
    untold('b', denied, 'seo/v1'),
    untold('c', 'skip after: over budget'),
    untold('d', denied),
  ]);

  expect(groups).toMatchObject([
    { owner: 'cms/v2', changes: ['checks/c'] },
    {
      owner: 'site',
      changes: { length: 3 },
      sentence: 'a, b, d: cannot be compared, inconclusive before: denied.',
    },
  ]);
});

it.each([
  ['narrows', /are refused. Look for such values/],
  ['unknown', /^Call the later site with the values that you send/],
  ['widens', /^No caller is affected\.$/],
] as const)('gives the advice for a cause that %s', (effect, expected) => {
  expect(groupsOf([narrowed('GET', { effect })])[0]?.advice).toMatch(expected);
});

it.each([
  ['access-control-allow-origin', /^Browsers refuse scripts of other sites/],
  ['link', /^Callers that follow the links/],
  ['x-wp-total', /^Callers that read it find nothing/],
])('gives advice for the header %s', (subject, expected) => {
  const parts = { id: subject, kind: 'header-removed', owner: 'cms/v2', place: '/cms/v2/posts' } as const;

  expect(groupsOf([change({ ...parts, effect: 'widens', subject })])[0]?.advice).toMatch(expected);
});

it('has advice for every kind of change that may affect callers, and for no other word', () => {
  const advice = textsOf('advice');
  const names = Object.keys(KINDS).filter((name): name is Kind => Object.hasOwn(KINDS, name));
  const isAffecting = (kind: Kind): boolean => {
    const { effect } = KINDS[kind];
    return effect === undefined || classOfKind(kind, effect) !== 'compatible';
  };

  expect(names.filter((kind) => isAffecting(kind) && advice[kind]?.advice === undefined)).toEqual([]);
  expect(
    Object.keys(advice).filter(
      (name) => !Object.hasOwn(KINDS, name.split(' ')[0] ?? '') && !name.startsWith('header '),
    ),
  ).toEqual([]);
});

describe('members that change in the same way', () => {
  const member = (kind: Kind, subject: string, more: Partial<ChangeSpec> = {}): Change =>
    change({
      ...{ id: `${kind} ${subject}`, kind, effect: 'incomparable', owner: 'cms/v2', place: '/cms/v2/posts' },
      ...{ subject, isText: true, ...more },
    });
  const texts = (...names: readonly string[]): Change[] =>
    names.map((name) => member('answer-type', name, { before: 'integer', after: 'text' }));

  it('are one cause in all namespaces, and also where few records show it', () => {
    const few = member('answer-type', 'size', { effect: 'unknown', owner: 'shop/v1', after: 'text' });
    const [group, ...others] = groupsOf([few, ...texts('id', 'author')]);

    expect(others).toEqual([]);
    expect(group).toMatchObject({ class: 'breaking', owner: 'site', id: 'answer-type id' });
    expect(group?.headline).toBe('/cms/v2/posts: `id` is a text, not an integer, likewise 2 other members');
    expect(group?.sentence).toContain('likewise size, author');
    expect(groupsOf(texts('id', 'author')).map(({ headline }) => headline)).toEqual([
      '/cms/v2/posts: `id` is a text, not an integer, likewise `author`',
    ]);
  });

  it('are accepted together only as long as they are the same', () => {
    const digestOf = (...names: readonly string[]): string | undefined =>
      groupsOf(texts(...names))[0]?.digest;

    expect(digestOf('id', 'author', 'parent')).toBe(digestOf('parent', 'id', 'author'));
    expect(digestOf('id', 'author', 'parent', 'post')).not.toBe(digestOf('id', 'author', 'parent'));
  });

  it('are one cause if records lack them, all or some', () => {
    const removed = member('field-removed', 'tags', { effect: 'widens' });
    const some = member('field-doubtful', 'excerpt.raw', { effect: 'unknown' });
    const lacking = member('answer-member-removed', 'slug', { effect: 'unknown', after: 'sometimes' });

    expect(groupsOf([some, lacking, removed])).toMatchObject([{ class: 'breaking', id: removed.id }]);
  });

  it('are one cause only where lists or members connect them', () => {
    const at = (place: string, subject: string): Change =>
      member('answer-member-removed', subject, { id: `${place} ${subject}`, place });
    const others = ['slug', 'date'].map((name) => at('/cms/v2/terms', name));

    expect(
      groupsOf([at('/cms/v2/posts', 'link'), at('/cms/v2/pages', 'link'), ...others]).map(
        ({ changes }) => changes.length,
      ),
    ).toEqual([2, 2]);
    expect(groupsOf([at('/cms/v2/posts', 'slug'), at('/cms/v2/posts', 'link'), ...others])).toHaveLength(1);
  });
});

it('names a parameter once that several methods no longer have, however each described it', () => {
  const removed = ['GET', 'POST'].map((method) =>
    narrowed(method, { kind: 'parameter-removed', subject: 'author', before: { in: method } }),
  );

  expect(groupsOf(removed).map(({ changes }) => changes.length)).toEqual([2]);
});

it('names all parameters once that operations no longer have, when none is left', () => {
  const gone = ['author', 'page'].flatMap((subject) =>
    ['GET', 'POST'].map((method) =>
      narrowed(method, {
        id: `${method} ${subject}`,
        kind: 'parameter-removed',
        subject,
        evidence: NONE_LEFT,
      }),
    ),
  );

  expect(groupsOf(gone).map(({ headline }) => headline)).toEqual([
    'posts: all parameters were removed: 2 methods',
  ]);
});

it('takes checks that can no longer be evaluated for dependents of a cause that alone breaks callers', () => {
  const untold = { ...checkOf('check-untold', 'b'), reason: 'inconclusive after: no record' };
  const other = narrowed('GET', { id: 'other', subject: 'page maximum' });

  expect(groupsOf([untold, narrowed('GET')])).toMatchObject([{ hanging: [untold.id] }]);
  expect(groupsOf([untold, narrowed('GET'), other])).toHaveLength(3);
  expect(groupsOf([{ ...untold, reason: 'inconclusive before: no record' }, narrowed('GET')])).toHaveLength(
    2,
  );
});

describe('one line', () => {
  it('names all refusals that cannot be read', () => {
    const bodies = ['denied', 'invalid argument'].map((kind) =>
      change({
        ...{ id: kind, kind: 'answer-unreadable', owner: 'cms/v2', place: '/cms/v2/posts' },
        ...{ subject: `the body of "${kind}"`, before: 'JSON', after: 'a page' },
      }),
    );
    expect(groupsOf(bodies).map(({ changes }) => changes.length)).toEqual([2]);
  });

  it('names the checks that fail for one parameter, or for one requirement of several operations', () => {
    const check = (id: string, parameter?: string): Change => {
      const calls = parameter && { calls: { route: '/cms/v2/notes', methods: ['GET'], parameter } };
      return { ...checkOf('check-broken', id), ...calls };
    };
    const checks = [
      check('notes.list/include/filters', 'include'),
      check('notes.list/include/type/enforced', 'include'),
      check('notes.list/exclude/filters', 'exclude'),
      check('saves.list/answers/anonymous'),
      check('saves.read/answers/anonymous'),
    ];

    expect(groupsOf(checks).map(({ headline }) => headline)).toEqual([
      'notes.list: checks of `include` fail now, and did not before: 2 checks',
      'notes.list/exclude/filters: fails now, and did not before',
      'saves.list, saves.read: checks of `answers/anonymous` fail now, and did not before: 2 checks',
    ]);
  });
});
