import { setTimeout } from 'node:timers/promises';
import { classify } from '../../../client/answer.ts';
import { type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { type Collection, isRoute } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import { batchOperation, operationFor } from '../../../specs/find-resource.ts';
import { type Listing, listAll, type Target } from '../reading/list-all.ts';
import { type BatchPart, readHints } from './batch-part.ts';
import { type Creation, isNamedBy, type OwnRecord } from './outcome.ts';
import type { OwnRecords } from './own-records.ts';
import { shownInList } from './read-in-edit.ts';

/** A part of a batch: a write of an own record, or a creation, whose slug is intended. */
export interface OwnPart extends BatchPart {
  readonly collection: Collection;
  readonly slug?: string;
}

/** What came of a part: the record that it made, its own answer otherwise; undefined where nothing is known. */
export type PartOutcome = OwnRecord | Observation | undefined;

/** Whether records of a collection may be created in a batch whose answer shows what came of each. */
export function isBatchable(own: OwnRecords, collection: Collection): boolean {
  return own.createsByBatch && isMarked(own, collection);
}

/** Whether the contract lets records of a collection be written in a batch. */
export function isMarked({ session: { contract } }: OwnRecords, collection: Collection): boolean {
  const creation = operationFor(contract, collection, 'create');
  return batchOperation(contract) !== undefined && creation?.batchable === true;
}

/**
 * Creates own records with one request. @returns what came of each in order; undefined where the site runs no batch
 */
export async function createTogether(
  own: OwnRecords,
  creations: readonly Required<Pick<OwnPart, 'collection' | 'slug' | 'body'>>[],
): Promise<readonly PartOutcome[] | undefined> {
  for (const { collection, slug } of creations) own.intend(collection, slug);
  const pathOf = (collection: Collection): string => own.route(collection) ?? '';
  const parts = creations.map((one): OwnPart => ({ method: 'POST', path: pathOf(one.collection), ...one }));
  return writeTogether(own, parts);
}

/** Sends writes as the parts of one batch, and takes what they create as own; see `createTogether`. */
export async function writeTogether(
  own: OwnRecords,
  parts: readonly OwnPart[],
): Promise<readonly PartOutcome[] | undefined> {
  const answers = await sendTogether(own, parts);
  if (answers === undefined) return undefined;
  const outcomes: PartOutcome[] = [...answers];
  const made = new Map<Collection, Made[]>();
  for (const [at, { collection, slug }] of parts.entries()) {
    const created = answers[at];
    if (slug === undefined || created === undefined || isTurnedDown(created)) continue;
    outcomes[at] = undefined;
    const id = idOfCreated(created);
    if (id !== undefined) made.set(collection, [...(made.get(collection) ?? []), { at, slug, id, created }]);
  }
  for (const [collection, creations] of made) {
    for (const [at, record] of await claimAll(own, collection, creations)) {
      if ('id' in record) outcomes[at] = record;
      // Each further batch could leave records that nothing shows to be own.
      else own.noteUselessBatch(collection);
    }
  }
  return outcomes;
}

/** Sends writes as the parts of one batch. What they create has to be settled, or left. */
export async function sendTogether(
  own: OwnRecords,
  parts: readonly OwnPart[],
): Promise<readonly (Observation | undefined)[] | undefined> {
  const answer = await own.send({
    method: 'POST',
    route: batchOperation(own.contract)?.route.wire ?? '',
    body: { json: { requests: parts.map(({ method, path, body }) => ({ method, path, body })) } },
  });
  const hints = readHints(answer);
  // How the answer to a part is wrapped is silent (R37): it need not name what the part created.
  const isNamed = parts.every(
    ({ slug }, at) => slug === undefined || !isAccepted(hints[at]?.status) || hints[at]?.id !== undefined,
  );
  const isRun = answer.answer === 'accepted' && hints.length === parts.length && isNamed;
  if (answer.answer === 'accepted' && !isRun) own.noteUselessBatch();
  const answered = hints.map(({ status = 0, body }) =>
    status === 0
      ? undefined
      : { ...answer, status, answer: classify(status), json: body, text: JSON.stringify(body) ?? '' },
  );
  const answers = isRun ? byParts(parts, answered) : answered;
  for (const [at, { collection, slug }] of parts.entries()) {
    const said = isRun ? answers[at] : answer;
    if (slug !== undefined && said !== undefined && isTurnedDown(said)) own.noteRefusal(collection, slug);
  }
  return isRun ? answers : undefined;
}

/** The answers in the order of their parts, which is silent (R37), as far as they show to which part they belong. */
function byParts(parts: readonly OwnPart[], answers: readonly (Observation | undefined)[]) {
  const isMoved = answers.some((answer, at) => {
    const part = parts[at];
    if (answer === undefined || part === undefined || isOf(part, answer)) return false;
    return parts.some((other) => isOf(other, answer));
  });
  if (!isMoved) return answers;
  return parts.map((part) => answers.find((answer) => answer !== undefined && isOf(part, answer)));
}

/** Whether an answer shows the record that a part creates, or names. */
function isOf({ path, slug }: OwnPart, { json }: Observation): boolean {
  const id = member(json, 'id') ?? member(member(json, 'previous'), 'id');
  if (slug === undefined) return typeof id === 'number' && path.split('?')[0]?.endsWith(`/${id}`) === true;
  return isNamedBy(json, slug);
}

/** Creates own records one by one; one list shows them to be own. @returns what came of each in order */
export async function createInTurn(
  own: OwnRecords,
  collection: Collection,
  creations: readonly JsonObject[],
): Promise<readonly Creation[]> {
  const outcomes: Creation[] = [];
  const made: Made[] = [];
  for (const [at, fields] of creations.entries()) {
    const slug = own.nextSlug();
    own.intend(collection, slug);
    const json = own.bodyOf(collection, slug, fields);
    const created = await own.send({ method: 'POST', route: own.route(collection) ?? '', body: { json } });
    const id = idOfCreated(created);
    if (id !== undefined) made.push({ at, slug, id, created });
    outcomes.push(id === undefined ? await own.settle(collection, slug, created) : { created });
  }
  for (const [at, record] of await claimAll(own, collection, made)) outcomes[at] = record;
  return outcomes;
}

const isAccepted = (status = 0): boolean => classify(status) === 'accepted';

const isTurnedDown = ({ status }: Observation): boolean => status >= 400 && status < 500;

interface Made {
  /** The place of its creation among several. */
  readonly at: number;
  readonly slug: string;
  readonly id: number;
  readonly created: Observation;
}

function idOfCreated({ answer, json }: Observation): number | undefined {
  const id = member(json, 'id');
  return answer === 'accepted' && typeof id === 'number' ? id : undefined;
}

/** Takes records of one collection as the run's own, by their places: one list shows what it can to be own. */
async function claimAll(
  own: OwnRecords,
  collection: Collection,
  made: readonly Made[],
): Promise<Map<number, Creation>> {
  const include = made.map(({ id }) => id);
  const isListed = made.length > 1 && !isRoute(collection);
  const listing = isListed ? await listAll(own.session, collection, { include }) : undefined;
  if (listing !== undefined) await measureSettling(own.session, collection, include, listing);
  const claimed = new Map<number, Creation>();
  for (const { at, slug, id, created } of made) {
    const listed = listing === undefined ? undefined : shownInList(listing, id);
    claimed.set(at, await own.claim(collection, slug, id, created, listed));
  }
  return claimed;
}

/** Milliseconds between requests for a list that should show what was just written. */
const PAUSES: readonly number[] = [100, 300, 900, 1700];

/** Measures once how far lists are behind writes, up to three seconds: reads then wait twice as long after each. */
async function measureSettling(
  target: Target,
  collection: Collection,
  ids: readonly number[],
  listing: Listing,
): Promise<void> {
  const { client } = target;
  if (client.settling !== undefined || isFinding(listing)) return;
  client.settling = 0;
  const begun = performance.now();
  const listsAll = (one: Listing): boolean =>
    !isFinding(one) && ids.every((id) => one.records.some((record) => record.id === id));
  if (listsAll(listing)) return;
  for (const pause of PAUSES) {
    await setTimeout(pause);
    if (!listsAll(await listAll(target, collection, { include: ids }))) continue;
    client.settling = 2 * (performance.now() - begun);
    return;
  }
}
