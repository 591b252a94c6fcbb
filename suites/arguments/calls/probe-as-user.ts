import type { JsonObject } from '../../../client/json.ts';
import { includesMode } from '../../../client/mode.ts';
import type { Observation, RequestBody, RequestSpec } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { inconclusiveAbort } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Session } from '../../../engine/session.ts';
import { type Args, encodeArgs } from '../../../generators/wire-forms.ts';
import { chunks, MOST_PARTS } from '../../../probing/records/own/batch-part.ts';
import { newDraft } from '../../../probing/records/own/drafts.ts';
import { formBody, rawBody } from '../../../probing/records/own/file-bytes.ts';
import { isUploaded, makeRecord } from '../../../probing/records/own/make-record.ts';
import type { OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture, ownRecordsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, invalidMemberOf, withTag } from '../../../probing/records/own/writable-fields.ts';
import { isBatchable, sendTogether } from '../../../probing/records/own/write-together.ts';
import { carriesTag, fileAddressIn } from '../../../probing/records/reading/record.ts';
import { batchOperation, collectionOf, operationFor, routeFor, takes } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { sendValid, toRequest } from './call.ts';
import { type Baseline, whyNever } from './control.ts';

/** Sends a call as the user. @param fresh whether to change a new record, or one that refused all so far, if it changes one */
export type UserProbe = (args: Args, fresh?: boolean) => Promise<Observation>;

/**
 * Repeats a probe of a write with credentials, if the denial without them said nothing about its argument: on own
 * records, or, in mode full, if it alters the site; a finding if that is not allowed.
 */
export async function probeAsUser(session: Session, baseline: Baseline): Promise<UserProbe | Finding> {
  const { operation } = baseline;
  const unknown = baseline.open
    ? 'not denied without credentials: a call that goes through would change the site, so the argument was not evaluated'
    : 'denied, so the argument was not evaluated';
  if (!session.client.hasUser) return inconclusive(`${unknown}: it takes credentials (--user)`);
  if (operation.effect === 'alters-site') {
    if (!includesMode(session.client.mode, 'full'))
      return inconclusive(`${unknown}: only mode full sends it with credentials`);
    const never = whyNever(operation);
    if (never !== undefined) return never;
    return (args) => sendValid(session, { ...baseline, args, as: 'user' });
  }
  const own = ownRecordsOf(session);
  if (own === undefined) return inconclusive(`${unknown}: only mode write sends it with credentials`);
  return onOwnRecords(own, operation);
}

/** The record that the probes of a collection change one after the other. */
export const probedRecord: OwnFixture<OwnRecord | undefined, [collection: Collection]> = ownFixture(
  'own {} to probe',
  (own, collection) => makeOwnRecord(own, collection),
);

/** The record that valid calls and malformed values change one after the other, apart from what must be refused. */
const calledRecord: OwnFixture<OwnRecord | undefined, [collection: Collection, status: 'publish' | 'draft']> =
  ownFixture('own {} {} to call', makeOwnRecord);

async function onOwnRecords(own: OwnRecords, operation: Operation): Promise<UserProbe | Finding> {
  if (operation === batchOperation(own.session.contract))
    return (json) => own.send({ method: 'POST', route: operation.route.wire, body: { json } });
  const collection = collectionOf(operation);
  if (collection === undefined) return inconclusive('denied, so the argument was not evaluated');
  const creating = creationProbe(own, operation, collection);
  if (creating !== undefined) return creating;
  if (operation.resource?.kind === 'revisions')
    return inconclusive('denied, so the argument was not evaluated');
  const deletion = operation.methods.includes('DELETE');
  const first = await (deletion ? makeOwnRecord : probedRecord)(own, collection);
  if (first === undefined)
    return inconclusive('denied, so the argument was not evaluated, and no record of its own could be made');
  return changeProbe(own, operation, first, 'draft', withOwnImage);
}

/** Fresh records that refused all so far, shared by all probes: a site that asks for credentials first takes one each. */
const unchangedRecords: OwnFixture<OwnRecord[], [collection: Collection, status: 'publish' | 'draft']> =
  ownFixture('own {} {} unchanged', () => Promise.resolve([]));

