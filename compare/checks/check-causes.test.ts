import { expect, it } from 'vitest';
import { sampleCheck } from '../../engine/result.fixture.ts';
import type { CheckResult } from '../../engine/result.ts';
import { type ChangeSpec, change } from '../change.ts';
import { causeFinder } from './check-causes.ts';

const PLACES = {
  'posts.list': { namespace: 'cms/v2', route: '/cms/v2/posts', methods: ['GET'] },
  'posts.create': { namespace: 'cms/v2', route: '/cms/v2/posts', methods: ['POST'] },
  'index.read': { namespace: '', route: '/', methods: ['GET'] },
};

function check(more: Partial<CheckResult>): CheckResult {
  return sampleCheck({ id: 'x', verdict: 'fail', ...more });
}

const came: readonly ChangeSpec[] = [
  {
    id: 'parameter',
    kind: 'parameter-added',
    owner: 'cms/v2',
    place: 'GET /cms/v2/posts',
    subject: 'format',
    about: { namespace: 'cms/v2', route: '/cms/v2/posts', method: 'GET', parameter: 'format' },
  },
  { id: 'member', kind: 'member-added', owner: 'site', place: 'the index', subject: 'show_on_front' },
  {
    id: 'namespace',
    kind: 'namespace-added',
    owner: 'x/v1',
    place: 'the namespace x/v1',
    subject: 'namespace',
    about: { namespace: 'x/v1' },
  },
];

it.each([
  ['a parameter', { operation: 'posts.list', parameter: 'format' }, 'parameter'],
  ['a member of the index', { operation: 'index.read', expected: 'show_on_front' }, 'member'],
  ['a namespace', { namespace: 'x/v1' }, 'namespace'],
])('explains fixed checks by an added %s, and no failing ones', (_, about, id) => {
  const causeOf = causeFinder(came.map(change), PLACES);

  expect(causeOf(check(about), true)).toBe(id);
  expect(causeOf(check(about), false)).toBeUndefined();
});

it('explains failing checks of a declaration by the parameter that is declared wider, and no checks of behaviour', () => {
  const wider = change({
    id: 'wider',
    kind: 'constraint',
    effect: 'widens',
    owner: 'cms/v2',
    place: 'GET /cms/v2/posts',
    subject: 'status items/enum',
    about: { namespace: 'cms/v2', route: '/cms/v2/posts', method: 'GET', parameter: 'status' },
  });
  const causeOf = causeFinder([wider], PLACES);
  const about = { operation: 'posts.list', parameter: 'status' };

  expect(causeOf(check({ ...about, about: 'declaration' }), false)).toBe('wider');
  expect(causeOf(check({ ...about, parameter: 'search', about: 'declaration' }), false)).toBeUndefined();
  expect(causeOf(check(about), false)).toBeUndefined();
});

it('explains failing checks of pages by wrong totals, and none of filters', () => {
  const totals = change({
    id: 'totals',
    kind: 'answer-totals',
    effect: 'incomparable',
    owner: 'cms/v2',
    place: '/cms/v2/posts',
    subject: 'totals',
    about: { namespace: 'cms/v2', route: '/cms/v2/posts' },
  });
  const causeOf = causeFinder([totals], PLACES);
  const causes = ['page', 'ignore_sticky', 'tags_exclude'].map((parameter) =>
    causeOf(check({ operation: 'posts.list', parameter }), false),
  );

  expect(causes).toEqual(['totals', 'totals', undefined]);
});

it('explains checks that did not find a member by its change, and no others', () => {
  const changed = change({
    id: 'date',
    kind: 'answer-value',
    owner: 'cms/v2',
    place: '/cms/v2/posts',
    subject: 'date',
    calls: { route: '/cms/v2/posts', methods: ['GET'] },
  });
  const causeOf = causeFinder([changed], PLACES);
  const of = (message: string): string | undefined =>
    causeOf(check({ operation: 'posts.list', verdict: 'inconclusive', message }), false);

  expect(of('the records do not show date')).toBe('date');
  expect(of('the records do not show date_gmt')).toBeUndefined();
});

