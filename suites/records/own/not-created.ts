import type { Collection } from '../../../client/journal.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import { cannotTell, Ended } from '../../../engine/ended.ts';
import { describe } from '../../../engine/probe.ts';

/** A record that the run has created. */
export interface OwnRecord {
  readonly collection: Collection;
  readonly id: number;
  /** The slug that it was asked to have: it holds the run's tag. */
  readonly slug: string;
  /** What the creation answered: the record in edit context. */
  readonly created: Observation;
  /** The fresh read in edit context that showed the record to be the run's own. */
  readonly read: Observation;
}

/** A creation that did not make a record: the answer tells why. */
export interface NotCreated {
  readonly refused: Observation;
  /** What there is to say of an answer that names a record which is not the run's own. */
  readonly finding?: Finding;
}

/** Ends a check that needs a record which was not created. @param message what could not be done, where nothing else is known */
export function whyNot({ refused, finding }: NotCreated, message: string): Ended {
  return finding === undefined ? cannotTell(`${message} (${describe(refused)})`) : new Ended(finding);
}
