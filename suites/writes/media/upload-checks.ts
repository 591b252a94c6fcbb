import type { Observation } from '../../../client/observation.ts';
import type { Check, Finding } from '../../../engine/check.ts';
import { checkId } from '../../../engine/check-id.ts';
import { failure, warning } from '../../../engine/findings.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import type { Resource } from '../../../specs/model.ts';
import { untoldBy } from '../../records/own/judge-write.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../records/own/own-records.ts';
import { listsMedia } from './lists-media.ts';
import { ownPicture } from './own-picture.ts';
import { uploadAsForm } from './upload-as-form.ts';

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
      title: `a picture that is sent as ${what} becomes a media item of its type`,
      section,
      basis: 'implied',
      operation: `${collection}.create`,
      dependsOn: [
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
