import type { Collection } from '../../../client/journal.ts';
import type { Session } from '../../../engine/session.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../records/own/own-records.ts';

/** A picture that the run has uploaded once for all checks; none of them changes it. */
export function ownPicture(
  session: Session,
  own: OwnRecords,
  collection: Collection,
): Promise<OwnRecord | NotCreated> {
  return session.once(`own picture of ${collection}`, () => own.upload(collection));
}