/**
 * Sends changes or deletions of one record, or of fresh ones.
 * @param status of fresh records; @param complete adds to the arguments of a call what the record needs
 */
function changeProbe(
  own: OwnRecords,
  operation: Operation,
  first: OwnRecord,
  status: 'publish' | 'draft',
  complete: (args: Args, record: OwnRecord) => Args,
): UserProbe {
  let left: OwnRecord | undefined = first;
  return async (args, fresh = false) => {
    const unchanged = await unchangedRecords(own, first.collection, status);
    const known = fresh ? unchanged.pop() : left;
    const record = known ?? (await makeOwnRecord(own, first.collection, status)) ?? first;
    const route = routeFor(operation, record.id);
    const spec = toRequest({ operation, route, args: complete(args, record), as: 'user' });
    const answer = await sendChange(own, operation, record, spec);
    if (answer.answer === 'refused' && record !== left) unchanged.push(record);
    // An accepted deletion removes its record.
    if (operation.methods.includes('DELETE') && answer.answer === 'accepted') left = undefined;
    return answer;
  };
}

/** Sends valid calls of a write of records. @param saved an autosave changes a draft itself @throws Aborted */
export async function probeOwnRecord(
  own: OwnRecords,
  operation: Operation,
  saved: 'publish' | 'draft' = 'publish',
): Promise<UserProbe> {
  const collection = collectionOf(operation);
  if (collection === undefined) throw inconclusiveAbort(`${operation.id} is not about records`);
  const creating = creationProbe(own, operation, collection);
  if (creating !== undefined) return creating;
  const saves = operation.resource?.kind === 'autosaves';
  const status = saves ? saved : 'draft';
  const shared = await calledRecord(own, collection, status);
  if (shared === undefined) throw inconclusiveAbort(`no own record of ${collection} could be made`);
  return changeProbe(own, operation, shared, status, (args) => {
    // Saving unchanged content creates no autosave.
    const content = own.stated(collection, { content: `<p>${own.nextSlug()}</p>` });
    return saves ? { ...content, ...args } : args;
  });
}

/**
 * Sends a call on an own record. If it leaves an updated record without the tag, because it has another title and the
 * site makes slugs of titles, the record gets both back: nothing else proves to the clean-up that it is the run's own.
 */
async function sendChange(
  own: OwnRecords,
  { role, resource }: Operation,
  record: OwnRecord,
  spec: RequestSpec,
): Promise<Observation> {
  const { collection, slug } = record;
  const answer = await own.send(spec);
  const isKept = role !== 'update' || resource?.id !== collection || carriesTag(answer.json, own.tag);
  if (answer.answer !== 'accepted' || isKept) return answer;
  const { status: _, ...json } = own.bodyOf(collection, slug);
  await own.update(record, json);
  return answer;
}

/** Sends calls of a creation in one batch with an invalid one. @returns those accepted, if the invalid one is not */
export async function acceptedTogether(
  own: OwnRecords,
  operation: Operation,
  calls: readonly Args[],
): Promise<readonly boolean[]> {
  const { role, resource } = operation;
  const collection = resource?.id ?? '';
  const isMeant = role === 'create' && resource?.kind === 'records' && isBatchable(own, collection);
  const outside = invalidMemberOf(operation);
  if (!isMeant || calls.length < FEWEST_TOGETHER || outside === undefined) return [];
  const invalid = bodyOf([outside.field], new Map([[outside.field.name, outside.value]]));
  const accepted: boolean[] = [];
  for (const some of chunks(calls, MOST_PARTS - 1)) {
    const parts = [...some, invalid].map((args) => {
      const slug = own.nextSlug();
      own.intend(collection, slug);
      const body = recordBody(own, collection, slug, args);
      return { method: 'POST', path: own.route(collection) ?? '', body, collection, slug } as const;
    });
    const answers = (await sendTogether(own, parts)) ?? [];
    for (const [at, { slug }] of parts.entries()) {
      const answer = answers[at];
      if (answer?.answer !== 'accepted') continue;
      await own.noteCreation(collection, slug, answer);
      if (!carriesTag(answer.json, slug)) own.noteUselessBatch();
    }
    const isSaying = answers.at(-1)?.answer === 'refused';
    accepted.push(...some.map((_, at) => isSaying && answers[at]?.answer === 'accepted'));
  }
  return accepted;
}

