import { describe, expect, it } from 'vitest';
import { failure } from '../../engine/findings.ts';
import type { FuzzOptions, KeptSet } from '../../engine/fuzz-options.ts';
import { testSession } from '../../engine/session.fixture.ts';
import { digestOf, drawSets, type Evaluation, type FuzzSet, type Property } from './fuzz-sets.ts';
import { search } from './search.ts';

const FURTHER = { seed: 9, examples: 20, share: 0.2 };

/** Draws a number of sets; another seed gives other sets. */
function draw(examples: number, seed: number): FuzzSet[] {
  return Array.from({ length: examples }, (_, at) => ({
    ...{ phase: 'random', args: { a: seed * 100 + at } },
    about: [{ name: 'a', keyword: 'valid' }],
  }));
}

function setsWith(fuzz: Partial<FuzzOptions>, seed = 1): FuzzSet[] {
  return drawSets({ seed, fuzz: { examples: 20, kept: [], ...fuzz } }, 'check', draw);
}

function phasesOf(sets: readonly FuzzSet[]): Record<string, number> {
  const phases = Map.groupBy(sets, ({ phase }) => phase);
  return Object.fromEntries([...phases].map(([phase, those]) => [phase, those.length]));
}

describe('the sets of a search', () => {
  it('come from the seed of the run alone, without a baseline', () => {
    expect(setsWith({}).map(({ args }) => args)).toEqual(draw(20, 1).map(({ args }) => args));
  });

  it('come from the seed of the baseline, and a fifth more from that of the run', () => {
    const sets = setsWith({ further: FURTHER });
    const { further = 0, random } = phasesOf(sets);

    expect(random).toBe(20);
    expect(further).toBeGreaterThanOrEqual(4);
    expect(further).toBeLessThanOrEqual(5);
    expect(sets.filter(({ phase }) => phase === 'further').every(({ key }) => key === undefined)).toBe(true);
  });

  it('are a fifth more on average if each search has only one', () => {
    const more = Array.from({ length: 500 }, (_, at) =>
      drawSets(
        { seed: 1, fuzz: { examples: 1, kept: [], further: { ...FURTHER, examples: 1 } } },
        `${at}`,
        draw,
      ),
    ).filter(({ length }) => length > 1).length;

    expect(more).toBeGreaterThan(60);
    expect(more).toBeLessThan(140);
  });

  it('repeat no set of the baseline, and have no further ones in a rerun', () => {
    expect(phasesOf(setsWith({ further: { ...FURTHER, seed: 1 } }))).toEqual({ random: 20 });
    expect(phasesOf(setsWith({ further: { ...FURTHER, share: 0 } }))).toEqual({ random: 20 });
  });

  it('from a file are additional if the baseline does not know them', () => {
    const kept: KeptSet[] = [{ check: 'check', args: { a: 7 } }];

    expect(phasesOf(setsWith({ kept }))).toEqual({ kept: 1, random: 20 });
    expect(phasesOf(setsWith({ kept, further: { ...FURTHER, share: 0 } }))).toEqual({
      further: 1,
      random: 20,
    });
  });

  it('keep their keys if an own record has another id', () => {
    const digestWith = (id: number): string | undefined => {
      const made = (): FuzzSet[] => [{ phase: 'random', args: { id, b: [id] }, about: [] }];
      const own = [{ kind: 'an id of what is deleted', value: id }];
      return digestOf(
        drawSets({ seed: 1, fuzz: { examples: 1, kept: [] } }, 'check', made, own).flatMap(
          ({ key }) => key ?? [],
        ),
      );
    };

    expect(digestWith(17)).toBe(digestWith(18));
    expect(digestWith(17)).toBeDefined();
  });
});

describe('a search beside a baseline', () => {
  const known: KeptSet = {
    check: 'check',
    id: 'check#a:broken',
    args: { a: 5 },
    shows: 'always',
    known: true,
  };

  /** A property that some values of one argument violate. */
  function violatedBy(...values: readonly number[]): Property {
    return {
      async evaluate({ a }): Promise<Evaluation> {
        return values.includes(Number(a))
          ? { end: 'other', kind: 'broken', finding: failure('it fails') }
          : { end: 'accepted', kind: 'accepted' };
      },
      simpler: () => [],
    };
  }

  it.each<[string, number[], string, string[]]>([
    ['still there', [5], 'there', ['kept:1']],
    ['gone', [], 'gone', []],
    ['gone, where a further set shows another one', [901], 'gone', ['further:1']],
  ])('replays what earlier runs found, and says that it is %s', async (_, values, end, paths) => {
    const further = { seed: 9, examples: 3, share: 1 };
    const session = { ...testSession(), fuzz: { examples: 3, kept: [known], further } };
    const sets = drawSets(session, 'check', draw).filter(
      ({ phase, args }) => phase !== 'further' || args.a === 901,
    );
    const findings = await search({ session, check: 'check', free: [] }, sets, violatedBy(...values));

    expect(session.tried.get('check')?.replayed).toMatchObject([{ id: 'check#a:broken', end }]);
    expect(findings.map(({ witnesses }) => witnesses?.path)).toEqual(paths);
    if (end === 'gone' && paths.length > 0) expect(findings[0]?.witnesses?.seed).toBe(9);
  });
});
