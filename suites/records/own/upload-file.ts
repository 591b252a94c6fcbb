import type { Collection } from '../../../client/journal.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeQuery } from '../../../generators/wire-forms.ts';
import { PIXEL } from './file-bytes.ts';
import type { NotCreated, OwnRecord, OwnRecords } from './own-records.ts';
import { SILENCE } from './silence.ts';

/** A file that is uploaded: a picture of a few pixels, a sound of a few samples, or a text of a few words. */
export type FileKind = 'picture' | 'sound' | 'text';

const FILES: Readonly<Record<FileKind, { bytes: Uint8Array; type: string; extension: string }>> = {
  picture: { bytes: PIXEL, type: 'image/png', extension: 'png' },
  sound: { bytes: SILENCE, type: 'audio/wav', extension: 'wav' },
  text: { bytes: new TextEncoder().encode('Plain notes.\n'), type: 'text/plain', extension: 'txt' },
};

/** The type that a site shows of a file that it keeps as it came. */
export function typeOfFile(kind: FileKind): string {
  return FILES[kind].type;
}

/** A site need not take every type of file. */
export const NO_SOUND: Finding = inconclusive(
  'the site takes no sound, which could have a picture of its own',
);

/**
 * Uploads a file as the body of the request, with fields of the record in the address, where such a body leaves room.
 * @param fields as a JSON body would have them
 */
export async function uploadFile(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  kind: FileKind,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<OwnRecord | NotCreated> {
  const { bytes, type, extension } = FILES[kind];
  const slug = own.nextSlug();
  own.intend(collection, slug);
  const answer = await session.client.request({
    method: 'POST',
    route: own.route(collection) ?? '',
    query: Object.entries(own.stated(collection, { title: `${slug} title`, ...fields })).flatMap(
      ([name, value]) => encodeQuery(name, value),
    ),
    body: { bytes, type, disposition: `attachment; filename="${slug}.${extension}"` },
    as: 'user',
    intent: 'own-record',
  });
  return own.settle(collection, slug, answer);
}
