import { describe, expect, it } from 'vitest';
import { textsOf } from '../../specs/texts.ts';
import { differenceOfDigests, SampleNotes } from './sample.ts';

const MODIFIED = '2024-05-06T07:08:09';

function sampleOf(records: readonly object[], ...made: readonly string[]): ReturnType<SampleNotes['sample']> {
  const notes = new SampleNotes(textsOf('observed'), (text) => text);
  notes.note(
    records.map((record, at) => ({ id: at + 1, modified: MODIFIED, ...record })),
    true,
  );
  return notes.sample(
    (text) => text,
    (id) => made.includes(id),
  );
}

describe('a sample of records', () => {
  it('is the same where the members of an object come in another order', () => {
    const sizes = { small: { width: 1, height: 2 }, large: [1, 2] };
    const turned = { large: [1, 2], small: { height: 2, width: 1 } };

    expect(sampleOf([{ sizes: turned }])).toEqual(sampleOf([{ sizes }]));
    expect(sampleOf([{ sizes: { ...sizes, large: [2, 1] } }])).not.toEqual(sampleOf([{ sizes }]));
  });

  it('shows of a list whether only its order differs', () => {
    const digestOf = (tags: readonly number[]): string | undefined =>
      sampleOf([{ tags }])?.records['1']?.split(' ').at(-1);
    const was = digestOf([1, 2, 3]);

    expect(differenceOfDigests(was, digestOf([1, 2, 3]))).toBeUndefined();
    expect(differenceOfDigests(was, digestOf([3, 2, 1]))).toBe('order');
    expect(differenceOfDigests(was, digestOf([1, 2, 4]))).toBe('value');
    // An earlier version noted the digest alone.
    expect(differenceOfDigests(was?.split('~')[0], was)).toBeUndefined();
    expect(differenceOfDigests(was?.split('~')[0], digestOf([3, 2, 1]))).toBe('value');
  });

  it('shows of an object whether only its numbers differ', () => {
    const digestOf = (meta: object): string | undefined =>
      sampleOf([{ meta }])?.records['1']?.split(' ').at(-1);
    const was = digestOf({ views: 3, clicks: '7', note: 'a' });

    expect(differenceOfDigests(was, digestOf({ clicks: '7', note: 'a', views: 3 }))).toBeUndefined();
    expect(differenceOfDigests(was, digestOf({ views: 4, clicks: '8', note: 'a' }))).toBe('numbers');
    expect(differenceOfDigests(was, digestOf({ views: 4, clicks: '8', note: 'b' }))).toBe('value');
  });

  it('holds none that the run has created, because after a restore others have their ids', () => {
    const sample = sampleOf([{}, {}], '2');

    expect([Object.keys(sample?.records ?? {}), sample?.order]).toEqual([['1'], undefined]);
    expect(sampleOf([{}, {}])?.order).toEqual(['1', '2']);
  });

  it('keeps the records of the site where the run has made many', () => {
    const notes = new SampleNotes(textsOf('observed'), (text) => text);
    const ids = [...Array(200).keys()];
    const records = ids.map((id) => ({ id, modified: MODIFIED }));
    const isMade = (id: string): boolean => Number(id) >= 10;
    notes.note(records.slice(20, 70), true);
    notes.note(records, true, isMade);

    const sampled = notes.sample((text) => text, isMade)?.records;
    expect(Object.keys(sampled ?? {})).toHaveLength(10);
  });

  it('leaves out what changes by itself, but not what the run changes in its own records within a second', () => {
    const membersOf = (...made: readonly string[]): readonly string[] | undefined => {
      const notes = new SampleNotes(textsOf('observed'), (text) => text);
      const own = { id: 2, modified: MODIFIED, slug: 'own' };
      notes.note([{ id: 1, modified: MODIFIED, slug: 'pear', views: 3 }, own], true);
      notes.note(
        [
          { id: 1, modified: MODIFIED, slug: 'pear', views: 4 },
          { ...own, slug: 'again' },
        ],
        true,
      );
      return notes.sample(
        (text) => text,
        (id) => made.includes(id),
      )?.members;
    };

    expect(membersOf()).toEqual(['id']);
    expect(membersOf('2')).toEqual(['id', 'slug']);
  });

  it('holds where links lead, but not which other record they name, nor a relation that some records lack', () => {
    const linksOf = (...records: readonly Record<string, string>[]): Record<string, string> => {
      const linked = records.map((hrefs) => ({
        _links: Object.fromEntries(Object.entries(hrefs).map(([relation, href]) => [relation, [{ href }]])),
      }));
      const { members = [], records: sampled = {} } = sampleOf(linked) ?? {};
      const digests = sampled['1']?.split(' ').slice(1) ?? [];
      return Object.fromEntries(members.map((name, at) => [name, digests[at] ?? '']));
    };
    const {
      '_links.self': self,
      '_links.up': up,
      ...others
    } = linksOf(
      { self: '/notes/1', up: '/notes/7' },
      { self: '/notes/2', up: '/notes/7', older: '/notes/9' },
    );

    expect(Object.keys(others)).toEqual(['id']);
    expect(linksOf({ self: '/notes/1', up: '/notes/8' })).toMatchObject({
      '_links.self': self,
      '_links.up': up,
    });
    const elsewhere = linksOf({ self: '/notes/2', up: '/parts/7' });
    expect([elsewhere['_links.self'] === self, elsewhere['_links.up'] === up]).toEqual([false, false]);
  });
});
