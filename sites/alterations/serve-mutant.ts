export { UnknownMutant } from './mutants/find-mutant.ts';

import { loadContract } from '../reference/load-contract.ts';
import { type Served, type ServeOptions, serve } from '../reference/serve.ts';
import { mutantsOf } from './mutants/catalogue.ts';
import { findMutant } from './mutants/find-mutant.ts';
import type { Mutant } from './mutants/mutant.ts';

/** The mutants that a deployment can have: ids and what they are about. @throws Error when it cannot be loaded */
export function listMutants(deployment: string): Pick<Mutant, 'id' | 'breaks' | 'title'>[] {
  return mutantsOf(loadContract(deployment));
}

/**
 * Starts a reference deployment, with one mutant where one is named.
 * @throws Error when the deployment cannot be loaded or the port is taken; UnknownMutant for a mutant that it cannot have.
 */
export async function serveMutant(
  options: Omit<ServeOptions, 'behaviour'> & { mutant?: string },
): Promise<Served> {
  const { mutant, ...rest } = options;
  if (mutant === undefined) return serve(rest);
  const { behaviour } = findMutant(loadContract(rest.deployment), mutant);
  return serve({ ...rest, behaviour });
}
