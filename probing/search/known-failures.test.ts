import { describe, expect, it } from 'vitest';
import { failure } from '../../engine/findings.ts';
import { testSession } from '../../engine/session.fixture.ts';
import type { Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { FuzzSet, Property, Search } from './fuzz-sets.ts';
import { search } from './search.ts';

const aboutOf = (session: Session = testSession(), check = 'check'): Search => ({ session, check, free: [] });

/** A property of any value that one argument violates. It notes the sets that it evaluates. */
function brokenBy(
  violates: (args: Args) => boolean,
  alike = 'list',
): { property: Property; asked: string[] } {
  const asked: string[] = [];
  const property: Property = {
    ofAnyValue: alike,
    async evaluate(args) {
      asked.push(Object.keys(args).join(''));
      return violates(args)
        ? { end: 'other', finding: failure('it fails'), kind: 'broken' }
        : { end: 'accepted' };
    },
    simpler: () => [],
  };
  return { property, asked };
}

function packed(names: string): FuzzSet {
  return {
    phase: 'boundary',
    args: Object.fromEntries([...names].map((name) => [name, name])),
    about: [...names].map((name) => ({ name, keyword: 'valid' })),
  };
}

describe('what is known of a property of any value', () => {
  it('finds the failing argument by bisection, and confirms it twice', async () => {
    const { property, asked } = brokenBy(({ g }) => g !== undefined);
    const [found] = await search(aboutOf(), [packed('abcdefgh')], property);

    expect(found?.replay).toEqual({ g: 'g' });
    expect(asked).toEqual(['abcdefgh', 'abcd', 'ef', 'g', 'g', 'abcdefh']);
  });

  it('finds arguments that only fail together', async () => {
    const { property } = brokenBy(({ b, g }) => b !== undefined && g !== undefined);
    const [found] = await search(aboutOf(), [packed('abcdefgh')], property);

    expect(found?.replay).toEqual({ b: 'b', g: 'g' });
  });

  it('evaluates no subset of an accepted set', async () => {
    const { property, asked } = brokenBy(() => false);
    await search(aboutOf(), [packed('abcd'), packed('bc')], property);

    expect(asked).toEqual(['abcd']);
  });

  it('tries the counterexample of a similar operation first, and then the rest', async () => {
    const session = testSession();
    await search(
      aboutOf(session, 'one'),
      [packed('abcdefgh')],
      brokenBy(({ g }) => g !== undefined).property,
    );
    const { property, asked } = brokenBy(({ g }) => g !== undefined);
    const [found] = await search(aboutOf(session, 'other'), [packed('abcdefgh')], property);

    expect(found?.replay).toEqual({ g: 'g' });
    expect(asked).toEqual(['g', 'abcdefh']);
  });

  it('evaluates a set if the counterexample of an equal one passes', async () => {
    const session = testSession();
    const first = brokenBy(({ a }) => a !== undefined);
    await search(aboutOf(session, 'one'), [packed('a')], {
      ...first.property,
      simpler: (_name, value) => (value === 'a' ? ['s'] : []),
    });
    const { property, asked } = brokenBy(({ a }) => a === 'a');
    const [found] = await search(aboutOf(session, 'other'), [packed('a')], property);

    expect(found?.replay).toEqual({ a: 'a' });
    expect(asked).toContain('a');
  });

  it('tries the counterexample of another operation only after a set fails', async () => {
    const session = testSession();
    await search(
      aboutOf(session, 'one'),
      [packed('abcdefgh')],
      brokenBy(({ g }) => g !== undefined).property,
    );
    const { property, asked } = brokenBy(({ c }) => c !== undefined, 'read');
    const [found] = await search(aboutOf(session, 'other'), [packed('abcdefgh')], property);

    expect(found?.replay).toEqual({ c: 'c' });
    expect(asked.slice(0, 2)).toEqual(['abcdefgh', 'g']);
  });
});
