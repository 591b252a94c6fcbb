import { expect, it } from 'vitest';
import { groupByArea } from './about-check.ts';
import { sampleCheck } from './result.fixture.ts';

it('keeps the checks of one area together, in their order, wherever they stand in the run', () => {
  const checks = ['posts.list/a', 'index/b', 'posts.read/c'].map((id) => sampleCheck({ id }));

  const areas = [...groupByArea(checks)].map(([area, members]) => [area, members.map((check) => check.id)]);

  expect(areas).toEqual([
    ['posts', ['posts.list/a', 'posts.read/c']],
    ['index', ['index/b']],
  ]);
});
