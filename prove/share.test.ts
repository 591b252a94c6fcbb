import { expect, it } from 'vitest';
import { ofShard, readShare } from './share.ts';

it('shares a list so that everything is in exactly one share', () => {
  const all = Array.from({ length: 10 }, (_, at) => at);
  const shares = ['1/3', '2/3', '3/3'].map((text) => ofShard(all, readShare(text)));

  expect(shares).toEqual([
    [0, 3, 6, 9],
    [1, 4, 7],
    [2, 5, 8],
  ]);
});

it.each(['', '0/3', '4/3', '1/0', '1', 'one/three', '1/3/4', '-1/3'])('takes no %j for a share', (text) => {
  expect(() => readShare(text)).toThrow('Expected a share such as 1/3.');
});
