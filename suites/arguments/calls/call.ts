import { isObject } from '../../../client/json.ts';
import type { Intent, Method, Observation, RequestBody, RequestSpec } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import type { Caller, Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { must } from '../../../probing/records/own/outcome.ts';
import { ownFixture, ownRecordsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { isTagged, withTag } from '../../../probing/records/own/writable-fields.ts';
import { collectionOf, operationFor, ownCollections, routeFor } from '../../../specs/find-resource.ts';
import { memoized } from '../../../specs/memoized.ts';
import type { Operation } from '../../../specs/model.ts';

export interface Call {
  readonly operation: Operation;
  readonly route: string;
  readonly args: Args;
  readonly as: Caller;
  readonly encodesSlashes?: true | undefined;
}

const WRITING: readonly Method[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The request of a call: arguments go into the query of reads and deletions, into the JSON body of everything else.
 * @param more arguments beside those of the call, or in their place
 */
export function toRequest(call: Call, more: Args = {}): RequestSpec {
  const { operation, route, as, encodesSlashes } = call;
  const args = { ...call.args, ...more };
  const method = WRITING.find((one) => one === operation.methods[0]) ?? 'GET';
  const about = { method, route, as };
  if (method.startsWith('P')) {
    const given = Object.entries(args).filter(([, value]) => value !== undefined);
    return { ...about, body: { json: Object.fromEntries(given) } };
  }
  return { ...about, query: encodeArgs(args), ...(encodesSlashes && { encodesSlashes }) };
}

/** Sends an invalid call. Reads are shared by all checks; other calls are sent each time. */
export function sendProbe(session: Session, call: Call): Promise<Observation> {
  return sendWith(session, call, 'must-be-refused');
}

/** Sends a valid call of an operation that reads or, which needs mode full, alters the site. @param body default: JSON */
export function sendValid(session: Session, call: Call, body?: RequestBody): Promise<Observation> {
  return sendWith(session, call, 'alters-site', body);
}

async function sendWith(
  session: Session,
  call: Call,
  intent: Intent,
  body?: RequestBody,
): Promise<Observation> {
  const request = { ...toRequest(call), ...(body !== undefined && { body }) };
  if (call.operation.effect === 'reads') return session.ask(request);
  const done = await callOnOwn(session, call.operation, request);
  return done ?? session.client.request({ ...request, intent });
}

/** An operation by each of its methods but the first, made once, so that checks share what is known of each. */
export const byOtherMethods: (operation: Operation) => readonly Operation[] = memoized((operation) =>
  operation.methods.slice(1).map((method) => ({ ...operation, methods: [method] as const })),
);

/**
 * Sends a call that alters the site on an own record, if it is one of a resource in which the owner lets the run have
 * records: what it creates is noted and carries the tag, and what it changes or deletes is the run's own.
 * @returns undefined for every other operation @throws Aborted if there can be no such record
 */
async function callOnOwn(
  session: Session,
  operation: Operation,
  spec: RequestSpec,
): Promise<Observation | undefined> {
  const { effect, resource, role, route } = operation;
  const collection = collectionOf(operation) ?? '';
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