const FEWEST_TOGETHER = 3;

/** Returns a function that sends any body to a write of records. @throws Aborted */
export async function probeOwnBody(
  own: OwnRecords,
  operation: Operation,
): Promise<(bodyOf: (slug: string) => RequestBody) => Promise<Observation>> {
  const collection = collectionOf(operation);
  if (collection === undefined) throw inconclusiveAbort(`${operation.id} is not about records`);
  if (operation.role === 'create' && operation.resource?.kind === 'uploads') {
    return (bodyOf) =>
      sendCreation(own, collection, (slug) => ({ ...uploadSpec(own, collection, slug), body: bodyOf(slug) }));
  }
  const record = await probedRecord(own, collection);
  if (record === undefined) throw inconclusiveAbort(`no own record of ${collection} could be made`);
  const route = routeFor(operation, record.id);
  return (bodyOf) => own.send({ method: 'POST', route, body: bodyOf(record.slug) });
}

function creationProbe(own: OwnRecords, operation: Operation, collection: Collection): UserProbe | undefined {
  if (operation.role !== 'create' || operation.resource?.id !== collection) return undefined;
  const { kind } = operation.resource;
  return (args) =>
    sendCreation(own, collection, (slug) =>
      kind === 'uploads'
        ? uploadSpec(own, collection, slug, args)
        : { body: { json: recordBody(own, collection, slug, args) } },
    );
}

/** Edits of an image must name the address of its file. */
function withOwnImage(args: Args, record: OwnRecord): Args {
  const address = fileAddressIn(record.created.json) ?? fileAddressIn(record.shown);
  return typeof args.src === 'string' && address !== undefined ? { ...args, src: address } : args;
}

/** Creates an own record or uploads a file; undefined if the site refuses both. */
export async function makeOwnRecord(
  own: OwnRecords,
  collection: Collection,
  status: 'publish' | 'draft' = 'draft',
): Promise<OwnRecord | undefined> {
  const made = await (isUploaded(own.session, collection)
    ? makeRecord(own, { collection })
    : newDraft(own, collection, status));
  return 'id' in made ? made : undefined;
}

/** Creates a record for a probe. A record that should not have been created is still the run's own. */
async function sendCreation(
  own: OwnRecords,
  collection: Collection,
  specOf: (slug: string) => Pick<RequestSpec, 'query' | 'body'>,
): Promise<Observation> {
  const slug = own.nextSlug();
  own.intend(collection, slug);
  const answer = await own.send({ method: 'POST', route: own.route(collection) ?? '', ...specOf(slug) });
  await own.noteCreation(collection, slug, answer);
  return answer;
}

/**
 * A new record in the words of the target, without what a probe leaves out. Its arguments are sent unchanged, unless the
 * record would not carry the word of the run.
 */
function recordBody(own: OwnRecords, collection: Collection, slug: string, args: Args): JsonObject {
  const create = operationFor(own.session.contract, collection, 'create');
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  if (create === undefined) return given;
  const content = takes(create, 'content') ? { content: slug } : {};
  const body: Record<string, unknown> = { ...own.bodyOf(collection, slug, content), ...given };
  for (const wire of Object.keys(args)) if (args[wire] === undefined) delete body[wire];
  return withTag(create, body, slug);
}

function uploadSpec(
  own: OwnRecords,
  collection: Collection,
  slug: string,
  args: Args = {},
): Pick<RequestSpec, 'query' | 'body'> {
  const query = encodeArgs({ ...own.stated(collection, { title: `${slug} title` }), ...args });
  return own.uploadsByForm ? { body: formBody(query, slug) } : { query, body: rawBody(slug) };
}
