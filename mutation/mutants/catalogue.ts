import type { Contract } from '../../reference/contract.ts';
import { absenceFaults } from './absence-faults.ts';
import { answerFaults } from './answer-faults.ts';
import { batchFaults } from './batch-faults.ts';
import { cappedFaults } from './capped-faults.ts';
import { contextFaults } from './context-faults.ts';
import { defaultFaults } from './default-faults.ts';
import { enforcementFaults } from './enforcement-faults.ts';
import type { Fault } from './fault.ts';
import { filterFaults } from './filter-faults.ts';
import { fuzzFaults } from './fuzz-faults.ts';
import { identityFaults } from './identity-faults.ts';
import { indexFaults } from './index-faults.ts';
import { mediaFaults } from './media-faults.ts';
import { operationFaults, parameterFaults } from './parameter-faults.ts';
import { rareFaults } from './rare-faults.ts';
import { recordFaults } from './record-faults.ts';
import { routeFaults } from './route-faults.ts';
import { stateFaults } from './state-faults.ts';
import { storageFaults } from './storage-faults.ts';
import { strictnessFaults } from './strictness-faults.ts';

/**
 * Every fault that a deployment can have, derived from its raw contract, in a stable order.
 * @throws Error when two of them share an id
 */
export function faultsOf(contract: Contract): Fault[] {
  const { operations } = contract;
  const faults = [
    ...indexFaults(contract),
    ...routeFaults(contract),
    ...operations.flatMap(operationFaults),
    ...operations.flatMap(parameterFaults),
    ...operations.flatMap(absenceFaults),
    ...operations.flatMap(answerFaults),
    ...operations.flatMap(defaultFaults),
    ...operations.flatMap(enforcementFaults),
    ...operations.flatMap(strictnessFaults),
    ...operations.flatMap(cappedFaults),
    ...operations.flatMap(fuzzFaults),
    ...rareFaults(contract),
    ...contextFaults(contract),
    ...filterFaults(contract),
    ...recordFaults(contract),
    ...identityFaults(contract),
    ...storageFaults(contract),
    ...stateFaults(contract),
    ...batchFaults(contract),
    ...mediaFaults(contract),
  ];
  const seen = new Set<string>();
  for (const { id } of faults) {
    if (seen.has(id)) throw new Error(`two faults share the id ${id}`);
    seen.add(id);
  }
  return faults;
}
