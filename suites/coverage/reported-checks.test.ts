import { describe, expect, it } from 'vitest';
import { selectorOf } from '../../engine/glob.ts';
import { loadContract } from '../../specs/contract.ts';
import { sectionOf, textsOf } from '../../specs/texts.ts';
import { allChecks } from '../all-checks.ts';

const CHECKS = ['core', 'a', 'b'].flatMap((name) =>
  allChecks(loadContract({ deployment: name, vocabulary: 'neutral' })),
);

describe('every check', () => {
  it('cites a section that the documents explain', () => {
    const cited = [...CHECKS, ...textsOf('requirements')].map(({ section }) => section);

    expect([...new Set(cited)].filter((section) => sectionOf(section) === undefined)).toEqual([]);
  });
});

describe('every reading of an open statement', () => {
  const ids = CHECKS.map(({ id }) => id);
  const readings = textsOf('readings');

  it.each(readings.map(({ id, checks }) => [id, checks] as const))(
    '%s only names checks that exist',
    (_, globs) => {
      expect(globs.filter((glob) => !ids.some(selectorOf(glob)))).toEqual([]);
    },
  );

  it('is alone with its number in its section, which the documents explain', () => {
    expect(new Set(readings.map(({ id, section }) => `${id} ${section}`)).size).toBe(readings.length);
    expect(readings.filter(({ section }) => sectionOf(section) === undefined)).toEqual([]);
  });
});

describe('every kind', () => {
  it('has a check and a unique name', () => {
    const used = new Set(CHECKS.map(({ kind }) => kind));
    const names = textsOf('check-kinds').map(({ kind }) => kind);

    expect(names.filter((kind) => !used.has(kind))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});
