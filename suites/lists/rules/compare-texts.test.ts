import { describe, expect, it } from 'vitest';
import { compareTexts } from './order-rules.ts';

describe('compareTexts', () => {
  it.each([
    ['apple', 'Banana', -1],
    ['Zebra', 'apple', 1],
    ['page 2', 'page a', -1],
    ['tree', 'TREE', 0],
    ['sun', 'sunset', -1],
    ['sunset', 'sun', 1],
    ['', 'a', -1],
    ['Été rouge', 'été vert', -1],
  ])('%j and %j differ in the same way everywhere', (one, other, result) => {
    expect(compareTexts(one, other)).toBe(result);
    expect(compareTexts(other, one)).toBe(result === 0 ? 0 : -result);
  });

  it.each([
    ['a-b', 'ab'],
    ['été', 'etc'],
    ['sun', 'sun!'],
    ['“quoted”', 'plain'],
    ['öl', 'zoo'],
    ['İstanbul', 'The market'],
    ['\u212Aelvin', 'zero'],
  ])('%j and %j are left to the collation', (one, other) => {
    expect(compareTexts(one, other)).toBeUndefined();
    expect(compareTexts(other, one)).toBeUndefined();
  });
});
