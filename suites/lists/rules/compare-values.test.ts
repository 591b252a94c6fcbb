import { describe, expect, it } from 'vitest';
import { SORT_KEYS } from './compare-values.ts';

function compareTexts(one: string, other: string): number | undefined {
  const titled = (raw: string) => ({ id: 1, json: { title: { raw } } });
  return SORT_KEYS.title?.(titled(one), titled(other));
}

describe('the order of titles', () => {
  it.each([
    ['apple', 'banana', -1],
    ['Zebra', 'Apple', 1],
    ['Apple', 'banana', -1],
    ['page 2', 'page a', -1],
    ['tree', 'tree', 0],
    ['sun', 'sunset', -1],
    ['sunset', 'sun', 1],
    ['', 'a', -1],
    ['été rouge', 'été vert', -1],
    ['page 1', 'page 12', -1],
    ['page 12', 'page 13', -1],
  ])('%j and %j differ in the same way everywhere', (one, other, result) => {
    expect(compareTexts(one, other)).toBe(result);
    expect(compareTexts(other, one)).toBe(result === 0 ? 0 : -result);
  });

  it.each([
    ['apple', 'Banana'],
    ['Zebra', 'apple'],
    ['tree', 'TREE'],
    ['Apple 2', 'apple 1'],
    ['sun', 'Sunset'],
    ['a-b', 'ab'],
    ['été', 'etc'],
    ['sun', 'sun!'],
    ['“quoted”', 'plain'],
    ['öl', 'zoo'],
    ['İstanbul', 'The market'],
    ['\u212Aelvin', 'zero'],
    ['page 2', 'page 12'],
    ['page 10', 'page 1a'],
  ])('%j and %j are left to the collation', (one, other) => {
    expect(compareTexts(one, other)).toBeUndefined();
    expect(compareTexts(other, one)).toBeUndefined();
  });

  it.each([
    ['apple', 'stone', -1],
    ['Protected: stone', 'saddle', undefined],
  ])('rendered as %j and %j are stored so if they begin as their slugs', (one, other, result) => {
    const titled = (rendered: string) => {
      const slug = rendered.replace('Protected: ', '');
      return { id: 1, json: { slug, title: { rendered } } };
    };
    expect(SORT_KEYS.title?.(titled(one), titled(other))).toBe(result);
  });
});
