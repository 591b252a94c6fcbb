import { expect, it } from 'vitest';
import { sampleCheck } from '../engine/result.fixture.ts';
import { groupByArea } from './about-check.ts';

it('keeps the checks of one area together in their order', () => {
  const checks = ['posts.list/a', 'index/b', 'posts.read/c'].map((id) => sampleCheck({ id }));

  const areas = [...groupByArea(checks)].map(([area, members]) => [area, members.map((check) => check.id)]);

  expect(areas).toEqual([
    ['posts', ['posts.list/a', 'posts.read/c']],
    ['index', ['index/b']],
  ]);
});
