import type { Collection } from '../../../client/journal.ts';
import type { Session } from '../../../engine/session.ts';
import { whyNot } from '../../records/own/not-created.ts';
import type { OwnRecord, OwnRecords } from '../../records/own/own-records.ts';
import { ownPicture } from './own-picture.ts';

/** The picture of the run, for a check that needs it. @throws Ended when it could not be uploaded */
export async function pictureOf(
  session: Session,
  own: OwnRecords,
  collection: Collection,
): Promise<OwnRecord> {
  const picture = await ownPicture(session, own, collection);
  if ('id' in picture) return picture;
  throw whyNot(picture, `no picture can be uploaded: ${collection}/upload/raw shows why`);
}
