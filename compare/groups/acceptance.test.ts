import { expect, it } from 'vitest';
import type { AcceptedChange } from '../../specs/waivers.ts';
import { type Change, type ChangeSpec, change } from '../change.ts';
import type { Comparison } from '../comparison.ts';
import { countClasses } from '../law.ts';
import { acceptIn, countedOf, renewAcceptance } from './acceptance.ts';
import { groupsOf } from './groups.ts';

const TODAY = '2027-01-10';
const WORDS = { reason: 'clients are ready', owner: 'the web team', expires: '2027-02-01' };

function narrowed(method: string, more: Partial<ChangeSpec> = {}): Change {
  const place = `${method} /cms/v2/posts`;
  const id = `index/routes/${place}/per_page/maximum`;
  const values = { subject: 'per_page maximum', before: 100, after: 50 };
  return change({ id, kind: 'constraint', effect: 'narrows', owner: 'cms/v2', place, ...values, ...more });
}

function comparisonOf(changes: readonly Change[], more: Partial<Comparison> = {}): Comparison {
  const side = { kind: 'run', url: 'http://127.0.0.1', taken: '2027-01-09T10:00:00.000Z' } as const;
  const counts = countClasses(changes);
  return {
    format: 1,
    kind: 'comparison',
    tool: { name: 'site-conformance', version: '0.0.0' },
    before: side,
    after: side,
    looked: { namespaces: 1, routes: 5, parameters: 9, checks: 0 },
    notes: [],
    counts,
    groups: groupsOf(changes),
    changes,
    ...more,
  };
}

function entry(id: string, more: Partial<AcceptedChange> = {}): AcceptedChange {
  return { id, ...WORDS, ...more };
}

const BOTH = comparisonOf([narrowed('GET'), narrowed('POST')]);
const CAUSE = BOTH.groups[0]?.digest ?? '';
const CHANGE = BOTH.changes[0]?.digest ?? '';

it('gives a change the id that it always had', () => {
  expect([CAUSE, CHANGE]).toEqual(['cause-19d1b1ddde77', 'chg-952a607a7804']);
});

it('gives the same id whatever the values, the effect, the evidence and the pattern of a route', () => {
  const route = (pattern: string, more: Partial<ChangeSpec>): Change =>
    narrowed('GET', { id: `index/routes/GET /a/(?P<id>${pattern})/page/maximum`, ...more });
  const one = route('[\\d]+', { evidence: '1 of 2' });
  const other = route('\\w+', { before: 7, after: 6, effect: 'incomparable', place: 'GET /a/{id}' });

  expect(one.digest).toBe(other.digest);
  expect(groupsOf([one])[0]?.digest).toBe(groupsOf([other])[0]?.digest);
  expect(narrowed('GET').digest).not.toBe(narrowed('GET', { kind: 'default' }).digest);
});

it('distinguishes two causes of one kind and subject', () => {
  const groups = groupsOf([narrowed('GET'), narrowed('POST', { after: 20 })]);

  expect(new Set(groups.map(({ digest }) => digest)).size).toBe(2);
});

it('keeps accepted changes in the list, and does not count them', () => {
  const accepted = acceptIn(BOTH, [entry(CAUSE)], TODAY);

  expect(accepted.groups[0]?.accepted).toEqual({
    id: CAUSE,
    reason: 'clients are ready',
    owner: 'the web team',
    until: '2027-02-01',
  });
  expect(accepted.counts.breaking).toBe(2);
  expect(countedOf(accepted, 'breaking')).toBe(0);
});

it('accepts dependents with a whole cause, but not with a single change', () => {
  const check = change({
    id: 'checks/a',
    kind: 'check-broken',
    owner: 'cms/v2',
    place: 'a',
    subject: 'check a',
  });
  const three = comparisonOf([...BOTH.changes, { ...check, cause: BOTH.changes[0]?.id ?? '' }]);

  expect(countedOf(acceptIn(three, [entry(CAUSE)], TODAY), 'breaking')).toBe(0);
  expect(countedOf(acceptIn(three, [entry(CHANGE)], TODAY), 'breaking')).toBe(2);
  expect(acceptIn(three, [entry(CHANGE)], TODAY).groups[0]?.accepted).toBeUndefined();
});

it.each([
  ['its last day', { expires: TODAY }, 0, []],
  ['the day after it', { expires: '2027-01-09' }, 2, [CAUSE]],
  ['the day until which it was announced', { announced: TODAY }, 0, []],
  ['the day after that', { announced: '2027-01-09' }, 2, [CAUSE]],
])('counts on %s what an entry accepts', (_, days, counted, expired) => {
  const accepted = acceptIn(BOTH, [entry(CAUSE, days)], TODAY);

  expect(countedOf(accepted, 'breaking')).toBe(counted);
  expect(accepted.acceptance?.expired).toEqual(expired);
});

it('lists entries whose change did not occur, if that was compared', () => {
  const gone = entry('chg-0123456789ab', { kind: 'constraint' });
  const unseen = entry('chg-ba9876543210', { kind: 'answer-type' });

  expect(acceptIn(BOTH, [gone, unseen], TODAY).acceptance?.needless).toEqual([gone.id]);
  expect(acceptIn({ ...BOTH, inconclusive: ['down'] }, [gone], TODAY).acceptance?.needless).toEqual([]);
});

it('adds breaking causes, notes when they were seen, removes unneeded entries, and keeps text by people', () => {
  const old = entry(CAUSE, {
    reason: 'ticket 812',
    firstSeen: '2026-12-01',
    lastSeen: '2026-12-02',
    expires: '2026-12-31',
  });
  const gone = entry('chg-0123456789ab');
  const other = narrowed('GET', { id: 'other', subject: 'page maximum' });
  const comparison = comparisonOf([...BOTH.changes, other]);
  const entries = [old, gone];
  const {
    entries: renewed,
    added,
    removed,
  } = renewAcceptance(acceptIn(comparison, entries, TODAY), entries, WORDS);

  expect(renewed[0]).toEqual({ ...old, lastSeen: '2027-01-09' });
  expect(added).toMatchObject([
    {
      ...WORDS,
      kind: 'constraint',
      about: 'GET /cms/v2/posts: `page` maximum is 50, not 100',
      firstSeen: '2027-01-09',
    },
  ]);
  expect(removed).toEqual([gone]);
});

it('still accepts a cause after others joined it, and the whole only if all are accepted', () => {
  const texts = ['id', 'author'].map((subject) =>
    narrowed('GET', { id: subject, kind: 'answer-type', effect: 'incomparable', subject, after: 'text' }),
  );
  const [first, second] = texts.map((one) => groupsOf([one])[0]?.digest ?? '');
  const joined = comparisonOf(texts);
  const [one, both] = [[first], [first, second]].map((ids) =>
    acceptIn(
      joined,
      ids.map((id) => entry(id ?? '')),
      TODAY,
    ),
  );

  expect([joined.groups.length, one?.acceptance?.counts.breaking, one?.acceptance?.needless]).toEqual([
    1,
    1,
    [],
  ]);
  expect([one?.groups[0]?.accepted, both?.groups[0]?.accepted?.id]).toEqual([undefined, first]);
});
