import { describe, expect, it } from 'vitest';
import { areaOf } from './check.ts';

describe('areaOf', () => {
  it.each([
    ['posts.list/per_page/maximum', 'posts'],
    ['post-revisions.read/context/enum', 'post-revisions'],
    ['routes/cms/v2/posts', 'routes'],
    ['index/gmt_offset/type', 'index'],
    ['alone', 'alone'],
    ['.hidden/x', '.hidden'],
  ])('assigns %s to %s', (id, area) => {
    expect(areaOf(id)).toBe(area);
  });
});
