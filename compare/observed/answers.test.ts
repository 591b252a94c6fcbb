import { describe, expect, it } from 'vitest';
import type { AnswerNotes, MemberNotes, RefusalNotes } from '../../client/observed/document.ts';
import { change } from '../change.ts';
import { changeInWords } from '../groups/words.ts';
import { compareWholes } from './answers.ts';
import { withCauses } from './cause-rules.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareMembers } from './members.ts';
import { NOTES, sideOf } from './notes.fixture.ts';
import { compareRefusals } from './refusals.ts';
import { compareRights } from './rights.ts';
import { compareSamples } from './samples.ts';

function paged(before: number, repeated?: number): AnswerNotes {
  const totals = { true: 9, untrue: 0, paged: 9, before, after: before };
  return { ...NOTES, totals: { ...totals, ...(repeated !== undefined && { repeated }) } };
}

const ONE: MemberNotes = { seen: 1, of: 1, types: { object: 1 } };

it.each<[string, AnswerNotes, AnswerNotes, readonly string[]]>([
  ['are breaking on most further pages', paged(4, 0), paged(4, 3), ['answer-repeated incomparable']],
  ['are breaking on all further pages', paged(2, 0), paged(2, 2), ['answer-repeated incomparable']],
  ['are unknown on some', paged(9, 0), paged(9, 1), ['answer-repeated unknown']],
  ['are nothing new where there were some', paged(4, 1), paged(4, 4), []],
  ['are not known where they were not counted', paged(4), paged(4, 4), []],
  ['are not known of a list of one page', paged(0, 0), paged(4, 4), []],
])('records on two pages %s', (_, was, is, said) => {
  expect(compareWholes({ was, is }).map(({ kind, effect }) => `${kind} ${effect}`)).toEqual(said);
});

it('counts no more pages with such records than there are', () => {
  const [found] = compareWholes({ was: paged(4, 0), is: paged(6, 15) });
  expect(found?.evidence).toBe('0 of 4 further pages before, 15 of 15 further pages after');
});

describe('pages that are shorter than their totals say', () => {
  const short = (untrue: number, cap?: number): AnswerNotes => ({
    ...NOTES,
    caller: 'user',
    totals: { true: 9, untrue, paged: 9, ...(cap !== undefined && { cap }) },
  });

  it.each<[string, AnswerNotes, readonly string[]]>([
    ['have a bound that somebody chose', short(1, 50), ['answer-fewer narrows']],
    ['lack records on several pages', short(2, 47), ['answer-totals unknown']],
    ['lack records on one page, for a reason that is not known', short(1, 47), []],
    ['lack records here and there', short(9), ['answer-totals incomparable']],
  ])('%s', (_, is, said) => {
    expect(compareWholes({ was: short(0), is }).map(({ kind, effect }) => `${kind} ${effect}`)).toEqual(said);
  });
});

it('counts short pages as wrong totals if those of whole lists are wrong too, otherwise as a limit', () => {
  const found = (kind: 'answer-fewer' | 'answer-totals', route: string) =>
    change({
      ...{ id: `${kind} ${route}`, kind, effect: 'narrows', owner: 'x/v1', place: route, subject: kind },
      calls: { route, methods: ['GET'] },
    });
  const [short, total] = [found('answer-fewer', '/a'), found('answer-totals', '/a')];
  const causes = (...all: (typeof short)[]) => withCauses(all, []).map(({ cause }) => cause);

  expect(causes(short, total)).toEqual([undefined, short.id]);
  expect(causes(short, found('answer-totals', '/b'))).toEqual(['answer-totals /b', undefined]);
});

it('reports a record that is twice on one page, and was there once', () => {
  const pages = (twice: number): AnswerNotes => ({
    ...NOTES,
    totals: { true: 9, untrue: 0, paged: 9, before: 0, after: 0, repeated: 0, twice },
  });

  expect(compareWholes({ was: pages(0), is: pages(9) })).toMatchObject([
    { kind: 'answer-repeated', subject: 'one page', effect: 'incomparable' },
  ]);
  expect(compareWholes({ was: pages(1), is: pages(9) })).toEqual([]);
});

