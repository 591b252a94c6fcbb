import { expect, it } from 'vitest';
import { loadContract } from '../../../specs/contract.ts';
import { plannedValues } from './planned-values.ts';

it('lists for each parameter what would be tried, or why no value is certain', () => {
  const planned = plannedValues(loadContract({ deployment: 'core', vocabulary: 'neutral' }));
  const posts = planned.find(({ operation }) => operation === 'posts.list');
  const largest = posts?.parameters.find(({ name }) => name === 'per_page');

  expect(posts?.checks).toContain('posts.list/fuzz/accepted');
  expect(posts?.pairs).toBeGreaterThan(100);
  expect(largest?.accepted).toContain('maximum');
  expect(largest?.refused).toContain('maximum');
  expect(posts?.apart).toEqual([]);
  for (const { accepted, unsure } of posts?.parameters ?? []) {
    expect(accepted.filter((keyword) => unsure.includes(keyword))).toEqual([]);
  }
  for (const { accepted, refused, reason } of planned.flatMap(({ parameters }) => parameters)) {
    expect(accepted.length + refused.length > 0).toBe(reason === undefined);
  }
});
