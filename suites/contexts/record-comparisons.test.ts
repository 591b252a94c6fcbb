import { expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { comparisonsOf } from './record-comparisons.ts';

const comparisonsIn = comparisonsOf(loadContract({ deployment: 'core', vocabulary: 'neutral' }), 'posts');

/**
 * In which members two answers in view differ about a record that shows nothing but a rendered text in each.
 * @param beside what they show of another record
 */
function differences(
  name: string,
  one: string,
  other: string,
  argument = 'page',
  beside: readonly string[] = [],
): string[] {
  const shown = { query: [[argument, '1'] as const], context: 'view' };
  const recordOf = (id: number, rendered = '') => ({ id, json: { id, [name]: { rendered } } });
  const [first, second] = [recordOf(1, one), recordOf(1, other)];
  const answers = [
    [first, recordOf(2, beside[0])],
    [second, recordOf(2, beside[1])],
  ] as const;
  return comparisonsIn({ ...shown, route: '', as: 'user', items: [], records: [], curl: '' }).flatMap(
    ([, differing]) => differing(first, second, answers),
  );
}

it.each([
  ['title', 'Old lantern', 'Three bridges'],
  ['content', '<p>Some words</p>', '<div class="words"></div>'],
])('a %s differs that shows nothing of the other one', (name, one, other) => {
  expect(differences(name, one, other)).toEqual([`${name}.rendered`]);
  expect(differences(name, other, one)).toEqual([`${name}.rendered`]);
});

it.each([
  ['title', 'Old lantern', 'Protected: <i>Old</i> lantern'],
  ['title', '2025', '2026'],
  ['content', 'A quote of the day', 'Another one'],
  ['content', '<p>12</p>', ''],
])('a %s does not differ that is shown or made in another way', (name, one, other) => {
  expect(differences(name, one, other)).toEqual([]);
});

it('does not compare what a password, a length or a search changes', () => {
  for (const argument of ['password', 'excerpt_length', 'search'])
    expect(differences('excerpt', 'Some words', '', argument)).toEqual([]);
});

it.each([
  ['content', 'The words of one page', 'The words of the next', ['The words of the next', 'Others'], true],
  ['content', 'The words of one page', 'The words of the next', ['Others', 'The words of one page'], true],
  // What all records show in the same answer is no text of one of them.
  ['content', 'The words of one page', 'Only for our members', ['Others', 'Only for our members'], false],
  ['excerpt', 'A short one', 'No excerpt', ['No excerpt', 'No excerpt'], false],
])('a %s that is %j and %j differs if it is that of another record: %j', (name, one, other, beside, is) => {
  expect(differences(name, one, other, 'page', beside)).toEqual(is ? [`${name}.rendered`] : []);
});