it('reports null among objects, which readers have not met before', () => {
  const [found] = compareWholes({
    was: { ...NOTES, forms: { object: 20 } },
    is: { ...NOTES, forms: { object: 19, value: 1 } },
  });

  expect(found).toMatchObject({ kind: 'answer-form', before: 'object', after: 'value' });
});

it.each<[string, AnswerNotes['locked'], AnswerNotes['locked'], string[]]>([
  ['shown now', { hidden: 2, shown: 0 }, { hidden: 1, shown: 1 }, ['right-exposed']],
  ['shown before as well', { hidden: 1, shown: 1 }, { hidden: 0, shown: 2 }, []],
  ['hidden still', { hidden: 2, shown: 0 }, { hidden: 5, shown: 0 }, []],
  ['hidden from editors now', { hidden: 0, shown: 3 }, { hidden: 3, shown: 0 }, ['right-lost']],
  ['of which there were none', undefined, { hidden: 0, shown: 2 }, []],
])('of texts that ask for a password, %s', (_, was, is, kinds) => {
  const of = (locked: AnswerNotes['locked']): AnswerNotes => {
    return { ...NOTES, context: 'edit', ...(locked && { locked }) };
  };

  expect(compareRights({ was: of(was), is: of(is) }, []).map(({ kind }) => kind)).toEqual(kinds);
});

it.each([
  ['passwords', 'password', 'right-exposed', 'widens'],
  ['mail addresses', 'email', 'right-gained', 'unknown'],
])('takes %s that one record of many shows to anybody, in %s, for %s', (what, name, kind, effect) => {
  const shown: MemberNotes = { seen: 1, of: 20, sometimes: true, types: { text: 1 }, texts: { plain: 1 } };
  const pair = {
    was: { ...NOTES, members: {} },
    is: { ...NOTES, members: { [name]: shown }, personal: { [what]: [name] } },
  };

  expect(compareRights(pair, [])).toMatchObject([
    { kind, effect, subject: `${what} to an anonymous caller` },
  ]);
});

it('does not report a record that lacks what some of its list lack', () => {
  const seen = (count: number): MemberNotes => ({
    ...{ seen: count, of: 2, types: { object: count } },
    ...(count < 2 && { sometimes: true }),
  });
  const side = (inList: number, ofRecord: number): AnswerNotes[] => [
    { ...NOTES, records: 2, members: { supports: seen(inList) } },
    {
      ...NOTES,
      route: '/x/v1/notes/{id}',
      records: 2,
      members: ofRecord > 0 ? { supports: seen(ofRecord) } : {},
    },
  ];
  const said = (inList: number): unknown =>
    compareAnswers(sideOf(side(2, 2)), sideOf(side(inList, 0))).changes.map(
      ({ place, kind }) => `${place} ${kind}`,
    );

  expect(said(1)).toEqual([]);
  expect(said(2)).toEqual(['/x/v1/notes/{id} answer-member-removed']);
});

it('reports once, and as certain, a difference of all objects of a map', () => {
  const types = (more: Readonly<Record<string, MemberNotes>>): AnswerNotes => {
    const all = ['note', 'page', 'post'].flatMap((name): [string, MemberNotes][] => [
      [name, ONE],
      ...Object.entries(more).map(([member, seen]): [string, MemberNotes] => [`${name}.${member}`, seen]),
    ]);
    return { ...NOTES, forms: { object: 1 }, records: 1, members: Object.fromEntries(all) };
  };
  const switched: MemberNotes = { seen: 1, of: 1, types: { boolean: 1 } };
  const text: MemberNotes = { seen: 1, of: 1, types: { text: 1 } };
  const was = types({ slug: text, taxonomies: text, nested: switched });
  const { changes } = compareAnswers(sideOf([was]), sideOf([types({ slug: text, nested: text })]));

  expect(changes.map(({ class: found, subject, evidence }) => [found, subject, evidence])).toEqual([
    ['breaking', '*.nested', 'note, page, post: 0 of 1 record before, 1 of 1 record after'],
    ['breaking', '*.taxonomies', 'note, page, post: 1 of 1 record before, 0 of 1 record after'],
  ]);
});

