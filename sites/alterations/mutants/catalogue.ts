import type { Contract } from '../../reference/contract.ts';
import { absenceMutants } from './absence-mutants.ts';
import { answerMutants } from './answer-mutants.ts';
import { batchMutants } from './batch-mutants.ts';
import { cappedMutants } from './capped-mutants.ts';
import { contextMutants } from './context-mutants.ts';
import { damageMutants } from './damage-mutants.ts';
import { defaultMutants } from './default-mutants.ts';
import { enforcementMutants } from './enforcement-mutants.ts';
import { filterMutants } from './filter-mutants.ts';
import { fuzzMutants } from './fuzz-mutants.ts';
import { identityMutants } from './identity-mutants.ts';
import { indexMutants } from './index-mutants.ts';
import { mediaMutants } from './media-mutants.ts';
import type { Mutant } from './mutant.ts';
import { operationMutants, parameterMutants } from './parameter-mutants.ts';
import { partialMutants } from './partial-mutants.ts';
import { rareMutants } from './rare-mutants.ts';
import { rareSequenceMutants } from './rare-sequences.ts';
import { recordMutants } from './record-mutants.ts';
import { routeMutants } from './route-mutants.ts';
import { stateMutants } from './state-mutants.ts';
import { storageMutants } from './storage-mutants.ts';
import { strictnessMutants } from './strictness-mutants.ts';

/**
 * Every mutant that a deployment can have, derived from its raw contract, in a stable order.
 * @throws Error when two of them share an id
 */
export function mutantsOf(contract: Contract): Mutant[] {
  const { operations } = contract;
  const mutants = [
    ...indexMutants(contract),
    ...routeMutants(contract),
    ...operations.flatMap(operationMutants),
    ...operations.flatMap(parameterMutants),
    ...operations.flatMap(absenceMutants),
    ...operations.flatMap(answerMutants),
    ...operations.flatMap(defaultMutants),
    ...operations.flatMap(enforcementMutants),
    ...operations.flatMap(strictnessMutants),
    ...operations.flatMap(cappedMutants),
    ...operations.flatMap(fuzzMutants),
    ...rareMutants(contract),
    ...rareSequenceMutants(contract),
    ...contextMutants(contract),
    ...filterMutants(contract),
    ...partialMutants(contract),
    ...recordMutants(contract),
    ...damageMutants(contract),
    ...identityMutants(contract),
    ...storageMutants(contract),
    ...stateMutants(contract),
    ...batchMutants(contract),
    ...mediaMutants(contract),
  ];
  const seen = new Set<string>();
  for (const { id } of mutants) {
    if (seen.has(id)) throw new Error(`two mutants share the id ${id}`);
    seen.add(id);
  }
  return mutants;
}
