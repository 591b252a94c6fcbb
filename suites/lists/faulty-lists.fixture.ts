import { expect } from 'vitest';
import type { Check } from '../../engine/check.ts';
import {
  faultySite,
  idsWith,
  type Mutant,
  type Results,
} from '../../probing/records/reading/faulty-reading.fixture.ts';
import type { Contract } from '../../specs/model.ts';
import { contextChecks } from '../contexts/context-checks.ts';
import { collectionChecks } from './list-checks.ts';

/** Lists of a site of the core, faulty or not. */
export interface FaultyLists {
  /** The results of the checks of one list on a site with a mutant. */
  resultsOf(list: string, mutant: Mutant, as?: 'anonymous'): Promise<Results>;
  /** The checks of a list that fail on a site with a mutant, without the name of the list. */
  failing(list: string, mutant: Mutant, as?: 'anonymous'): Promise<string[]>;
}

/** Starts the site before the tests of a file and stops them after them. */
export function faultyLists(): FaultyLists {
  const site = faultySite('core');
  const checksOf = (contract: Contract, list: string): Check[] =>
    [...contextChecks(contract), ...collectionChecks(contract)].filter(
      ({ id, operation }) => operation === list && (id.includes('/filters') || id.endsWith('/id')),
    );
  const resultsOf: FaultyLists['resultsOf'] = (list, mutant, as) =>
    site.results(mutant, (contract) => checksOf(contract, list), as);
  return {
    resultsOf,
    async failing(list, mutant, as) {
      const results = await resultsOf(list, mutant, as);
      expect(idsWith(results, 'error')).toEqual([]);
      return idsWith(results, 'fail').map((id) => id.slice(list.length + 1));
    },
  };
}
