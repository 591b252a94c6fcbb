import { expect } from 'vitest';
import type { Check } from '../../engine/check.ts';
import type { Mutant, Results } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { faultySite, idsWith } from '../../probing/records/reading/faulty-reading.fixture.ts';
import type { Contract } from '../../specs/model.ts';
import { contextChecks } from '../contexts/context-checks.ts';
import { collectionChecks } from './list-checks.ts';

/** Lists of a core site with or without faults. */
interface FaultyLists {
  readonly site: ReturnType<typeof faultySite>;
  /** The results of the checks of one list on a site with a mutant. */
  resultsOf(list: string, mutant: Mutant, asked?: Asked): Promise<Results>;
  /** The checks of a list that fail on a site with a mutant, without the id of the list. */
  failing(list: string, mutant: Mutant, asked?: Asked): Promise<string[]>;
}

/** The caller, and which checks of the list to run; default: all. */
interface Asked {
  readonly as?: 'anonymous';
  readonly about?: RegExp;
}

/**
 * Starts the site before the tests of a file, and stops it after them.
 * @param beside whether the checks of two filters together run too, whose sets take long to find
 */
export function faultyLists(beside?: 'beside'): FaultyLists {
  const site = faultySite('core');
  const checksOf = (contract: Contract, list: string, about: RegExp): Check[] =>
    [...contextChecks(contract), ...collectionChecks(contract)].filter(
      ({ id, operation }) =>
        operation === list &&
        (id.includes('/filters') || id.endsWith('/id')) &&
        (beside !== undefined || !id.endsWith('/beside')) &&
        about.test(id),
    );
  const resultsOf: FaultyLists['resultsOf'] = (list, mutant, { as, about = /./ } = {}) =>
    site.results(mutant, (contract) => checksOf(contract, list, about), as);
  return {
    site,
    resultsOf,
    async failing(list, mutant, asked) {
      const results = await resultsOf(list, mutant, asked);
      expect(idsWith(results, 'error')).toEqual([]);
      return idsWith(results, 'fail').map((id) => id.slice(list.length + 1));
    },
  };
}
