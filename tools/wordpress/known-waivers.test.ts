import { describe, expect, it } from 'vitest';
import { selectorOf } from '../../engine/glob.ts';
import { knownIn, knownWaivers, waiverName } from '../../specs/waivers.ts';

describe('the waivers that come with the tool', () => {
  it('are sorted and named once, for certain versions, with the place in the software', () => {
    const names = knownWaivers().map(({ check, finding = '' }) => `${check} ${finding}`);

    expect(names).toEqual([...new Set(names)].toSorted());
    for (const one of knownWaivers()) {
      expect(one, waiverName(one)).toMatchObject({
        link: expect.stringMatching(
          /^https:\/\/github\.com\/WordPress\/wordpress-develop\/blob\/[\d.]+\/src\//,
        ),
        versions: expect.arrayContaining([expect.stringMatching(/^WordPress [\d.]+$/)]),
      });
    }
  });

  it('cover what an older version fails because a later one was the first to keep it, where that version is named', () => {
    const later = (software?: string) =>
      knownWaivers(software).filter(({ reason }) => reason.startsWith('WordPress keeps it since'));

    expect(later()).toEqual([]);
    expect(later('WordPress 7.1.1')).toEqual([]);
    expect(later('Something 6.5')).toEqual([]);
    expect(later('WordPress 6.5').map(({ check }) => check)).toContain('posts.list/ignore_sticky/declared');
    expect(later('WordPress 6.5').map(({ check }) => check)).not.toContain(
      'posts.list/search_columns/declared',
    );
    expect(later('WordPress 6.1.9').map(({ check }) => check)).toContain(
      'posts.list/search_columns/declared',
    );
  });

  it('cover an autosave that empties all texts also where a plugin fills in excerpts, so that three are emptied', () => {
    const covers = (finding: string) =>
      knownWaivers().some((one) => one.finding !== undefined && selectorOf(one.finding)(finding));
    const found = ['content+title', 'content+excerpt+title', 'content'].map((names) =>
      covers(`post-autosaves.create/fuzz/robust-of-drafts#${names}:broken`),
    );

    expect(found).toEqual([true, true, false]);
  });

  it('are suggested in the words of their software alone', () => {
    expect(knownIn('neutral')).toEqual([]);
    expect(knownIn('../waivers/wordpress')).toEqual([]);
  });
});
