import { type Check, checkId, declares, type Finding, serves } from '../../../engine/check.ts';
import { failure } from '../../../engine/findings.ts';
import { notAccepted } from '../../../probing/records/own/judge-write.ts';
import { findingRoots, ownCheck } from '../../../probing/records/own/own-check.ts';
import { describedCollections, routeFor } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { mediaEditChecks } from './media-edit-checks.ts';
import { listsMedia, pictureOf } from './own-picture.ts';
import { uploadChecks } from './upload-checks.ts';

/** Filters of a list of files with values that describe a PNG image, and values that describe other files. */
const FILTERS = [
  { parameter: 'media_type', fits: ['image'], others: ['video', 'audio', 'text', 'application'] },
  { parameter: 'mime_type', fits: ['image/png'], others: ['image/jpeg'] },
] as const;

/** Checks of uploads (§4.8), on pictures of the run's own. */
export function mediaChecks(contract: Contract): Check[] {
  const uploads = describedCollections(contract).filter(({ kind }) => kind === 'uploads');
  return uploads.flatMap((resource) => {
    const { list, edit, 'post-process': processing } = resource.operations;
    const checks = [
      ...uploadChecks(resource),
      ...FILTERS.filter(({ parameter }) => list?.parameters.some(({ name }) => name === parameter)).map(
        (filter) => filterCheck(resource, filter),
      ),
      ...(processing === undefined ? [] : [postProcessCheck(resource, processing)]),
      ...(edit === undefined ? [] : mediaEditChecks(resource, edit)),
    ];
    return checks.map((check) => ({ ...check, buildsOn: findingRoots(resource) }));
  });
}

function filterCheck(
  { id: collection, section }: Resource,
  { parameter, fits, others }: (typeof FILTERS)[number],
): Check {
  return ownCheck({
    id: checkId(collection, 'list', parameter),
    kind: 'lists',
    title: `the list of ${collection} selects an own picture by ${parameter} among other files`,
    section,
    operation: `${collection}.list`,
    parameter,
    needs: [
      checkId(`${collection}.create`, 'method', 'POST'),
      checkId(`${collection}.list`, 'method', 'GET'),
      checkId(`${collection}.list`, parameter, 'declared'),
    ],
    async run(session, own) {
      const picture = await pictureOf(session, own, collection);
      const findings: Finding[] = [];
      for (const [values, expected] of [[fits, true] as const, [others, false] as const]) {
        const { listed, answer } = await listsMedia(session, picture, { [parameter]: [...values] });
        if (listed === expected) continue;
        findings.push(
          failure(
            `${parameter} ${values.join(', ')} ${listed ? 'lets a PNG image through' : 'leaves out a PNG image'}`,
            {
              expected: expected ? `media item ${picture.id}` : `no media item ${picture.id}`,
              observed: listed ? 'it is listed' : 'it is not listed',
              reproduce: [answer.curl],
            },
          ),
        );
      }
      return findings;
    },
  });
}

function postProcessCheck({ id: collection, section }: Resource, operation: Operation): Check {
  return ownCheck({
    id: checkId(collection, 'post-process'),
    kind: 'writes',
    title: 'post-processing of an own picture with create-image-subsizes is accepted',
    section,
    basis: 'stated',
    on: operation,
    needs: [serves(operation, 'POST'), declares(operation, 'action')],
    async run(session, own) {
      const { id } = await pictureOf(session, own, collection);
      const answer = await session.client.request({
        method: 'POST',
        route: routeFor(operation, id),
        body: { json: { action: 'create-image-subsizes' } },
        as: 'user',
        intent: 'own-record',
      });
      const finding = notAccepted('post-processing of an own picture', answer);
      return finding === undefined ? [] : [finding];
    },
  });
}
