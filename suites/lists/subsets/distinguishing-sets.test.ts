import { expect, it } from 'vitest';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { distinguishingSets, type Predict } from './subset-sets.ts';

const SNAPSHOT: Snapshot = {
  records: [3, 2, 1].map((id) => ({ id, json: { id } })),
  page: [],
  items: [],
  complete: true,
  size: 100,
  byId: true,
  total: 3,
  hides: false,
  curls: [],
};

/** `least` and `most` keep ids between them; `same` changes nothing. */
const predict: Predict = ({ least = 0, most = 9, ...others }) => {
  if ('unknown' in others) return undefined;
  return {
    snapshot: SNAPSHOT,
    prediction: {
      population: {},
      keeps: ({ id }) => id >= Number(least) && id <= Number(most),
      compare: (one, other) => one.id - other.id,
      direction: 'desc',
      offset: 0,
      size: 100,
    },
  };
};

it('chooses the sets in which most arguments tell something, beside others that they did not tell it beside before', () => {
  const both = { least: 2, most: 2 };
  const sets = [
    { least: 2 },
    { same: 1 },
    { least: 2, same: 1 },
    both,
    { least: 1, most: 1 },
    { least: 3, most: 2 },
    { unknown: 1 },
  ];

  expect(distinguishingSets(sets, predict, 9)).toEqual([both, { least: 2, same: 1 }]);
  expect(distinguishingSets(sets, predict, 1)).toEqual([both]);
});
