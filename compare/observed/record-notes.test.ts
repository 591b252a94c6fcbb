import { describe, expect, it } from 'vitest';
import type { AnswerNotes } from '../../client/observed/document.ts';
import { SampleNotes } from '../../client/observed/sample.ts';
import { textsOf } from '../../specs/texts.ts';
import type { Compared } from '../change.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES, sideOf } from './notes.fixture.ts';

type Records = readonly Readonly<Record<string, unknown>>[];

/** A list of such records, read so often. */
function listOf(records: Records, readings = 2): AnswerNotes {
  const notes = new SampleNotes(textsOf('observed'), (text) => text);
  for (let at = 0; at < readings; at += 1) notes.note(records, true);
  const sample = notes.sample(
    (text) => text,
    () => false,
  );
  return { ...NOTES, context: 'view', ...(sample && { sample }) };
}

function between(was: AnswerNotes, is: AnswerNotes): Compared {
  return compareAnswers(sideOf([was]), sideOf([is]));
}

function said({ changes }: Compared): unknown[] {
  return changes.map(({ class: found, kind, subject, after }) => [found, kind, subject, after]);
}

const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

function dated(ids: readonly number[], year = 2024): Records {
  return ids.map((id) => ({ id, modified: `${year}-05-06T07:08:0${id}` }));
}

