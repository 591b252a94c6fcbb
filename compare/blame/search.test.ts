import { describe, expect, it } from 'vitest';
import { costOf, findSteps, moveTo, type Steps } from './search.ts';

const ALL = Array.from({ length: 24 }, (_, at) => at);

async function search(
  count: number,
  rule: (steps: Steps) => readonly string[],
): Promise<{ steps: Steps; id: string; tests: number }> {
  const asked = new Set<string>();
  const found = await findSteps(count, async (steps) => {
    asked.add(steps.join());
    return rule(steps);
  });
  return { ...found, tests: asked.size };
}

describe('the search for the steps that cause a change', () => {
  it.each(ALL)('finds step %i of 24, by halves', async (culprit) => {
    const { steps, tests } = await search(24, (tried) => (tried.includes(culprit) ? ['it'] : []));
    expect(steps).toEqual([culprit]);
    expect(tests).toBeLessThanOrEqual(7);
  });

  it('finds each pair of 24 that causes it only together', async () => {
    for (const one of ALL) {
      for (const other of ALL.slice(one + 1)) {
        const { steps, tests } = await search(24, (tried) =>
          tried.includes(one) && tried.includes(other) ? ['it'] : [],
        );
        expect(steps).toEqual([one, other]);
        expect(tests).toBeLessThanOrEqual(15);
      }
    }
  });

  it('finds four that cause it only together', async () => {
    const culprits = [0, 3, 9, 17];
    const { steps } = await search(24, (tried) =>
      culprits.every((one) => tried.includes(one)) ? ['it'] : [],
    );
    expect(steps).toEqual(culprits);
  });

  it('finds only steps that are needed if a step hides the effect of others', async () => {
    // Step 2 shows it, step 5 hides it, and step 9 always shows it.
    const rule = (tried: Steps): string[] =>
      tried.includes(9) || (tried.includes(2) && !tried.includes(5)) ? ['it'] : [];
    const { steps } = await search(12, rule);
    expect(rule(steps)).toEqual(['it']);
    for (const step of steps) expect(rule(steps.filter((one) => one !== step))).toEqual([]);
  });

  it('finds the first of several changes with its step', async () => {
    const { steps, id } = await search(8, (tried) => [
      ...(tried.includes(6) ? ['late'] : []),
      ...(tried.includes(3) ? ['early'] : []),
    ]);
    expect({ steps, id }).toEqual({ steps: [3], id: 'early' });
  });
});

describe('the cost of a search', () => {
  it('resets only if further steps are not enough', () => {
    expect(moveTo(undefined, [])).toEqual({ reset: true, steps: [] });
    expect(moveTo([0, 1], [0, 1, 2, 3])).toEqual({ reset: false, steps: [2, 3] });
    expect(moveTo([0, 1], [0, 2])).toEqual({ reset: true, steps: [0, 2] });
    expect(moveTo([0, 1], [0])).toEqual({ reset: true, steps: [0] });
  });

  it('is higher for a pair than for one step, and low for both', async () => {
    const [one, two] = [await costOf(24, 1), await costOf(24, 2)];
    expect(one.tests).toBeLessThanOrEqual(11);
    expect(two.tests).toBeLessThanOrEqual(19);
    expect(two.resets).toBeGreaterThan(one.resets);
    expect(await costOf(1, 2)).toEqual({ tests: 0, resets: 0, steps: 0 });
  });
});
