import type { Collection } from '../../../client/journal.ts';
import type { Observation } from '../../../client/observation.ts';
import { Aborted, cannotTell } from '../../../engine/aborted.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import { describe } from '../../../engine/probe.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { untoldBy, whyNot } from '../../../probing/records/own/judge-write.ts';
import type { NotCreated, OwnRecord, OwnRecords } from '../../../probing/records/own/own-records.ts';
import { idsIn } from '../../../probing/records/reading/record.ts';
import { operationFor } from '../../../specs/find-resource.ts';

/** A picture that the run has uploaded once for all checks; none of them changes it. */
export const ownPicture: Fixture<OwnRecord | NotCreated, [own: OwnRecords, collection: Collection]> = fixture(
  'own picture of',
  (_, own, collection) => own.upload(collection),
);

/** The picture of the run, for a check that needs it. @throws Aborted when it could not be uploaded */
export async function pictureOf(
  session: Session,
  own: OwnRecords,
  collection: Collection,
): Promise<OwnRecord> {
  const picture = await ownPicture(session, own, collection);
  if ('id' in picture) return picture;
  throw whyNot(picture, `no picture can be uploaded: ${collection}/upload/raw shows why`);
}

/**
 * Whether the list of an upload's collection, narrowed to one item and by further filters, holds that item.
 * @param filters values by the neutral names of the parameters
 * @throws Aborted when the list cannot be read
 */
export async function listsMedia(
  session: Session,
  { collection, id }: Pick<OwnRecord, 'collection' | 'id'>,
  filters: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly listed: boolean; readonly answer: Observation }> {
  const list = operationFor(session.contract, collection, 'list');
  const wire = (name: string): string => list?.parameters.find((one) => one.name === name)?.wire ?? name;
  const answer = await session.client.request({
    method: 'GET',
    route: list?.route.wire ?? '',
    query: encodeArgs(
      Object.fromEntries(
        Object.entries({ include: [id], ...filters }).map(([name, value]) => [wire(name), value]),
      ),
    ),
    as: 'user',
  });
  const untold = untoldBy(`the list of ${collection}`, answer);
  if (untold !== undefined) throw new Aborted(untold);
  if (answer.answer !== 'accepted')
    throw cannotTell(`the list of ${collection} is not accepted (${describe(answer)})`);
  return { listed: idsIn(answer).includes(id), answer };
}