it('reports once lists of all objects of a map that are objects now, also where they are empty', () => {
  const types = (form: 'list' | 'object'): AnswerNotes => {
    const all = ['note', 'page', 'post'].flatMap((name, at): [string, MemberNotes][] => [
      [name, ONE],
      [`${name}.names`, { seen: 1, of: 1, types: { [at === 0 ? `empty ${form}` : form]: 1 } }],
    ]);
    return { ...NOTES, forms: { object: 1 }, records: 1, members: Object.fromEntries(all) };
  };
  const { changes } = compareAnswers(sideOf([types('list')]), sideOf([types('object')]));

  expect(changes.map(({ class: found, subject, before, after }) => [found, subject, before, after])).toEqual([
    ['breaking', '*.names', 'list', 'object'],
  ]);
});

describe('a form of request that is refused', () => {
  const asked = (status: string, parameter: string): AnswerNotes => ({
    ...{ ...NOTES, with: [parameter], statuses: { [status]: 4 } },
    ...(status === '400' && { accepted: 0, forms: {}, records: 0 }),
  });

  it('concerns only calls of that form', () => {
    const observed = (status: string) => sideOf([asked(status, 'per_page=100')]);
    const [change] = compareAnswers(observed('200'), observed('400')).changes;

    expect(change).toMatchObject({ subject: 'with per_page=100', calls: { parameter: 'per_page' } });
  });

  it.each([
    ['GET', 'constraint/per_page'],
    ['POST', undefined],
  ])('depends on a smaller declaration in the index with %s', (method, cause) => {
    const observed = (status: string) => sideOf([asked(status, '_fields')]);
    const less = change({
      ...{
        id: 'constraint/per_page',
        kind: 'constraint',
        owner: 'x/v1',
        place: '',
        subject: 'per_page maximum',
      },
      ...{
        effect: 'narrows',
        about: { namespace: 'x/v1', route: NOTES.route, method, parameter: 'per_page' },
      },
    });
    const { changes } = compareAnswers(observed('200'), observed('400'), [], [less]);

    expect(changes.map((one) => one.cause)).toEqual([cause]);
  });
});

it('misses texts that all of the same records had, and none of other records', () => {
  const side = (kind: 'markup' | 'empty', modified: string): AnswerNotes => {
    const excerpt: MemberNotes = { seen: 20, of: 20, types: { text: 20 }, texts: { [kind]: 20 } };
    const records = Object.fromEntries([1, 2, 3].map((id) => [id, `${modified} ${kind}`]));
    return { ...NOTES, members: { excerpt }, sample: { members: ['excerpt'], records } };
  };
  const was = side('markup', 'a');

  expect(compareMembers({ was, is: side('empty', 'a') })).toMatchObject([
    { kind: 'answer-value', effect: 'incomparable', before: 'markup', after: 'empty' },
  ]);
  expect(compareMembers({ was, is: side('empty', 'b') })).toEqual([]);
});

