import { expect, it } from 'vitest';
import type { CheckResult } from '../../../engine/result.ts';
import { loadContract } from '../../../specs/contract.ts';
import { withCosts } from './costs.ts';

function result(id: string, operation: string, more: Partial<CheckResult> = {}): CheckResult {
  return {
    id,
    title: id,
    section: '1',
    basis: 'stated',
    verdict: 'inconclusive',
    seconds: 0,
    operation,
    ...more,
  };
}

it('names the checks that a missing record costs: those that could not tell, for what it serves', () => {
  const missing = { resource: 'posts', why: 'refused', checks: [] };
  const checks = [
    result('a', 'posts.list', { parameter: 'sticky' }),
    result('b', 'posts.list', { parameter: 'order' }),
    result('c', 'posts.list', { parameter: 'sticky', verdict: 'pass' }),
    result('d', 'pages.list', { parameter: 'sticky' }),
    result('e', 'post-revisions.list'),
    result('f', 'posts.create', { parameter: 'featured_media' }),
  ];
  const costs = withCosts(
    {
      made: {},
      requests: 0,
      missing: [
        { ...missing, name: 'a sticky one', serves: ['sticky'] },
        { ...missing, name: 'any' },
        { ...missing, resource: 'media', name: 'several' },
        { ...missing, resource: 'media', name: 'a sound', serves: ['media_type'] },
      ],
    },
    checks,
    loadContract({ deployment: 'core', vocabulary: 'neutral' }),
  );

  expect(costs.missing.map((one) => one.checks)).toEqual([['a'], ['a', 'b', 'e', 'f'], ['f'], []]);
});
