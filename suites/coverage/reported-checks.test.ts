import { describe, expect, it } from 'vitest';
import { checkKinds, kindNamed } from '../../engine/check.ts';
import { selectorOf } from '../../engine/glob.ts';
import { loadContract } from '../../specs/contract.ts';
import { loadClauses, loadReadings, loadRequirements } from '../../specs/texts.ts';
import { allChecks } from '../all-checks.ts';

const CHECKS = ['core', 'a', 'b'].flatMap((name) =>
  allChecks(loadContract({ deployment: name, vocabulary: 'neutral' })),
);

describe('every check', () => {
  it('cites a section that the documents explain', () => {
    const reported = loadClauses();
    const cited = [...CHECKS, ...loadRequirements()].map(({ section }) => section);

    expect([...new Set(cited)].filter((section) => !reported.has(section))).toEqual([]);
  });

  it('has a kind', () => {
    expect(CHECKS.filter(({ kind }) => kindNamed(kind) === undefined).map(({ id }) => id)).toEqual([]);
  });
});

describe('every reading of an open statement', () => {
  const ids = CHECKS.map(({ id }) => id);
  const readings = loadReadings();

  it.each(readings.map(({ id, checks }) => [id, checks] as const))(
    '%s only names checks that exist',
    (_, globs) => {
      expect(globs.filter((glob) => !ids.some(selectorOf(glob)))).toEqual([]);
    },
  );

  it('is alone with its number in its section, which the documents explain', () => {
    const reported = loadClauses();

    expect(new Set(readings.map(({ id, section }) => `${id} ${section}`)).size).toBe(readings.length);
    expect(readings.filter(({ section }) => !reported.has(section))).toEqual([]);
  });
});

describe('every kind', () => {
  it('has a check and a unique name', () => {
    const used = new Set(CHECKS.map(({ kind }) => kind));
    const names = checkKinds().map(({ kind }) => kind);

    expect(names.filter((kind) => !used.has(kind))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});