describe('a member that unmodified records show otherwise', () => {
  const side = (members: Readonly<Record<string, MemberNotes>>, digest: string): AnswerNotes => {
    const records = Object.fromEntries([1, 2, 3].map((id) => [id, `same ${digest}`]));
    return { ...NOTES, members, sample: { members: ['tags'], records } };
  };
  const inSome = (seen: number): MemberNotes => ({ seen, of: 20, sometimes: true, types: { object: seen } });
  const texts = (empty: number): MemberNotes => {
    const filled = 20 - empty;
    const kinds = { ...(empty > 0 && { empty }), ...(filled > 0 && { markup: filled }) };
    return { seen: 20, of: 20, types: { text: 20 }, texts: kinds };
  };
  const lists = (none: Readonly<Record<string, number>>): MemberNotes => {
    return { seen: 20, of: 20, types: { list: 16, ...none } };
  };
  const tags: MemberNotes = { seen: 20, of: 20, types: { object: 20 } };

  it.each([
    [
      'is null in a few',
      { tags: lists({ 'empty list': 4 }) },
      { tags: lists({ null: 4 }) },
      'answer-type widens',
      ['answer-type unknown'],
    ],
    ['is empty, and was in one', { tags: texts(1) }, { tags: texts(20) }, 'answer-value incomparable', []],
    ['lost what some had', { tags, 'tags.small': inSome(4) }, { tags }, 'answer-member-removed widens', []],
  ])('is not explained by content if it %s', (_, before, after, found, otherwise) => {
    const said = (digest: string): string[] => {
      const pair = { was: side(before, 'a'), is: side(after, digest) };
      return compareMembers(pair).map(({ kind, effect }) => `${kind} ${effect}`);
    };

    expect(said('b')).toEqual([found]);
    expect(said('a')).toEqual(otherwise);
  });
});

it('reports links of several relations with addresses of another form as one difference', () => {
  const side = (kind: 'own address' | 'relative address'): AnswerNotes => {
    const href: MemberNotes = { seen: 20, of: 20, types: { text: 20 }, texts: { [kind]: 20 } };
    return { ...NOTES, members: { '_links.self[].href': href, '_links.up[].href': href, link: href } };
  };
  const found = compareMembers({ was: side('own address'), is: side('relative address') });

  expect(found.map(({ subject }) => subject)).toEqual(['_links.*[].href', 'link']);
  expect(found[0]?.evidence).toMatch(/^self, up: 20 of 20/);
});

it('reports links of unmodified records that lead elsewhere as one difference', () => {
  const side = (digest: string): AnswerNotes => {
    const records = Object.fromEntries([1, 2, 3].map((id) => [id, `same ${digest} ${digest}`]));
    return { ...NOTES, sample: { members: ['_links.self', '_links.up'], records } };
  };
  const [joined, ...others] = compareSamples({ was: side('a'), is: side('b') }, new Set());

  expect(others).toEqual([]);
  expect(joined).toMatchObject({ kind: 'answer-rendered', subject: '_links.*', effect: 'unknown' });
  expect(joined?.evidence).toMatch(/^self, up: 3 of 3/);
});

it('misses a member that unmodified records lost, and is not certain of one with another value', () => {
  const side = (...digests: readonly string[]): AnswerNotes => {
    const records = Object.fromEntries(digests.map((digest, id) => [id, `same ${digest}`]));
    return { ...NOTES, sample: { members: ['price'], records } };
  };
  const was = side('a', 'b', 'c', 'd');
  const kindsOf = (is: AnswerNotes): string[] =>
    compareSamples({ was, is }, new Set()).map(({ kind, effect }) => `${kind} ${effect}`);

  expect(kindsOf(side('a', '-', '-', '-'))).toEqual(['answer-member-removed widens']);
  expect(kindsOf(side('a', 'x', '-', '-'))).toEqual(['answer-rendered unknown']);
  expect(kindsOf(side('a', 'b', '-', '-'))).toEqual([]);
});

it('says of unmodified records whether a list only has another order, or a number is another', () => {
  const side = (digest: string, type: 'list' | 'integer'): AnswerNotes => ({
    ...NOTES,
    members: { views: { seen: 3, of: 3, types: { [type]: 3 } } },
    sample: {
      members: ['views'],
      records: { 1: `same ${digest}`, 2: `same ${digest}`, 3: `same ${digest}` },
    },
  });
  const said = (was: AnswerNotes, is: AnswerNotes): string[] =>
    compareAnswers(sideOf([was]), sideOf([is])).changes.map((one) => changeInWords(one));

  expect(said(side('a~all', 'list'), side('b~all', 'list'))).toEqual([
    'unmodified records list the same in another order: views',
  ]);
  expect(said(side('a', 'integer'), side('b', 'integer'))).toEqual([
    'unmodified records have other numbers: views',
  ]);
  expect(said(side('a~all', 'list'), side('b~others', 'list'))).toEqual([
    'unmodified records are rendered differently: views',
  ]);
});

