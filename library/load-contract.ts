import * as specs from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';

/** Which contract: names of built-in files, or paths of one's own. */
export interface ContractChoice {
  /** `core` unless given. */
  readonly deployment?: string;
  /** `neutral` unless given. */
  readonly vocabulary?: string;
}

/**
 * The contract of a deployment in the words of a vocabulary: operations, parameters, resources. It is frozen.
 * @throws SpecError naming file and place for anything that cannot be used
 */
export function loadContract({ deployment = 'core', vocabulary = 'neutral' }: ContractChoice = {}): Contract {
  return specs.loadContract({ deployment, vocabulary });
}
