import { describe, expect, it } from 'vitest';
import { testCheck } from '../../engine/session.fixture.ts';
import { listMutants } from '../../sites/alterations/catalogue.ts';
import { loadContract } from '../../specs/contract.ts';
import { textsOf } from '../../specs/texts.ts';
import { allChecks } from '../all-checks.ts';
import { countSections, coverageOf, requirementsByCheck } from './coverage.ts';

const COVERAGES = ['core', 'a', 'b'].map((deployment) => {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  return coverageOf(contract, allChecks(contract), { mutants: listMutants(deployment) });
});

describe.each(COVERAGES)('the coverage of $deployment', (coverage) => {
  const { requirements, unclaimed } = coverage;

  it('has a check or a reason for every requirement, and never both', () => {
    expect(requirements.filter(({ checks, reason }) => checks.length === 0 && !reason)).toEqual([]);
    expect(requirements.filter(({ checks, reason }) => checks.length > 0 && reason)).toEqual([]);
  });

  it('has a mutant for every requirement that is checked', () => {
    const checked = requirements.filter(({ checks }) => checks.length > 0);

    expect(checked.filter(({ mutants }) => mutants.length === 0)).toEqual([]);
  });

  it('has a requirement for every check', () => {
    expect(unclaimed).toEqual([]);
    expect(requirementsByCheck(coverage).size).toBe(coverage.checks);
  });

  it('has a check of every constraint of every operation', () => {
    const stated = requirements.filter(({ from }) => from === 'contract');

    expect(stated.length).toBeGreaterThan(1000);
    expect(stated.filter(({ id, checks }) => !checks.includes(id))).toEqual([]);
  });

  it('lists the modes that the checks of a requirement need', () => {
    expect(requirements.filter(({ checks, modes }) => checks.length > 0 !== modes.length > 0)).toEqual([]);
  });

  it('has each requirement once, in an existing section', () => {
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
    const counted = countSections(coverage).reduce((sum, one) => sum + one.requirements.length, 0);
    expect(counted).toBe(requirements.length);
  });
});

describe('the globs of requirements', () => {
  // Compares three plans with some hundred globs.
  it('each select a check of at least one deployment', { timeout: 30_000 }, () => {
    const ids = ['core', 'a', 'b'].flatMap((deployment) =>
      allChecks(loadContract({ deployment, vocabulary: 'neutral' })),
    );
    const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
    const rows = textsOf('requirements').flatMap(({ checks = [], ...row }) =>
      checks.map((glob) => ({ ...row, id: `${row.id}: ${glob}`, checks: [glob] })),
    );
    const { requirements } = coverageOf(contract, ids, { requirements: rows, unspecified: [] });

    expect(
      requirements
        .filter(({ from, checks }) => from === 'requirements' && checks.length === 0)
        .map(({ id }) => id),
    ).toEqual([]);
  });
});

describe('coverageOf', () => {
  const contract = { ...loadContract({ deployment: 'core', vocabulary: 'neutral' }), operations: [] };
  const row = { id: 'one', section: '3', basis: 'stated', statement: 'One holds.' } as const;

  it('counts the modes and credentials that the checks of a requirement need', () => {
    const checks = [
      testCheck('posts.list/page'),
      testCheck('posts.list/page/deep', [], { effect: 'writes', needsUser: true }),
      testCheck('posts.list/pages'),
    ];
    const requirements = [{ ...row, checks: ['posts.list/page'] }];
    const mutants = ['posts.list/page', 'posts.list', 'posts.list/page/other', 'posts.list/pages'].map(
      (breaks) => ({ id: `${breaks}~broken`, breaks }),
    );
    const coverage = coverageOf(contract, checks, { requirements, unspecified: [], mutants });

    expect(coverage.requirements).toEqual([
      {
        ...row,
        from: 'requirements',
        checks: ['posts.list/page', 'posts.list/page/deep'],
        modes: ['read', 'write'],
        needCredentials: 1,
        // Mutants that break more than the requirement count too.
        mutants: ['posts.list/page~broken', 'posts.list~broken'],
      },
    ]);
    expect(coverage.unclaimed).toEqual(['posts.list/pages']);
  });

  it('gives the reason of a requirement without a check, if it has one', () => {
    const requirements = [
      { ...row, id: 'said', reason: 'it cannot be seen' },
      { ...row, id: 'elsewhere', namespaces: ['seo/v1'], checks: ['seo.*/**'] },
      { ...row, id: 'forgotten', namespaces: ['cms/v2'], checks: ['cms.*/**'] },
    ];

    expect(
      coverageOf(contract, [], { requirements, unspecified: [] }).requirements.map(({ id, reason }) => [
        id,
        reason,
      ]),
    ).toEqual([
      ['said', 'it cannot be seen'],
      ['elsewhere', 'core does not serve seo/v1'],
      ['forgotten', undefined],
    ]);
  });

  it('lists a check under each of its requirements', () => {
    const checks = [testCheck('routes/a/present')];
    const requirements = [
      { ...row, checks: ['routes/**/present'] },
      { ...row, id: 'two', checks: ['{routes,index}/*/present'] },
    ];
    const coverage = coverageOf(contract, checks, { requirements, unspecified: [] });

    expect(requirementsByCheck(coverage)).toEqual(new Map([['routes/a/present', ['one', 'two']]]));
  });
});
