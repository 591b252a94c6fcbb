import { loadContract } from '../reference/load-contract.ts';
import { type Served, type ServeOptions, serve } from '../reference/serve.ts';
import { faultsOf } from './mutants/catalogue.ts';
import type { Fault } from './mutants/fault.ts';
import { findFault } from './mutants/find-fault.ts';

export { UnknownFault } from './mutants/find-fault.ts';

/** The faults that a deployment can have: ids and what they are about. @throws Error when it cannot be loaded */
export function listFaults(deployment: string): Pick<Fault, 'id' | 'breaks' | 'title'>[] {
  return faultsOf(loadContract(deployment));
}

/**
 * Starts a reference deployment, with one fault where one is named.
 * @throws Error when the deployment cannot be loaded or the port is taken; UnknownFault for a fault that it cannot have.
 */
export async function serveFault(
  options: Omit<ServeOptions, 'behaviour'> & { fault?: string },
): Promise<Served> {
  const { fault, ...rest } = options;
  if (fault === undefined) return serve(rest);
  const { behaviour } = findFault(loadContract(rest.deployment), fault);
  return serve({ ...rest, behaviour });
}
