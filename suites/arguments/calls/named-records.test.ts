import { describe, expect, it } from 'vitest';
import { nounsOf, recordsIn } from './argument-values.ts';

describe('recordsIn', () => {
  it.each<[string, unknown, unknown]>([
    ['a list', [{ id: 1 }], [{ id: 1 }]],
    ['the only list of objects of an object', { items: [{ id: 1 }], total: 1, names: ['a'] }, [{ id: 1 }]],
    ['none of two lists', { items: [{ id: 1 }], others: [{ id: 2 }] }, undefined],
    ['none of members that are no lists', { a: { id: 1 } }, undefined],
    ['none of a text', 'a', undefined],
  ])('takes %s', (_case, json, records) => {
    expect(recordsIn(json)).toEqual(records);
  });
});

describe('nounsOf', () => {
  it.each<[string, string | undefined, string[]]>([
    ['course_ids', undefined, ['course']],
    ['donationFormId', undefined, ['donation-form', 'form']],
    ['post_id', 'Must be a section.', ['post', 'must', 'be', 'a', 'section']],
    ['course', 'A course', []],
  ])('reads a name and its description: %s', (name, description, nouns) => {
    expect(nounsOf(name, description === undefined ? {} : { description })).toEqual(nouns);
  });
});