it('explains checks of a filter by the member that it reads, or by several changed members of the same records', () => {
  const changed = (subject: string): ReturnType<typeof change> =>
    change({
      ...{
        id: subject,
        kind: 'answer-type',
        effect: 'incomparable',
        owner: 'cms/v2',
        place: '/cms/v2/posts',
      },
      ...{ subject, calls: { route: '/cms/v2/posts', methods: ['GET'] } },
    });
  const tags = causeFinder([changed('tags[]')], PLACES);
  const several = causeFinder(['title', 'content', 'guid'].map(changed), PLACES);
  const of = (parameter?: string): CheckResult =>
    check({ operation: 'posts.list', ...(parameter && { parameter }) });

  expect([of('tags'), of('tags_exclude'), of('tagsets')].map((one) => tags(one, false))).toEqual([
    'tags[]',
    'tags[]',
    undefined,
  ]);
  expect([of(), of('search')].map((one) => several(one, false))).toEqual(['title', undefined]);
});

it('explains a check of the index by the changed member that it is about', () => {
  const zone = {
    id: 'index/root/gmt_offset',
    kind: 'zone-changed',
    owner: 'site',
    place: 'the index',
  } as const;
  const causeOf = causeFinder([change({ ...zone, subject: 'gmt_offset' })], PLACES);

  expect(causeOf(check({ id: 'index/gmt_offset/type', operation: 'index.read' }), false)).toBe(zone.id);
  expect(causeOf(check({ id: 'index/name/type', operation: 'index.read' }), false)).toBeUndefined();
});

/** A change of what a list or its records show. */
function shown(id: string, kind: ChangeSpec['kind'], subject: string, after?: string): ChangeSpec {
  const calls = { route: '/cms/v2/posts', methods: ['GET'] };
  return {
    id,
    kind,
    owner: 'cms/v2',
    place: '/cms/v2/posts',
    subject,
    effect: 'unknown',
    isText: true,
    calls,
    after,
  };
}

it.each([
  ['a member that one of two answers lacks', 'one answer shows the author of a record', 'author'],
  ['what only editors were shown', 'title.raw is shown in the context view', 'editing'],
  ['nothing that it does not name', 'one answer shows the date of a record', undefined],
])('explains a failing check of all answers by %s', (_, message, id) => {
  const causeOf = causeFinder(
    [
      shown('author', 'answer-member-removed', 'author'),
      shown('editing', 'right-gained', 'members of context=edit to an anonymous caller', 'title.raw'),
    ].map(change),
    PLACES,
  );

  expect(causeOf(check({ operation: 'posts.list', message }), false)).toBe(id);
  expect(causeOf(check({ operation: 'posts.list', message, parameter: 'search' }), false)).toBeUndefined();
});

it('explains checks of a filter by other values of its member, and open ones by requests that a list refuses', () => {
  const causeOf = causeFinder(
    [
      shown('status', 'answer-rendered', 'status'),
      shown('refused', 'answer-refused', 'some requests', '403'),
    ].map(change),
    PLACES,
  );
  const of = (more: Partial<CheckResult>): string | undefined =>
    causeOf(check({ operation: 'posts.list', ...more }), false);

  expect([
    of({ parameter: 'status' }),
    of({ parameter: 'search' }),
    of({ parameter: 'search', verdict: 'inconclusive' }),
    of({ operation: 'posts.create', parameter: 'status' }),
  ]).toEqual(['status', undefined, 'refused', undefined]);
});

it('explains failing checks of defaults by another order of the same records', () => {
  const causeOf = causeFinder([change(shown('order', 'answer-order', 'the first page'))], PLACES);
  const about = { operation: 'posts.list', parameter: 'orderby' };

  expect(causeOf(check({ ...about, kind: 'defaults' }), false)).toBe('order');
  expect(causeOf(check(about), false)).toBeUndefined();
});

it.each([
  ['link', undefined, 'header'],
  ['content-type', 'header', 'header'],
])('explains failing checks of an argument by the header %s: %s', (subject, ofFilter, ofPage) => {
  const header = change({
    id: 'header',
    kind: 'header-words',
    effect: 'incomparable',
    owner: 'cms/v2',
    place: '/cms/v2/posts',
    subject,
    about: { namespace: 'cms/v2', route: '/cms/v2/posts' },
  });
  const causeOf = causeFinder([header], PLACES);
  const causes = ['search', 'page'].map((parameter) =>
    causeOf(check({ operation: 'posts.list', parameter }), false),
  );

  expect(causes).toEqual([ofFilter, ofPage]);
});
