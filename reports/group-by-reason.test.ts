import { expect, it } from 'vitest';
import { groupByReason } from './group-by-reason.ts';
import { sampleCheck } from './result.fixture.ts';

it('counts checks that share a reason and shows the largest group first', () => {
  const { message: _none, ...silent } = sampleCheck({ id: 'd', verdict: 'skip' });
  const checks = [
    sampleCheck({ id: 'a', verdict: 'skip', message: 'mode read' }),
    sampleCheck({ id: 'b', verdict: 'skip', message: 'blocked' }),
    sampleCheck({ id: 'c', verdict: 'skip', message: 'blocked' }),
    silent,
  ];

  expect(groupByReason(checks)).toEqual([
    { reason: 'blocked', count: 2, example: 'b' },
    { reason: 'mode read', count: 1, example: 'a' },
    { reason: 'no reason given', count: 1, example: 'd' },
  ]);
});
