import type { Collection } from '../../../client/journal.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeQuery } from '../../../generators/wire-forms.ts';
import { PIXEL } from '../../records/own/file-bytes.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../records/own/own-records.ts';
import { multipart } from './multipart.ts';

/** Uploads the small picture as a file of a form, in the field `file`; its title is a field of the form. */
export async function uploadAsForm(
  session: Session,
  own: OwnRecords,
  collection: Collection,
): Promise<OwnRecord | NotCreated> {
  const slug = own.nextSlug();
  own.intend(collection, slug);
  const file = { field: 'file', name: `${slug}.png`, type: 'image/png', bytes: PIXEL };
  const fields = own.stated(collection, { title: `${slug} title` });
  const titled = Object.entries(fields).flatMap(([name, value]) => encodeQuery(name, value));
  const answer = await session.client.request({
    method: 'POST',
    route: own.route(collection) ?? '',
    body: await multipart(Object.fromEntries(titled), file),
    as: 'user',
    intent: 'own-record',
  });
  return own.settle(collection, slug, answer);
}