describe('records of lists', () => {
  const terms = (ids: readonly number[], nameOf: (id: number) => string): Records =>
    ids.map((id) => ({ id, name: nameOf(id) }));
  const before = terms(IDS, (id) => `Term ${id}`);
  const renamed = terms(IDS, (id) => `term-${id}`);

  it('without a date of change are rendered otherwise if each of several has another value', () => {
    const other = [['unknown', 'answer-rendered', 'name', 'another value in each']];

    expect(said(between(listOf(before), listOf(renamed)))).toEqual(other);
    expect(said(between(listOf(before), listOf([...before.slice(0, 1), ...renamed.slice(1)])))).toEqual([]);
    expect(said(between(listOf(before.slice(5)), listOf(renamed.slice(5))))).toEqual([]);
  });

  it.each([
    ['of many is lost', { plain: 8 }, [['unknown', 'answer-value', 'description', 'empty']]],
    ['of a few is lost', { plain: 4 }, []],
    ['stays in some', { plain: 8 }, [], 1],
  ])('without a date of change show a text as empty if it %s', (_, texts, expected, kept = 0) => {
    const side = (filled: number, empty: number): AnswerNotes => ({
      ...listOf(IDS.map((id) => ({ id, description: id <= filled ? `About ${id}` : '' }))),
      members: {
        description: {
          ...{ seen: 9, of: 9, types: { text: 9 } },
          texts: { ...(filled > 0 && { plain: filled }), empty },
        },
      },
    });
    const { plain } = texts;

    expect(said(between(side(plain, 9 - plain), side(kept, 9 - kept)))).toEqual(expected);
  });

  it('without a date of change may show that of the answer', () => {
    const side = (day: number): AnswerNotes => ({
      ...listOf(IDS.map((id) => ({ id, made: `2026-12-0${day}T00:00:0${id}` }))),
      members: { made: { seen: 9, of: 9, types: { text: 9 }, texts: { 'date-time': 9 } } },
    });

    expect(said(between(side(1), side(2)))).toEqual([]);
  });

  it('without a date of change count in integers, and not in fractions', () => {
    const side = (times: number, type: 'integer' | 'fraction'): AnswerNotes => ({
      ...listOf(IDS.map((id) => ({ id, price: id * times }))),
      members: { price: { seen: 9, of: 9, types: { [type]: 9 } } },
    });

    expect(said(between(side(1, 'integer'), side(100, 'integer')))).toEqual([]);
    expect(said(between(side(1.25, 'fraction'), side(125, 'integer')))).toEqual([
      ['unknown', 'answer-rendered', 'price', 'another value in each'],
    ]);
  });

  it.each([
    ['many', 12, [['unknown', 'answer-value', 'price', 'another text']]],
    ['some', 9, []],
  ])('have texts that are no numbers any more, if %s show it', (_, count, expected) => {
    const side = (kind: 'number' | 'plain'): AnswerNotes => ({
      ...NOTES,
      members: { price: { seen: count, of: count, types: { text: count }, texts: { [kind]: count } } },
    });

    expect(said(between(side('number'), side('plain')))).toEqual(expected);
  });

  it('without a date of change, and read once, may have values that differ each time', () => {
    expect(said(between(listOf(before, 1), listOf(renamed, 1)))).toEqual([]);
  });

  it('that all were modified are named, because their values are not compared', () => {
    const note = 'every record has another date of change, so values are not compared: /x/v1/notes';

    expect(between(listOf(dated(IDS)), listOf(dated(IDS, 2025))).notes).toEqual([note]);
    const mixed = [...dated(IDS.slice(1), 2025), ...dated([1])];
    expect(between(listOf(dated(IDS)), listOf(mixed)).notes).toEqual([]);
  });

  it.each([
    ['the second one is the same', '2024-05-06', [['unknown', 'answer-rendered', 'modified_gmt', undefined]]],
    ['they were modified', '2025-05-06', []],
  ])('that have another date of change are named if %s', (_, day, expected) => {
    const side = (gmt: string, local: string): AnswerNotes =>
      listOf(
        IDS.map((id) => ({ id, modified_gmt: `${gmt}T07:08:0${id}`, modified: `${local}T09:08:0${id}` })),
      );

    expect(said(between(side('2024-05-06', '2024-05-06'), side('2025-05-06', day)))).toEqual(expected);
  });

  it.each([
    ['many', [1, 3, 5, 7, 9], ' /x/v1/notes (4 of 9 records)'],
    ['a few', [1, 2, 3, 4, 5, 6, 9], undefined],
    ['those behind the last that both show', [1, 2, 3, 4, 5], undefined],
    ['those behind new ones', [11, 12, 13, 14, 1, 2, 3, 4, 5], undefined],
    ['the first of another order', [9, 8, 7, 6, 5], undefined],
  ])('that a list lacks are named if they are many: %s', (_, ids, expected) => {
    const { notes } = between(listOf(dated(IDS)), listOf(dated(ids)));

    expect(notes.map((note) => note.split(':')[1])).toEqual(expected === undefined ? [] : [expected]);
  });

  it.each([
    ['in between, is not smaller', [1, 2, 4, 5], ['answer-totals']],
    ['at its end, is smaller', [1, 2, 3, 4], ['default']],
  ])('a page that lacks some %s', (_, ids, kinds) => {
    const of = (usual: number, untrue: number, shown: readonly number[]): AnswerNotes => ({
      ...listOf(shown.map((id) => ({ id }))),
      totals: { true: 9, untrue, paged: 9, usual },
    });
    const { changes } = between(of(5, 0, [1, 2, 3, 4, 5]), of(4, 3, ids));

    expect(changes.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('show how their texts are rendered otherwise, if each is seen in several or no editor writes it', () => {
    const on = (rendered: string): AnswerNotes => ({
      ...listOf(IDS.map((id) => ({ id, modified: '2024-05-06T07:08:09', content: `${id} ${rendered}` }))),
      members: { content: { seen: 9, of: 9, types: { text: 9 }, marks: { [rendered]: 4 } } },
    });
    const afters = (was: string, is: string): unknown[] =>
      said(between(on(was), on(is))).map((one) => Object(one)[3]);

    expect(afters('srcset', 'data addresses')).toEqual(['without srcset, with data addresses']);
    expect(afters('links', 'quotes with backslashes')).toEqual(['showing quotes with backslashes']);
    expect(afters('another', 'one more')).toEqual([undefined]);
  });

  it('that somebody changed may have another place, and be named by others', () => {
    const edited = [...before.slice(1), { id: 1, name: 'Z' }];

    expect(said(between(listOf(before), listOf(edited)))).toEqual([]);
    expect(said(between(listOf(before), listOf(before.toReversed()))).flat()).toContain('answer-order');

    const naming = (word: string): AnswerNotes => {
      const named = dated(IDS).map((record) => ({ ...record, class_list: ['note', `in-${word}`] }));
      const members = { 'class_list[]': { seen: 9, of: 9, types: { text: 9 } } };
      return { ...listOf(named), members, route: '/x/v1/posts' };
    };
    const beside = (terms: AnswerNotes): unknown[] => {
      const sides = [
        [naming('one'), listOf(before)],
        [naming('two'), terms],
      ].map((all) => sideOf(all));
      const [was = sideOf([]), is = sideOf([])] = sides;
      return said(compareAnswers(was, is));
    };
    expect(beside(listOf(edited))).toEqual([]);
    expect(beside(listOf(before)).flat()).toContain('class_list');
  });
});
