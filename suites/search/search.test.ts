import { describe, expect, it } from 'vitest';
import { failure } from '../../engine/findings.ts';
import { testSession } from '../../engine/session.fixture.ts';
import { simplerValues } from '../../generators/simpler.ts';
import type { Args } from '../records/reading/list-request.ts';
import type { FuzzSet, Property } from './fuzz-set.ts';
import { search } from './search.ts';

/** A property that sets violate as a function says; it counts what was asked. */
function violatedBy(violates: (args: Args, turn: number) => boolean, by?: string): Property {
  let turn = 0;
  return {
    keepsSubject: false,
    async judge(args) {
      turn += 1;
      return violates(args, turn)
        ? { end: 'other', finding: failure('it fails'), kind: 'broken' }
        : { end: 'accepted' };
    },
    simpler: (_name, value) => simplerValues(value),
    reportedBy: async (names) => (names.length === 1 ? by : undefined),
  };
}

function setsOf(...all: readonly Args[]): FuzzSet[] {
  return all.map((args) => ({
    phase: 'random',
    args,
    about: Object.keys(args).map((name) => ({ name, keyword: 'valid' })),
  }));
}

describe('a search', () => {
  it('shrinks what it finds to the arguments that matter, and counts the sets that show it', async () => {
    const property = violatedBy(({ a, b }) => String(a).includes('x') && b !== undefined);
    const sets = setsOf({ a: 'sample x', b: 12, c: true }, { a: 'x', b: 1 }, { a: 'y', b: 1 }, { b: 2 });
    const [found, ...others] = await search(testSession(), 'check', [], sets, property);

    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'failure', replay: { a: 'x', b: 0 } });
    expect(found?.message).toBe('it fails (what matters: a, b; shown by 2 of 4 sets, seed 1)');
  });

  it('keeps violations of other arguments apart', async () => {
    const property = violatedBy(({ a, b }) => a === 'x' || b === 'x');
    const found = await search(testSession(), 'check', [], setsOf({ a: 'x' }, { b: 'x' }), property);

    expect(found.map(({ replay }) => replay)).toEqual([{ a: 'x' }, { b: 'x' }]);
  });

  it('never passes what fails only sometimes', async () => {
    const property = violatedBy((_args, turn) => turn === 1);
    const [found] = await search(testSession(), 'check', [], setsOf({ a: 'x' }), property);

    expect(found).toMatchObject({ kind: 'inconclusive' });
    expect(found?.message).toMatch(/^unstable: it fails, but only 1 of 5 times/);
  });

  it('leaves to another check what that one reports', async () => {
    const property = violatedBy(({ a }) => a === 'x', 'posts.list/a/type/enforced');
    const [alone] = await search(testSession(), 'check', [], setsOf({ a: 'x' }), property);
    const beside = await search(testSession(), 'check', [], setsOf({ a: 'x' }, { a: 'y' }), property);

    expect(alone).toMatchObject({ kind: 'blocked', blockedBy: 'posts.list/a/type/enforced' });
    expect(beside).toEqual([]);
  });

  it('cannot tell where there is nothing to try', async () => {
    const property = violatedBy(() => true);

    expect(await search(testSession(), 'check', [], [], property)).toMatchObject([{ kind: 'inconclusive' }]);
  });

  it('notes what it has tried, and what it has not', async () => {
    const session = testSession();
    const parameter = {
      name: 'a',
      wire: 'a',
      schema: {},
      required: false,
      in: 'query',
      section: '4',
      basis: 'stated',
    } as const;
    const free = [parameter, { ...parameter, name: 'b', wire: 'b' }].map((one) => ({
      parameter: one,
      schema: {},
    }));
    await search(
      session,
      'check',
      free,
      setsOf({ a: 1 }, { a: 2 }),
      violatedBy(() => false),
    );

    expect(session.tried.get('check')).toMatchObject({
      judged: 2,
      planned: 2,
      parameters: { a: { valid: { accepted: 2, refused: 0, other: 0 } } },
      pairs: { tried: 0, possible: 1 },
      untried: [{ parameter: 'b' }],
    });
  });
});
