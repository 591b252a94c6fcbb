import { expect, it } from 'vitest';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from './all-checks.ts';

const CHECKS = allChecks(loadContract({ deployment: 'b', vocabulary: 'neutral' }));
const buildsOn = (id: string): readonly string[] | undefined =>
  CHECKS.find((check) => check.id === id)?.buildsOn;

it.each([
  ['posts.list/per_page/maximum/accepted', 'posts.list/answers/{caller}'],
  ['seo.setup-steps-tracking/setup_widget_loaded/enum/accepted', 'seo.setup-steps-tracking/answers/{caller}'],
  ['pages.update/excerpt/stored/PUT', 'records/pages/types/excerpt'],
  ['pages.update/excerpt/stored/PUT', 'pages.read/contexts/excerpt.raw'],
  ['media.update/alt_text/form', 'records/media/types/alt_text'],
  ['states/posts/draft/found', 'records/posts/id'],
  ['media/upload/raw', 'records/media/id'],
  ['media/upload/raw', 'media.list/include/filters'],
  ['states/pages/private/found', 'pages.list/per_page/default/applied'],
  ['batch/order', 'posts.list/search/filters'],
  ['batch/same/pages.create', 'pages.list/search/filters'],
  ['posts.list/per_page/default/applied', 'posts.list/answers/{caller}'],
  ['pages.read/answers/user', 'pages.list/answers/{caller}'],
  ['post-revisions.read/context/enum/accepted', 'posts.list/answers/{caller}'],
  ['post-revisions.read/context/enum/accepted', 'post-revisions.list/answers/{caller}'],
  ['protected/posts/written/content', 'posts.read/answers/anonymous'],
])('%s depends on %s', (id, root) => {
  expect(buildsOn(id)).toContain(root);
});

it('lets no plain call depend on itself', () => {
  expect(buildsOn('posts.list/answers/user')).toBeUndefined();
});

it('adds no dependencies to checks of the index, which does not depend on other answers', () => {
  expect(buildsOn('posts.list/per_page/maximum')).toBeUndefined();
});

it('names existing checks for fields of records', () => {
  const ids = new Set(CHECKS.map(({ id }) => id));
  const roots = new Set(CHECKS.flatMap((check) => check.buildsOn ?? []));
  const answers = [...roots].filter((id) => id.endsWith('/answers/{caller}'));

  expect(answers.length).toBeGreaterThan(50);
  expect(answers.filter((id) => !ids.has(id.replace('{caller}', 'user')))).toEqual([]);
  expect([...roots].filter((id) => /^records\/\w+\/id$/.test(id) && !ids.has(id))).toEqual([]);
});
