import { describe, expect, it } from 'vitest';
import { isSpecialName } from './unusual-values.ts';
import { encodeArgs, rawQueryOf, rawValues } from './wire-forms.ts';

it('writes arguments as pairs, with members and items in brackets', () => {
  const args = { include: [1, 2], order: 'asc', filter: { terms: [3], flag: true } };

  expect(encodeArgs(args).map(String)).toEqual([
    'include[],1',
    'include[],2',
    'order,asc',
    'filter[terms][],3',
    'filter[flag],true',
  ]);
});

describe('raw values', () => {
  it('are sent unchanged', () => {
    expect(rawQueryOf({ page: '%zz', 'x y': '%' })).toBe('page=%zz&x%20y=%');
  });

  it('never use names that have a meaning for the software', () => {
    const names = rawValues('page').flatMap((value) => value.split('&').slice(1));

    expect(names.filter((pair) => isSpecialName(pair.split('=')[0] ?? ''))).toEqual([]);
  });
});