it('does not report that records of a copy are named after the site where they were made', () => {
  const side = (kind: 'own address' | 'other address'): AnswerNotes => {
    const text: MemberNotes = { seen: 20, of: 20, types: { text: 20 }, texts: { [kind]: 20 } };
    return { ...NOTES, members: { guid: text, link: text } };
  };
  const found = compareMembers({ was: side('own address'), is: side('other address') });

  expect(found.map(({ subject }) => subject)).toEqual(['link']);
});

it('distinguishes a refused method from records that are not there', () => {
  const refused = (status: number): unknown[] =>
    compareWholes({
      was: { ...NOTES, route: '/x/v1/notes/{id}', method: 'PATCH' },
      is: { ...NOTES, route: '/x/v1/notes/{id}', method: 'PATCH', accepted: 0, statuses: { [status]: 9 } },
    });

  expect(refused(405)).toMatchObject([{ kind: 'answer-refused', effect: 'narrows', after: '405' }]);
  expect(refused(404)).toEqual([]);
});

it('compares the size of pages whose size is not named', () => {
  const of = (usual: number, untrue: number): AnswerNotes => ({
    ...NOTES,
    totals: { true: 9, untrue, paged: 9, usual },
  });

  expect(compareWholes({ was: of(10, 0), is: of(5, 3) })).toMatchObject([
    { kind: 'default', effect: 'incomparable', subject: 'per_page default', before: '10', after: '5' },
  ]);
  expect(compareWholes({ was: of(10, 0), is: of(10, 0) })).toEqual([]);
});

describe('codes of refusals', () => {
  const refused = (code: string, answers: number, asked?: string): RefusalNotes => ({
    ...{ route: '/x/v1/files', namespace: 'x/v1', method: 'POST', caller: 'user', status: 400 },
    ...{ kind: 'invalid argument', code, answers, members: { code: answers }, types: {} },
    ...(asked !== undefined && { asked }),
  });
  const often = refused('invalid', 9);

  it.each<[string, readonly RefusalNotes[], readonly RefusalNotes[], readonly string[]]>([
    ['are others where none is as it was', [refused('a', 1)], [refused('b', 1)], ['unknown']],
    [
      'say nothing where few beside many depend on what was drawn',
      [often, refused('a', 2)],
      [often, refused('b', 2)],
      [],
    ],
    [
      'are others where the same was asked',
      [often, refused('a', 1, '/x?n=0')],
      [often, refused('b', 1, '/x?n=0')],
      ['unknown'],
    ],
    ['are others where many are', [often, refused('a', 3)], [often, refused('b', 3)], ['incomparable']],
  ])('%s', (_, was, is, effects) => {
    expect(compareRefusals({ was, is }).map(({ effect }) => effect)).toEqual(effects);
  });
});

it('does not explain breaking changes by requests of which only some are refused now', () => {
  const side = (statuses: AnswerNotes['statuses'], code: string) =>
    sideOf(
      [{ ...NOTES, statuses, accepted: statuses[200] ?? 0 }],
      [
        {
          ...{ route: NOTES.route, namespace: 'x/v1', method: 'GET', caller: 'anonymous', status: 400 },
          ...{ kind: 'invalid argument', code, answers: 9, members: { code: 9 }, types: {} },
        },
      ],
    );
  const { changes } = compareAnswers(side({ 200: 20 }, 'invalid'), side({ 200: 14, 403: 6 }, 'other'));

  expect(changes.map(({ kind, subject, cause }) => [kind, subject, cause])).toEqual([
    ['answer-refused', 'some requests', undefined],
    ['refusal-changed', expect.anything(), undefined],
  ]);
});
