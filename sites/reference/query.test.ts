import { expect, it } from 'vitest';
import { parseQuery } from './request.ts';

it.each([
  ['a=1&b=x+y', { a: '1', b: 'x y' }],
  ['a=1&a=2', { a: '2' }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
  ['a[5]=1', { a: { 5: '1' } }],
  ['c[terms]=1,2&c[operator]=OR', { c: { terms: '1,2', operator: 'OR' } }],
  ['c[terms][]=1&c[terms][]=2', { c: { terms: ['1', '2'] } }],
  ['a.b=1', { a_b: '1' }],
  ['a%5B%5D=1', { a: ['1'] }],
  ['=1&[x]=2', { '[x]': '2' }],
])('reads %s as PHP does', (text, expected) => {
  expect(parseQuery(text)).toEqual(expected);
});
