import { describe, expect, it } from 'vitest';
import { selectorOf } from '../../engine/glob.ts';
import { knownIn, knownWaivers, waiverName } from '../../specs/waivers.ts';
import failures from './known-failures.json' with { type: 'json' };

const IDS = Object.values(failures).flatMap((groups) => groups.flatMap(({ checks }) => checks));

describe('the waivers that come with the tool', () => {
  it('cover each failure that is known of a real WordPress', () => {
    const known = knownIn('wordpress');
    const missed = IDS.filter((id) => !known.some(({ check }) => selectorOf(check)(id)));

    expect(IDS.length).toBeGreaterThan(0);
    expect(missed).toEqual([]);
  });

  it('cover nothing else: each is about one of them', () => {
    const idle = knownWaivers().filter(({ check }) => !IDS.some(selectorOf(check)));

    expect(idle).toEqual([]);
  });

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

  it('are suggested in the words of their software alone', () => {
    expect(knownIn('neutral')).toEqual([]);
    expect(knownIn('../waivers/wordpress')).toEqual([]);
  });
});
