import { expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { comparisonsOf } from './record-comparisons.ts';

const comparisonsIn = comparisonsOf(loadContract({ deployment: 'core', vocabulary: 'neutral' }), 'posts');

/** In which members two answers in view differ about a record that shows nothing but a rendered text in each. */
function differences(name: string, one: string, other: string, argument = 'page'): string[] {
  const shown = { query: [[argument, '1'] as const], context: 'view' };
  const [first, second] = [one, other].map((rendered) => ({ id: 1, json: { id: 1, [name]: { rendered } } }));
  if (first === undefined || second === undefined) return [];
  return comparisonsIn({ ...shown, route: '', as: 'user', items: [], records: [], curl: '' }).flatMap(
    ([, differing]) => differing(first, second),
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
