import { isObject } from '../../../client/json.ts';
import type { Observation, RequestBody, RequestSpec } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { inconclusiveAbort } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { encodeArgs } from '../../../generators/wire-forms.ts';
import { operationFor, ownCollections, routeFor } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { must } from './outcome.ts';
import { ownFixture, ownRecordsOf } from './own-fixture.ts';
import type { OwnRecords } from './own-records.ts';
import { isTagged, withTag } from './writable-fields.ts';

/**
 * Sends a call that alters the site on an own record, if it is one of a resource in which the owner lets the run have
 * records: what it creates is noted and carries the tag, and what it changes or deletes is the run's own.
 * @returns undefined for every other operation @throws Aborted if there can be no such record
 */
export async function callOnOwn(
  session: Session,
  operation: Operation,
  spec: RequestSpec,
): Promise<Observation | undefined> {
  const { effect, resource, role, route } = operation;
  const collection = resource?.parent ?? resource?.id ?? '';
  const isOpen = ownCollections(session.contract).some(({ id }) => id === collection);
  if (effect !== 'alters-site' || !isOpen) return undefined;
  const own = ownRecordsOf(session);
  if (own === undefined) throw inconclusiveAbort('no records of its own can be written');
  const slug = own.nextSlug();
  const body = spec.body && taggedBody(own, collection, slug, spec.body);
  const sent = { ...spec, ...(body !== undefined && { body }) };
  if (role === 'create' && resource?.id === collection) {
    own.intend(collection, slug);
    const answer = await own.send(sent);
    await own.noteCreation(collection, slug, answer);
    return answer;
  }
  if (route.pathParameters.length !== 1)
    throw inconclusiveAbort(`${operation.id} does not name one record alone`);
  const record = await (await calledRecord(own, collection))();
  return own.send({ ...sent, route: routeFor(operation, record.id) });
}

/** A body with the words of the run in its text. @throws Aborted if there is no room for them */
function taggedBody(own: OwnRecords, collection: Collection, slug: string, body: RequestBody): RequestBody {
  const create = operationFor(own.session.contract, collection, 'create');
  if (create === undefined || 'bytes' in body)
    throw inconclusiveAbort(`${collection} are no records of text`);
  const given = 'json' in body ? body.json : Object.fromEntries(body.form);
  const fields = withTag(create, { ...own.bodyOf(collection, slug), ...(isObject(given) && given) }, slug);
  if (!isTagged(create, fields, slug))
    throw inconclusiveAbort(`what is to be written leaves no text of ${collection} for the tag of the run`);
  return 'json' in body ? { json: fields } : { form: encodeArgs(fields) };
}

/** The record that such calls change one after the other, and another one once it is gone. */
const calledRecord = ownFixture('own {} to alter', async (own, collection: Collection) => {
  const make = async () => must.create(`a creation in ${collection}`, await own.create(collection));
  let record = await make();
  return async () => {
    if (!own.isThere(collection, record.id)) record = await make();
    return record;
  };
});
