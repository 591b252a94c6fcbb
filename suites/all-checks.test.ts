import { describe, expect, it } from 'vitest';
import { findCycle } from '../engine/plan.ts';
import { loadContract } from '../specs/contract.ts';
import { textsOf } from '../specs/texts.ts';
import { allChecks } from './all-checks.ts';

const CONTRACTS = ['a', 'b', 'core'].flatMap((deployment) =>
  ['neutral', 'wordpress'].map((vocabulary) => loadContract({ deployment, vocabulary })),
);
const SECTION = /^([1-9]|4\.([1-9]|10))$/;

describe.each(CONTRACTS)('the checks of $deployment in the words of $vocabulary', (contract) => {
  const checks = allChecks(contract);
  const ids = checks.map(({ id }) => id);

  it('have ids that fit in globs and on one line', () => {
    expect(ids.filter((id) => !/^[\w:.-]+(\/[\w:.-]+)+$/.test(id))).toEqual([]);
  });

  it('have a kind', () => {
    const kinds = new Set(textsOf('check-kinds').map(({ kind }) => kind));

    expect(checks.filter(({ kind = '' }) => !kinds.has(kind)).map(({ id }) => id)).toEqual([]);
  });

  it('only depend on existing checks', () => {
    const known = new Set(ids);
    const unknown = checks.flatMap(({ id, dependsOn = [] }) =>
      dependsOn.filter((other) => !known.has(other)).map((other) => `${id} -> ${other}`),
    );

    expect(unknown).toEqual([]);
  });

  it('have no circular dependencies', () => {
    expect(findCycle(checks)).toBeUndefined();
  });

  it('cite a section, and have a title in the present tense, in one line', () => {
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
