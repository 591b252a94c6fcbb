import type { Check, Finding } from '../../../engine/check.ts';
import type { Contract } from '../../../specs/model.ts';
import { notAccepted } from '../../records/own/judge-write.ts';
import { ownCheck } from '../../records/own/own-check.ts';
import { listsMedia } from './lists-media.ts';
import { mediaEditChecks } from './media-edit-checks.ts';
import { pictureOf } from './picture-of.ts';
import { uploadChecks } from './upload-checks.ts';

/** Filters of the list of media with values that describe a PNG image, and values that describe other files. */
const FILTERS = [
  { parameter: 'media_type', fits: ['image'], others: ['video', 'audio', 'text', 'application'] },
  { parameter: 'mime_type', fits: ['image/png'], others: ['image/jpeg'] },
] as const;

/** Checks of media (§4.8), on pictures of the run's own. */
export function mediaChecks(contract: Contract): Check[] {
  const ids = new Set(contract.operations.map(({ id }) => id));
  if (!ids.has('media.create') || !ids.has('media.list')) return [];
  return [
    ...uploadChecks(),
    ...FILTERS.map(filterCheck),
    ...(ids.has('media.post-process') ? [postProcessCheck()] : []),
    ...(ids.has('media.edit') ? mediaEditChecks() : []),
  ];
}

function filterCheck({ parameter, fits, others }: (typeof FILTERS)[number]): Check {
  return ownCheck({
    id: `media/list/${parameter}`,
    title: `the list of media tells an own picture by ${parameter} from other files`,
    section: '4.8',
    basis: 'implied',
    operation: 'media.list',
    parameter,
    dependsOn: ['media.create/method/POST', 'media.list/method/GET', `media.list/${parameter}/declared`],
    async run(session, own) {
      const { id } = await pictureOf(session, own);
      const findings: Finding[] = [];
      for (const [values, expected] of [[fits, true] as const, [others, false] as const]) {
        const { listed, answer } = await listsMedia(session, id, { [parameter]: [...values] });
        if (listed === expected) continue;
        findings.push({
          kind: 'failure',
          message: `${parameter} ${values.join(', ')} ${listed ? 'lets a PNG image through' : 'leaves out a PNG image'}`,
          expected: expected ? `media item ${id}` : `no media item ${id}`,
          observed: listed ? 'it is listed' : 'it is not listed',
          reproduce: [answer.curl],
        });
      }
      return findings;
    },
  });
}

function postProcessCheck(): Check {
  return ownCheck({
    id: 'media/post-process',
    title: 'post-processing of an own picture with create-image-subsizes is accepted',
    section: '4.8',
    basis: 'stated',
    operation: 'media.post-process',
    dependsOn: ['media.post-process/method/POST', 'media.post-process/action/declared'],
    async run(session, own) {
      const { id } = await pictureOf(session, own);
      const answer = await session.client.request({
        method: 'POST',
        route: `${own.route('media')}/${id}/post-process`,
        body: { json: { action: 'create-image-subsizes' } },
        as: 'user',
        intent: 'own-record',
      });
      const finding = notAccepted('post-processing of an own picture', answer);
      return finding === undefined ? [] : [finding];
    },
  });
}
