import type { Method } from '../../../client/observation.ts';
import { checkId } from '../../../engine/check-id.ts';

/** The check that every other one of created records hangs on. */
export function creationRoot(collection: string): string {
  return checkId(`${collection}.create`, 'record');
}

/** The check that those of the fields which a method changes hang on. */
export function updateRoot(operation: string, method: Method): string {
  return checkId(operation, 'changes', method);
}
