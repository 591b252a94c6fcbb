import { cannotTell, Ended } from '../../../engine/ended.ts';
import { describe } from '../../../engine/probe.ts';
import type { NotCreated } from './own-records.ts';

/** Ends a check that needs a record which was not created. @param message what could not be done, where nothing else is known */
export function whyNot({ refused, finding }: NotCreated, message: string): Ended {
  return finding === undefined ? cannotTell(`${message} (${describe(refused)})`) : new Ended(finding);
}
