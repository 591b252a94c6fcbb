import type { CheckResult } from '../../engine/result.ts';
import { findMutant } from '../../sites/alterations/mutants/find-mutant.ts';
import { loadContract as loadRaw } from '../../sites/reference/load-contract.ts';
import type { Behaviour } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runOnReference } from '../run-on-reference.ts';

/** What checks say of a site by their ids. */
export type Results = ReadonlyMap<string, CheckResult>;

/** Runs the whole plan in mode write, as the user of the site. @param mutant the id of one; a healthy site without */
export async function resultsOf(deployment: string, mutant?: string): Promise<Results> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const behaviour: Partial<Behaviour> =
    mutant === undefined ? {} : findMutant(loadRaw(deployment), mutant).behaviour;
  return runOnReference({ deployment, behaviour, contract, checks: allChecks(contract), mode: 'write' });
}

/** The checks that tell something of a healthy site, and nothing of another, each with its reason. */
export function blinded(healthy: Results, faulty: Results): CheckResult[] {
  return [...faulty.values()].filter(
    ({ id, verdict }) =>
      (verdict === 'inconclusive' || verdict === 'skip') && healthy.get(id)?.verdict === 'pass',
  );
}
