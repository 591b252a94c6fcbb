import type { Collection } from '../../../client/journal.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Check, checkId, type Finding } from '../../../engine/check.ts';
import { failure, warning } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { PIXEL } from '../../../probing/records/own/file-bytes.ts';
import { untoldBy } from '../../../probing/records/own/judge-write.ts';
import { ownCheck } from '../../../probing/records/own/own-check.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import type { Resource } from '../../../specs/model.ts';
import { listsMedia, ownPicture } from './own-picture.ts';

type Upload = (session: Session, own: OwnRecords, collection: string) => Promise<OwnRecord | NotCreated>;

const WAYS: readonly { word: string; what: string; upload: Upload }[] = [
  { word: 'raw', what: 'the body of a request', upload: ownPicture },
  { word: 'multipart', what: 'the field file of a form', upload: uploadAsForm },
];

/** Checks that a file is stored in both ways in which it can be sent (§4.8). */
export function uploadChecks({ id: collection, section }: Resource): Check[] {
  return WAYS.map(({ word, what, upload }) =>
    ownCheck({
      id: checkId(collection, 'upload', word),
      kind: 'writes',
      title: `a picture that is sent as ${what} becomes a media item of its type`,
      section,
      operation: `${collection}.create`,
      needs: [
        checkId(`${collection}.create`, 'method', 'POST'),
        checkId(`${collection}.list`, 'method', 'GET'),
      ],
      async run(session, own) {
        const picture = await upload(session, own, collection);
        if (!('id' in picture)) return [picture.finding ?? notTaken(what, picture.refused)];
        const types = { media_type: ['image'], mime_type: ['image/png'] };
        const { listed, answer } = await listsMedia(session, picture, types);
        if (listed) return [];
        return [
          failure(`a picture that was sent as ${what} is not in the list of pictures`, {
            expected: `media item ${picture.id} of type image/png`,
            observed: describe(answer),
            reproduce: [picture.created.curl, answer.curl],
          }),
        ];
      },
    }),
  );
}

/** How a file is sent is not stated: a way that is not taken is worth a warning. */
function notTaken(what: string, answer: Observation): Finding {
  return (
    untoldBy(`a picture sent as ${what}`, answer) ??
    warning(`a picture that is sent as ${what} is not taken`, {
      expected: 'a media item',
      observed: describe(answer),
      reproduce: [answer.curl],
    })
  );
}

/** Uploads the small picture as a file of a form, in the field `file`; its title is a field of the form. */
async function uploadAsForm(
  session: Session,
  own: OwnRecords,
  collection: Collection,
): Promise<OwnRecord | NotCreated> {
  const slug = own.nextSlug();
  own.intend(collection, slug);
  const file = { field: 'file', name: `${slug}.png`, type: 'image/png', bytes: PIXEL };
  const fields = own.stated(collection, { title: `${slug} title` });
  const titled = encodeArgs(fields);
  const answer = await session.client.request({
    method: 'POST',
    route: own.route(collection) ?? '',
    body: await multipart(Object.fromEntries(titled), file),
    as: 'user',
    intent: 'own-record',
  });
  return own.settle(collection, slug, answer);
}

/** A body of several parts, as a form with a file sends it. */
interface Multipart {
  readonly bytes: Uint8Array;
  readonly type: string;
}

/** Writes a form with a file as multipart/form-data. @param fields names and values of plain text */
export async function multipart(
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): Promise<Multipart> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(file.field, new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
  const body = new Response(form);
  const type = body.headers.get('content-type') ?? 'multipart/form-data';
  return { bytes: new Uint8Array(await body.arrayBuffer()), type };
}
