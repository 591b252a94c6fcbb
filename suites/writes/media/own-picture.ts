import type { Collection } from '../../../client/journal.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../records/own/own-records.ts';

/** A picture that the run has uploaded once for all checks; none of them changes it. */
export const ownPicture: Fixture<OwnRecord | NotCreated, [own: OwnRecords, collection: Collection]> = fixture(
  'own picture of',
  (_, own, collection) => own.upload(collection),
);
