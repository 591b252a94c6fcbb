import type { Journal } from '../../../client/journal.ts';
import type { JsonObject } from '../../../client/json.ts';
import type { Collection, PriorRecords } from '../../../client/ownership.ts';
import type { JournalPlace } from '../../../engine/session.ts';
import type { Contract } from '../../../specs/model.ts';
import { CreationLimits } from './creation-limits.ts';
import { InTurn, switchesOf } from './in-turn.ts';
import type { OwnRecord } from './outcome.ts';

/** What all sessions of a run know of its own records. */
export interface Ledger {
  readonly journal: Journal;
  readonly place: Omit<JournalPlace, 'path'>;
  readonly prior: PriorRecords;
  /** Own records that exist, as far as known, by collection and id, as they were first read. */
  readonly there: Map<string, OwnRecord | undefined>;
  readonly limits: CreationLimits;
  /** What noted updates were accepted with, by collection. */
  readonly updates: Map<Collection, JsonObject[]>;
  slugs: number;
  /** The writes that name a switch, one after the other. */
  readonly switching: InTurn;
  /** Whether all answers to batches could be read so far (R37), and led to own records. */
  createsByBatch: boolean;
  uploadsBy: 'body' | 'form' | undefined;
}

/** The ledger of a run that begins. @param prior the records that were there before it */
export function beginLedger(
  contract: Contract,
  journal: Journal,
  place: Ledger['place'],
  prior: PriorRecords,
): Ledger {
  return {
    journal,
    place,
    prior,
    there: new Map(),
    limits: new CreationLimits(place.most),
    updates: new Map(),
    slugs: 0,
    switching: new InTurn(switchesOf(contract)),
    createsByBatch: true,
    uploadsBy: undefined,
  };
}
