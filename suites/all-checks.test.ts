import { describe, expect, it } from 'vitest';
import { checkKinds } from '../engine/check.ts';
import { findCycle } from '../engine/plan.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from './all-checks.ts';

const CONTRACTS = ['a', 'b', 'core'].flatMap((deployment) =>
  ['neutral', 'wordpress'].map((vocabulary) => loadContract({ deployment, vocabulary })),
);
const SECTION = /^([1-9]|4\.([1-9]|10))$/;

describe.each(CONTRACTS)('the checks of $deployment in the words of $vocabulary', (contract) => {
  const checks = allChecks(contract);
  const ids = checks.map(({ id }) => id);

  it('have an id each', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have ids that a glob can name and a line can hold', () => {
    expect(ids.filter((id) => !/^[\w:.-]+(\/[\w:.-]+)+$/.test(id))).toEqual([]);
  });

  it('say of which kind they are', () => {
    const kinds = new Set(checkKinds().map(({ kind }) => kind));

    expect(checks.filter(({ kind = '' }) => !kinds.has(kind)).map(({ id }) => id)).toEqual([]);
  });

  it('depend on checks that there are', () => {
    const known = new Set(ids);
    const unknown = checks.flatMap(({ id, dependsOn = [] }) =>
      dependsOn.filter((other) => !known.has(other)).map((other) => `${id} -> ${other}`),
    );

    expect(unknown).toEqual([]);
  });

  it('never depend on each other in a circle', () => {
    expect(findCycle(checks)).toBeUndefined();
  });

  it('cite a section, and state what holds in the present tense, in one line', () => {
    const wrong = checks.filter(
      ({ section, title }) =>
        !SECTION.test(section) || title === '' || /\n|\b(should|shall|will|must)\b/i.test(title),
    );

    expect(wrong.map(({ id, title, section }) => `${id} (§${section}): ${title}`)).toEqual([]);
  });
});

describe('the ids of checks', () => {
  it('are the same in every vocabulary', () => {
    const [neutral, spoken] = ['neutral', 'wordpress'].map((vocabulary) =>
      allChecks(loadContract({ deployment: 'b', vocabulary })).map(({ id }) => id),
    );

    expect(spoken).toEqual(neutral);
  });
});
