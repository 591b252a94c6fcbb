import { describe, expect, it } from 'vitest';
import { TargetError } from '../../client/target-error.ts';
import { failure } from '../../engine/findings.ts';
import { testSession } from '../../engine/session.fixture.ts';
import type { Session } from '../../engine/session.ts';
import { simplerValues } from '../../generators/explore.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { FuzzSet, Property, Search } from './fuzz-sets.ts';
import { search } from './search.ts';

const aboutOf = (session: Session = testSession(), check = 'check'): Search => ({ session, check, free: [] });

/** A property that a function decides; it counts the evaluations. */
function violatedBy(violates: (args: Args, turn: number) => boolean, by?: string): Property {
  let turn = 0;
  return {
    async evaluate(args) {
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
    const [found, ...others] = await search(aboutOf(), sets, property);

    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'failure', replay: { a: 'x', b: 0 } });
    expect(found?.message).toBe('it fails (what matters: a, b; shown by 2 of 4 sets, seed 1, path random:1)');
    expect(found?.witnesses).toEqual({
      parameters: ['a', 'b'],
      kind: 'broken',
      shows: 'always',
      seed: 1,
      path: 'random:1',
      witnesses: 2,
      judged: 4,
    });
  });

  it('leaves out an argument that only the value mattered for that was drawn', async () => {
    const property = violatedBy(({ a, b }) => typeof a === 'number' && a > 1 && (a < 100 || b !== undefined));
    const [found] = await search(aboutOf(), setsOf({ a: 90_000, b: 'x' }), property);

    expect(Object.keys(found?.replay ?? {})).toEqual(['a']);
  });

  it('reports a violation once that a later set shows with fewer arguments', async () => {
    // No argument of the first set can be left out alone.
    const property = violatedBy((args) => 'a' in args && 'b' in args && Object.keys(args).length !== 3);
    const sets = setsOf({ a: 0, c: 0, b: 0, d: 0 }, { a: 0, b: 0 });
    const found = await search(aboutOf(), sets, property);

    expect(found.map(({ replay }) => replay)).toEqual([{ a: 0, b: 0 }]);
    expect(found[0]?.witnesses?.witnesses).toBe(2);
  });

  it('keeps violations of other arguments apart', async () => {
    const property = violatedBy(({ a, b }) => a === 'x' || b === 'x');
    const found = await search(aboutOf(), setsOf({ a: 'x' }, { b: 'x' }), property);

    expect(found.map(({ replay }) => replay)).toEqual([{ a: 'x' }, { b: 'x' }]);
  });

  it('finds in a packed set the violations that the first one hides', async () => {
    const session = testSession();
    const property = violatedBy(({ a, b }) => a === 'x' || b === 'x');
    const sets = setsOf({ a: 'x', b: 'x', c: 'x' }).map((set): FuzzSet => ({ ...set, phase: 'boundary' }));
    const found = await search(aboutOf(session), sets, property);

    expect(found.map(({ replay }) => replay)).toEqual([{ a: 'x' }, { b: 'x' }]);
    expect(session.tried.get('check')).toMatchObject({ judged: 3, planned: 3 });
  });

  it('tries the known counterexample of an equal set first, and sends no smaller set twice', async () => {
    const session = testSession();
    const asked: string[] = [];
    const property = violatedBy((args) => {
      asked.push(JSON.stringify(args));
      return String(args.a).includes('x');
    });
    const find = (check: string): Promise<unknown> =>
      search(aboutOf(session, check), setsOf({ a: 'sample x', b: 12 }), {
        ...property,
        ofAnyValue: 'list',
      });
    const first = await find('one');
    const shrunk = asked.splice(0).slice(1, -2);

    expect(new Set(shrunk).size).toBe(shrunk.length);
    expect(await find('other')).toEqual(first);
    expect(asked).toEqual(['{"a":"x"}']);
  });

  it('shrinks a set again if the known counterexample of an equal one passes', async () => {
    const session = testSession();
    const sets = setsOf({ a: 'sample x', b: 12 });
    const replays = [];
    for (const fails of [({ a }: Args) => String(a).includes('x'), ({ b }: Args) => b !== undefined]) {
      const property = { ...violatedBy(fails), ofAnyValue: 'list' };
      const [found] = await search(aboutOf(session), sets, property);
      replays.push(found?.replay);
    }

    expect(replays).toEqual([{ a: 'x' }, { b: 0 }]);
  });

  it('never passes if a set fails only sometimes', async () => {
    const property = violatedBy((_args, turn) => turn === 1);
    const [found] = await search(aboutOf(), setsOf({ a: 'x' }), property);

    expect(found).toMatchObject({
      kind: 'inconclusive',
      replay: { a: 'x' },
      witnesses: { shows: 'sometimes' },
    });
    expect(found?.message).toMatch(/^unstable: it fails, but only 1 of 5 times/);
  });

  it('reports an unstable violation once, whatever else the sets contain', async () => {
    const property = violatedBy((_args, turn) => turn === 1 || turn === 6 || turn === 11);
    const sets = setsOf({ a: 'x' }, { b: 'x' }, { c: 'x' });
    const found = await search(aboutOf(), sets, property);

    expect(found).toHaveLength(1);
    expect(found[0]?.message).toMatch(/\(its arguments: a; shown by \d of 3 sets/);
  });

  it('leaves a violation to the check that reports it', async () => {
    const property = violatedBy(({ a }) => a === 'x', 'posts.list/a/type/enforced');
    const [alone] = await search(aboutOf(), setsOf({ a: 'x' }), property);
    const beside = await search(aboutOf(), setsOf({ a: 'x' }, { a: 'y' }), property);

    expect(alone).toMatchObject({ kind: 'blocked', blockedBy: 'posts.list/a/type/enforced' });
    expect(beside).toEqual([]);
  });

  it('keeps its findings when the time is over, and says that the search was cut', async () => {
    const session = testSession();
    const property = violatedBy(({ a }, turn) => {
      if (turn > 6) throw new TargetError('over-budget', 'the time for the run was over');
      return a === 'x';
    });
    const found = await search(aboutOf(session), setsOf({ a: 'x' }, { b: 1 }, { b: 2 }, { b: 3 }), property);

    expect(found).toMatchObject([{ kind: 'failure', witnesses: { shows: 'always', judged: 3 } }]);
    expect(session.tried.get('check')).toMatchObject({
      judged: 3,
      planned: 4,
      phases: { random: { judged: 3, planned: 4 } },
      ended: 'the time for the run was over',
    });
  });

  it('is inconclusive about a violation that it could not confirm', async () => {
    const property = violatedBy((_args, turn) => {
      if (turn > 1) throw new TargetError('gone', 'the target has stopped answering');
      return true;
    });
    const [found] = await search(aboutOf(), setsOf({ a: 'x' }), property);

    expect(found).toMatchObject({ kind: 'inconclusive', replay: { a: 'x' }, witnesses: { shows: 'once' } });
    expect(found?.message).toContain('not checked again, because the target has stopped answering');
  });

  it('throws the error that ended it if it has found nothing', async () => {
    const property = violatedBy(() => {
      throw new TargetError('over-budget', 'the time for the run was over');
    });

    await expect(search(aboutOf(), setsOf({ a: 'x' }), property)).rejects.toThrow(TargetError);
  });

  it('is inconclusive if there is nothing to try', async () => {
    const property = violatedBy(() => true);

    expect(await search(aboutOf(), [], property)).toMatchObject([{ kind: 'inconclusive' }]);
  });

  it('notes what it has tried and what it has not', async () => {
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
    const schema = { type: 'integer', minimum: 1 } as const;
    const free = ['a', 'b', 'c'].map((name) => ({
      parameter: { ...parameter, name, wire: name },
      schema: name === 'c' ? { type: 'object' } : schema,
    }));
    const sets = setsOf({ a: 1 }, { a: 2, c: 'x' }).map((one) => ({
      ...one,
      about: ['a', 'x\0y'].map((name) => ({ name, keyword: 'minimum' })),
    }));
    await search({ session, check: 'check', free }, sets, { ...violatedBy(() => false), edges: 'accepted' });

    expect(session.tried.get('check')).toEqual({
      judged: 2,
      planned: 2,
      found: 0,
      phases: { random: { judged: 2, planned: 2 } },
      parameters: {
        a: { minimum: { accepted: 2, refused: 0, other: 0 } },
        'names of no parameter': { minimum: { accepted: 2, refused: 0, other: 0 } },
      },
      pairs: {
        tried: 1,
        possible: 3,
        accepted: 1,
        refused: 0,
        untried: [
          { parameters: ['a', 'b'], reason: 'none of the chosen number of examples holds it' },
          { parameters: ['b', 'c'], reason: 'c: the contract decides of no value for sure' },
        ],
      },
      untried: [
        { parameter: 'a', keyword: 'type', reason: 'none of the chosen number of examples holds it' },
        { parameter: 'b', reason: 'none of the chosen number of examples holds it' },
        { parameter: 'c', reason: 'the contract decides of no value for sure' },
      ],
    });
  });

  it('counts no pairs if it is not about combined values', async () => {
    const session = testSession();
    await search(
      aboutOf(session),
      setsOf({ a: 1, b: 2 }),
      violatedBy(() => false),
    );

    expect(session.tried.get('check')?.pairs).toMatchObject({ tried: 0, possible: 0, untried: [] });
  });
});
