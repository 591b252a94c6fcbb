import { describe, expect, it } from 'vitest';
import { operations } from './contract.fixture.ts';
import { type ArgumentSet, combinationsOf, coveringSets, type SetParameter } from './sets.ts';
import { brokenKeywords } from './validator.fixture.ts';

const PARAMETERS: readonly SetParameter[] = [
  { name: 'page', schema: { type: 'integer', minimum: 1 }, required: false },
  { name: 'order', schema: { enum: ['asc', 'desc'] }, required: false },
  { name: 'flag', schema: { type: 'boolean' }, required: false },
  { name: 'owner', schema: { type: 'integer', enum: [4, 9] }, required: false },
  { name: 'where', schema: { type: 'string', format: 'uri' }, required: false },
];

/** All pairs of arguments in a set, with their values. */
function pairsIn(sets: readonly ArgumentSet[]): Set<string> {
  const found = sets.flatMap(({ args }) => {
    const cells = Object.entries(args).map(([name, { value }]) => `${name}=${JSON.stringify(value)}`);
    return cells.flatMap((one) => cells.filter((other) => one < other).map((other) => `${one} ${other}`));
  });
  return new Set(found);
}

describe('coveringSets', () => {
  it('combines all values of every two parameters, in few sets', () => {
    const sets = coveringSets(PARAMETERS, 2);
    const pairs = pairsIn(sets);

    for (const page of [1, 2]) {
      for (const order of ['asc', 'desc']) expect(pairs).toContain(`order="${order}" page=${page}`);
      for (const owner of [4, 9]) expect(pairs).toContain(`owner=${owner} page=${page}`);
    }
    for (const flag of [true, false]) expect(pairs).toContain(`flag=${flag} owner=9`);
    expect(sets.length).toBeLessThanOrEqual(8);
  });

  it('only sends values that are surely accepted', () => {
    const sets = coveringSets(PARAMETERS, 2);

    expect(sets.every(({ args }) => args.where === undefined)).toBe(true);
    expect(new Set(sets.map(({ expect: end }) => end))).toEqual(new Set(['accepted']));
  });

  it('is the same each time for every operation, and valid', () => {
    const wrong: string[] = [];
    for (const { id, parameters } of operations()) {
      const sets = coveringSets(parameters, 2);
      if (JSON.stringify(coveringSets(parameters, 2)) !== JSON.stringify(sets)) wrong.push(`${id} differs`);
      for (const { name, schema } of parameters) {
        const values = sets.flatMap(({ args }) => args[name] ?? []);
        if (values.some(({ value }) => brokenKeywords(schema, value).length > 0)) wrong.push(`${id}/${name}`);
      }
    }

    expect(wrong).toEqual([]);
  });

  it('combines all values of every three parameters', () => {
    const parameters = PARAMETERS.filter(({ name }) => name !== 'where');
    const sets = coveringSets(parameters, 3);
    const cells = parameters.map(({ name }) => [
      ...new Set(sets.flatMap(({ args }) => (args[name] ? [`${name}=${args[name].value}`] : []))),
    ]);
    const held = sets.map(({ args }) => Object.entries(args).map(([name, { value }]) => `${name}=${value}`));
    const missing = combinationsOf(cells, 3).flatMap(([some = [], others = [], further = []]) =>
      some.flatMap((one) =>
        others.flatMap((other) =>
          further
            .map((third) => [one, other, third])
            .filter((three) => !held.some((set) => three.every((cell) => set.includes(cell)))),
        ),
      ),
    );

    expect(cells.map(({ length }) => length)).toEqual([2, 2, 2, 2]);
    expect(missing).toEqual([]);
  });
});
