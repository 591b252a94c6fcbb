import { expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import type { ArgumentCause } from './argument-search.ts';
import { compareTwins, siteSide } from './twin.ts';

const [OPERATION] = loadContract({ deployment: 'core', vocabulary: 'neutral' }).operations;
const NONE = { answers: [], refusals: [] };

function orderedBy(name: string): ArgumentCause[] {
  if (OPERATION === undefined) return [];
  const route = '/x/v1/notes';
  const read = { route, template: route, list: route, args: {}, operation: OPERATION };
  return [
    {
      list: { ...read, filters: [], isOfContract: true },
      ...{ operation: OPERATION, args: { [name]: 'a' }, spec: { method: 'GET', route } },
      found: { kind: 'list-order', effect: 'unknown', evidence: '1, 2 before, 2, 1 after' },
      exchange: { before: 'curl a', after: 'curl b' },
    },
  ];
}

it.each([
  [['author', 'before'], 2],
  [['author', 'before', 'after'], 1],
])('a list in another order with %j has %i causes', (names, expected) => {
  const [before, after] = ['http://a', 'http://b'].map((url) => siteSide(url, {}, (text) => text, ''));
  if (before === undefined || after === undefined) throw new Error('two sides');
  const { groups } = compareTwins(before, after, {
    answers: { before: NONE, after: NONE },
    causes: names.flatMap(orderedBy),
    ...{ values: [], pairs: new Map(), sets: 3, noise: 0, changing: [], pace: 1, slower: [], requests: 6 },
  });

  expect(groups).toHaveLength(expected);
});
