import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Command,
  type CommandSequence,
  commandSequences,
  type RecordStep,
  readSteps,
  recordStep,
  runSequence,
} from './command-sequences.ts';
import { explore } from './explore.ts';

const LENGTHS = { shortest: 20, longest: 30 };

interface Model {
  readonly kept: number[];
}

/** Adds a number to the model. The site receives their sum, and fails for some sums. */
function add(number: number, broken: (kept: readonly number[]) => boolean): Command<Model, number[]> {
  return {
    check: () => number !== 0,
    async run({ kept }, site) {
      kept.push(number);
      site.push(number);
      if (broken(kept)) throw new RangeError(kept.join(' '));
    },
    toString: () => `add ${number}`,
  };
}

/** The last sequence of a search, as the added numbers. */
async function smallest(
  broken: (kept: readonly number[]) => boolean,
  seed: number,
): Promise<{ readonly ran: readonly number[]; readonly tried: number }> {
  let ran: readonly number[] = [];
  let tried = 0;
  const command = fc.noShrink(fc.nat({ max: 9 })).map((number) => add(number, broken));
  const holds = async (commands: CommandSequence<Model, number[]>): Promise<boolean> => {
    const site: number[] = [];
    tried += 1;
    try {
      await runSequence({ model: { kept: [] }, site }, commands);
      return true;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      ran = site;
      return false;
    }
  };
  await explore(commandSequences(command, LENGTHS), holds, { runs: 20, seed, most: 200, seconds: 300 });
  return { ran, tried };
}

describe('commandSequences', () => {
  it('draws as many commands as are asked for', () => {
    const command = fc.constant(add(1, () => false));
    const drawn = fc.sample(commandSequences(command, LENGTHS), { numRuns: 50, seed: 1 });
    const lengths = drawn.map((commands) => [...commands].length);

    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(LENGTHS.shortest);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(LENGTHS.longest);
  });

  it.each([1, 2, 3])('shrinks to the commands that a failure needs, with the seed %i', async (seed) => {
    const { ran } = await smallest((kept) => kept.includes(3) && kept.at(-1) === 7, seed);

    expect(ran).toEqual([3, 7]);
  });

  it('finds the same counterexample again with the same seed', async () => {
    const broken = (kept: readonly number[]): boolean => kept.filter((one) => one > 6).length > 2;
    const [one, other] = [await smallest(broken, 5), await smallest(broken, 5)];

    expect(other).toEqual(one);
    expect(one.ran).toHaveLength(3);
  });

  it('leaves out what does not fit the model', async () => {
    const { ran } = await smallest((kept) => kept.length > 4, 1);

    expect(ran).toHaveLength(5);
    expect(ran).not.toContain(0);
  });

  it('finds no counterexample where every sequence holds', async () => {
    expect(await smallest(() => false, 1)).toEqual({ ran: [], tried: 20 });
  });
});

const some = (seed: number): RecordStep[] => fc.sample(recordStep(), { numRuns: 300, seed });

describe('recordStep', () => {
  it('draws every kind of step', () => {
    expect([...new Set(some(1).map(({ kind }) => kind))].toSorted()).toEqual([
      'batch',
      'create',
      'delete',
      'list',
      'read',
      'restore',
      'trash',
      'update',
    ]);
  });

  it('draws no batch of a single step, because it equals the step', () => {
    const sizes = some(1).flatMap((step) => (step.kind === 'batch' ? [step.steps.length] : []));

    expect(sizes).toContain(3);
    expect(sizes).not.toContain(1);
  });
});

describe('readSteps', () => {
  it('reads every drawn step back from JSON', () => {
    const steps = fc.sample(recordStep(), { numRuns: 100, seed: 5 });

    expect(readSteps(JSON.parse(JSON.stringify({ steps })))).toEqual(steps);
  });

  it.each([
    ['no steps', {}],
    ['an unknown kind', { steps: [{ kind: 'destroy', pick: 0 }] }],
    ['a further member', { steps: [{ kind: 'list', route: '/wp/v2/users' }] }],
    ['a status with conditions', { steps: [{ kind: 'create', writing: { status: 'future' } }] }],
    ['a text that is no plain word', { steps: [{ kind: 'create', writing: { title: '<b>' } }] }],
  ])('reads nothing from %s', (_what, kept) => {
    expect(readSteps(kept)).toBeUndefined();
  });
});
