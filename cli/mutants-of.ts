import { listMutants } from '../sites/alterations/catalogue.ts';
import type { ResolvedTarget } from './resolve-targets.ts';

/** The mutants that prove the checks of a deployment; none for one that was composed, which the reference deployment cannot serve. */
export function mutantsOf({ deployment, composed }: ResolvedTarget): ReturnType<typeof listMutants> {
  return composed === undefined ? listMutants(deployment) : [];
}
