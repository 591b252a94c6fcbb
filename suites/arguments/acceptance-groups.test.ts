import { describe, expect, it } from 'vitest';
import { loadContract } from '../../specs/contract.ts';
import { groupSamples, joinedValue, samplesOf } from './acceptance-groups.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });

/** The values that one request at least has for a parameter of the list of posts. */
function valuesOf(name: string, joins: boolean): unknown[] {
  const list = contract.operations.find(({ id }) => id === 'posts.list');
  const groups = groupSamples(list === undefined ? [] : samplesOf(list), joins);
  return groups
    .map((group) => group.filter(({ parameter }) => parameter.name === name))
    .filter((own) => own.length > 0)
    .map(joinedValue);
}

describe('samples of one parameter', () => {
  it('make one value where they are members of a list, or of an object, and no request holds two others', () => {
    expect(valuesOf('status', true)).toContainEqual(expect.arrayContaining(['publish', 'draft', 'any']));
    expect(valuesOf('status', true).length).toBeLessThan(4);
    expect(valuesOf('categories', true)).toContainEqual({
      terms: [1, 2],
      include_children: true,
      operator: 'AND',
    });
    expect(valuesOf('orderby', true)).toEqual(valuesOf('orderby', false));
  });

  it('stand in requests of their own where they are to be told apart, as in writes', () => {
    expect(valuesOf('status', false).length).toBeGreaterThan(10);
    expect(valuesOf('status', false)).toContainEqual(['draft']);
  });
});
