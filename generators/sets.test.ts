import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from './contract.fixture.ts';
import type { ArgumentSet, SetParameter } from './sets.ts';
import { anyHostileSet, anyInvalidSet, anyValidSet, valuesOf } from './sets.ts';
import { isSpecialName } from './unusual-values.ts';
import { brokenKeywords } from './validator.fixture.ts';

const RUNS = 10;
const SEED = 7;

const GENERATORS: Readonly<
  Record<string, (parameters: readonly SetParameter[]) => fc.Arbitrary<ArgumentSet> | undefined>
> = {
  valid: anyValidSet,
  invalid: anyInvalidSet,
  hostile: anyHostileSet,
};

/** The parameters that a set violates, according to another validator. */
function violated(parameters: readonly SetParameter[], { args }: ArgumentSet): string[] {
  return parameters
    .filter(({ name, schema, required }) => {
      const one = args[name];
      if (one === undefined) return required && !isSpecialName(name);
      return brokenKeywords(schema, one.value).length > 0;
    })
    .map(({ name }) => name);
}

/** What contradicts the claim of a set; undefined if nothing does. */
function wrongIn(parameters: readonly SetParameter[], set: ArgumentSet): string | undefined {
  const special = Object.keys(set.args).find(isSpecialName);
  if (special !== undefined) return `has the special name ${special}`;
  const broken = violated(parameters, set);
  if (set.expect === 'accepted') return broken.length === 0 ? undefined : `is accepted, but breaks ${broken}`;
  if (set.expect === 'unasserted') return undefined;
  return broken.join() === set.about.join() && broken.length === 1
    ? undefined
    : `breaks ${broken}, not ${set.about}`;
}

describe.each(Object.entries(GENERATORS))('%s sets of every operation', (_zone, generate) => {
  it('are the same for the same seed, and as declared', () => {
    const wrong: string[] = [];
    for (const { id, parameters } of operations()) {
      const sets = generate(parameters);
      if (sets === undefined) continue;
      const drawn = fc.sample(sets, { numRuns: RUNS, seed: SEED });
      const again = fc.sample(generate(parameters) ?? sets, { numRuns: RUNS, seed: SEED });
      if (JSON.stringify(again) !== JSON.stringify(drawn)) wrong.push(`${id} differs`);
      for (const set of drawn) {
        const what = wrongIn(parameters, set);
        if (what !== undefined) wrong.push(`${id} ${JSON.stringify(valuesOf(set)).slice(0, 200)} ${what}`);
      }
    }

    expect(wrong).toEqual([]);
  });
});

describe('sets of arguments', () => {
  const ORDER: SetParameter = {
    name: 'orderby',
    schema: { type: 'string', enum: ['date', 'relevance'] },
    required: false,
  };
  const PAGE: SetParameter = { name: 'page', schema: { type: 'integer', minimum: 1 }, required: true };

  it('omit a required argument only as a violation', () => {
    const valid = fc.sample(anyValidSet([PAGE, ORDER]), { numRuns: 50, seed: SEED });
    expect(valid.every(({ args }) => args.page !== undefined)).toBe(true);

    const invalid = fc.sample(anyInvalidSet([PAGE, ORDER]) ?? expect.fail(), { numRuns: 100, seed: SEED });
    const without = invalid.filter(({ args }) => args.page === undefined);
    expect(without.length).toBeGreaterThan(5);
    expect(new Set(without.flatMap(({ about }) => about))).toEqual(new Set(['page']));
  });

  it('hold only known values of a parameter that has known values', () => {
    const known: SetParameter = { ...PAGE, name: 'id', known: [3, 5] };
    const sets = fc.sample(anyValidSet([known]), { numRuns: 50, seed: SEED });

    expect(new Set(sets.map(({ args }) => args.id?.value))).toEqual(new Set([3, 5]));
    expect(new Set(sets.map((set) => set.expect))).toEqual(new Set(['accepted']));
  });

  it('name what belongs to other records, without an expectation', () => {
    const sets = fc.sample(anyHostileSet([{ ...PAGE, unrelatedIds: [987] }]), { numRuns: 50, seed: SEED });
    const strange = sets.filter(({ args }) => args.page?.value === 987);

    expect(strange.length).toBeGreaterThan(5);
    expect(new Set(strange.map((set) => set.expect))).toEqual(new Set(['unasserted']));
  });

  it('put a violation next to chosen parameters only', () => {
    const sets = fc.sample(anyInvalidSet([PAGE], [ORDER]) ?? expect.fail(), { numRuns: 50, seed: SEED });
    const names = new Set(sets.flatMap(({ args }) => Object.keys(args)));

    expect(names).toEqual(new Set(['page', 'orderby']));
    expect(new Set(sets.flatMap(({ about }) => about))).toEqual(new Set(['page']));
  });

  it.each([
    ...['_method', ' _method', '.method', '[method', '_fields', '_METHOD[a]', '_method\u0000x', '_wpnonce'],
    ...['id', 'ID', 'id[0]', 'password', 'rest.route', 'rest_route'],
  ])('never hold the name %j unless its values are known', (name) => {
    const sets = fc.sample(anyHostileSet([{ ...PAGE, name }]), { numRuns: 50, seed: SEED });

    expect(isSpecialName(name)).toBe(true);
    expect(sets.flatMap(({ args }) => Object.keys(args))).not.toContain(name);
  });
});
