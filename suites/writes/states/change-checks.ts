import { isServerError } from '../../../client/answer.ts';
import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { type Check, checkId, declares, type Finding, type Found, serves } from '../../../engine/check.ts';
import { describe, explain, failureBy, inconclusive, show } from '../../../engine/findings.ts';
import { listOwn, stillShown } from '../../../probing/records/own/list-own.ts';
import { changedFields, makeRecord, newOne, readBack } from '../../../probing/records/own/make-record.ts';
import {
  type Creation,
  contradicts,
  differs,
  inconclusiveBy,
  must,
  notAccepted,
  type OwnRecord,
} from '../../../probing/records/own/outcome.ts';
import { ownCheck, roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  collectionsWith,
  FAR_AHEAD,
  type WritableCollection,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { NO_ID, rawOf } from '../../../probing/records/reading/record.ts';
import { takes } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { ROUNDS, valuesOfRound } from '../fields/field-values.ts';
import { fieldSourcesOf, makeChild, namingFields, sharedRecord } from '../fields/shared-records.ts';
import { SCHEDULED } from './status-records.ts';
import { othersWritten, reportedAsRemoved } from './untouched-checks.ts';

const TRASH = 'trash';
const DRAFT = 'draft';

/** Checks of deletion (§3, R21): into the trash if there is one and `force` is not set, permanently with `force`. */
export function deletionChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'delete').flatMap((about) => [
    ...(about.resource.trash === true ? [trashCheck(about)] : []),
    ...(takes(about.operation, 'force') ? [forceCheck(about), bodyCheck(about)] : []),
    ...(takes(about.operation, 'force') && canBeNamed(contract, about.collection) ? [namedCheck(about)] : []),
  ]);
}

function trashCheck({ collection, resource, operation }: WritableCollection): Check {
  return stateCheck(resource, {
    id: checkId('states', collection, 'trash'),
    title: `${operation.id} without force moves the record to the trash, or is refused`,
    on: operation,
    needs: [serves(operation, 'DELETE'), roots.creation(collection)],
    async run(own) {
      const found = await evaluateWithoutForce(own, collection);
      if (found !== undefined || !takes(operation, 'force')) return found;
      // Software may read any text as true.
      const record = await newOne(own, collection);
      const deletion = await own.remove(record, false);
      const ofFalse = await evaluateTrash(own, record, 'a deletion with force=false', deletion);
      return ofFalse !== undefined || deletion.answer !== 'accepted' ? ofFalse : fromTrash(own, record);
    },
  });
}

/** What the user reads of a record in edit alone, which lists show to nobody or otherwise. */
const READ_IN_EDIT = ['content', 'excerpt', 'password'];

/** The finding about a new record, and the one below it, that is deleted without force once and again, and restored. */
async function evaluateWithoutForce(own: OwnRecords, collection: Collection): Promise<Finding | undefined> {
  const fields = own.fieldsOf(collection).filter(({ name }) => READ_IN_EDIT.includes(name));
  const written = valuesOfRound(fields, await fieldSourcesOf(own, collection), ROUNDS.creation);
  const whole = await makeRecord(own, { collection, written });
  const record = 'id' in whole ? whole : await newOne(own, collection);
  const below = await makeChild(own, record);
  const deletion = await own.remove(record);
  const found = await evaluateTrash(own, record, 'a deletion without force', deletion);
  if (found !== undefined || deletion.answer !== 'accepted') return found;
  return (
    (await evaluateBelow(own, below, deletion)) ??
    (await evaluateTrash(own, record, 'a second deletion without force', await own.remove(record))) ??
    (await evaluateKept(own, record, 'a deletion without force', deletion)) ??
    evaluateKept(own, record, 'a restoration', await own.update(record, { status: record.shown.status }))
  );
}

/** The finding if a record that went to the trash, or came back, has another text or password. */
async function evaluateKept(
  own: OwnRecords,
  record: OwnRecord,
  what: string,
  change: Observation,
): Promise<Finding | undefined> {
  if (change.answer !== 'accepted') return undefined;
  const { read, shown } = await readBack(own, record);
  const names = shown === undefined ? [] : changedFields(own, record, record.shown, shown);
  const name = names.find((one) => READ_IN_EDIT.includes(one));
  if (name === undefined) return undefined;
  const message = `${what} changes the ${name} of the record`;
  const found = differs(message, record.shown[name], shown?.[name], record.created, change, read);
  return { ...found, blocks: false };
}

/** The finding if force removes new records, but not one in the trash. */
async function fromTrash(own: OwnRecords, record: OwnRecord): Promise<Finding | undefined> {
  const { found, deletion } = await evaluateForced(own, record);
  const what = 'a deletion with force of a record in the trash';
  const wrong =
    deletion.answer === 'refused'
      ? failureBy(`${what} is refused`, 'the record is gone', deletion)
      : found && { ...found, message: `${what} is accepted, but the record is still there` };
  if (wrong?.kind !== 'failure') return undefined;
  const ofNew = await evaluateForced(own, await newOne(own, record.collection));
  if (ofNew.found || ofNew.deletion.answer !== 'accepted') return undefined;
  // Batches and lists depend on what the trash holds, and not on this.
  return { ...wrong, blocks: false };
}

/** Whether the site only says that it is going to do what it was asked for. */
const isForLater = ({ status }: Observation): boolean => status === 202;

const FOR_LATER = 'a deletion is answered with status 202, for later, and the record is still there';

/** The finding if a deletion is accepted, but its record is not in the trash. */
async function evaluateTrash(own: OwnRecords, record: OwnRecord, what: string, deletion: Observation) {
  must.conclude(what, deletion);
  if (deletion.answer !== 'accepted') return undefined;
  const read = await own.read(record);
  const status = read.answer === 'accepted' ? member(read.json, 'status') : undefined;
  if (status === TRASH) return undefined;
  const list = await listOwn(own.session, record.collection, 'user', [record.id], { statuses: [TRASH] });
  if (list.ids?.includes(record.id) === true) return undefined;
  must.conclude('reading it afterwards', read);
  must.conclude('the list of the trash', list.observation);
  const isGone = read.answer !== 'accepted';
  if (!isGone && isForLater(deletion)) return inconclusive(FOR_LATER);
  const stays = 'is answered with success, but the record is not in the trash';
  const message = `${what} ${isGone ? 'removes the record for good' : stays}`;
  const observed = isGone ? describe(read) : `status ${show(status)}`;
  const expected = 'the record in the trash, or a refusal';
  return contradicts(message, expected, observed, deletion, read, list.observation);
}

/** The finding if the trash took a record along that is below the one that was moved, or moved it to another place. */
async function evaluateBelow(own: OwnRecords, below: Creation | undefined, deletion: Observation) {
  if (below === undefined || !('id' in below)) return undefined;
  const { read, shown } = await readBack(own, below);
  must.conclude('reading the record below it', read, 'denied');
  if (read.answer === 'denied') return undefined;
  const removed = shown === undefined ? await reportedAsRemoved(own, below) : undefined;
  if (removed !== undefined) return removed;
  // Another write may have changed other fields.
  const placed = new Set(['status', ...namingFields(own, below.collection).map(({ wire }) => wire)]);
  const changes = shown === undefined ? [] : changedFields(own, below, below.shown, shown);
  const changed = shown === undefined ? 'existence' : changes.find((name) => placed.has(name));
  if (changed === undefined) return undefined;
  const message = `a deletion without force changes the ${changed} of a record below the deleted one`;
  const [expected, observed] =
    shown === undefined
      ? ['the record', describe(read)]
      : [`${changed} as before: ${show(below.shown[changed])}`, show(shown[changed])];
  return contradicts(message, expected, observed, below.created, deletion, read);
}

function forceCheck({ collection, resource, operation }: WritableCollection): Check {
  return stateCheck(resource, {
    id: checkId('states', collection, 'force'),
    title: `${operation.id} with force removes the record past the trash`,
    basis: 'stated',
    on: operation,
    parameter: 'force',
    needs: [serves(operation, 'DELETE'), declares(operation, 'force'), roots.creation(collection)],
    after: roots.untouched(resource),
    async run(own) {
      const other = await sharedRecord(own, collection, 'plain');
      const fresh = await newOne(own, collection);
      // What becomes of a record without a trash is silent (R21), but for a server error.
      const plain = resource.trash === true ? undefined : await own.remove(fresh);
      if (plain?.answer === 'broken')
        return failureBy('a deletion without force makes the server fail', 'a refusal, or success', plain);
      const record = plain?.answer === 'accepted' ? await newOne(own, collection) : fresh;
      const { found, deletion, read } = await evaluateForced(own, record);
      // What was sent again may have been carried out before.
      if ([deletion, read].every(isRefused) && own.session.client.traffic.retries > 0)
        return inconclusive('a deletion may have been sent twice');
      must.accept(`a deletion with force in ${collection}`, deletion);
      if (found !== undefined) return found;
      const statuses = resource.statuses?.listed ?? [];
      const ids = [record, other].flatMap((one) => ('id' in one ? one.id : []));
      const list = await listOwn(own.session, collection, 'user', ids, { statuses });
      must.accept('a list in every status', list.observation);
      const message = 'a list still shows a record that was deleted with force';
      return stillShown(message, list, record, deletion, read) ?? deletedUnknown(own, collection);
    },
  });
}

const isRefused = ({ answer }: Observation): boolean => answer === 'refused';

/** A deletion with force, and the finding if it is accepted and the record is still there. */
async function evaluateForced(own: OwnRecords, record: OwnRecord) {
  const deletion = await own.remove(record, true);
  const read = await own.read(record);
  if (deletion.answer === 'accepted') must.conclude('reading it afterwards', read, 'denied');
  // A site may answer with nothing where no record has the id.
  const isShown = read.answer === 'accepted' && member(read.json, 'id') === record.id;
  if (deletion.answer !== 'accepted' || !isShown) return { deletion, read };
  if (isForLater(deletion)) return { deletion, read, found: inconclusive(FOR_LATER) };
  const status = member(read.json, 'status');
  const stays = 'is answered with success, but the record is still there';
  const message = `a deletion with force ${status === TRASH ? 'only moves the record to the trash' : stays}`;
  const observed = `the record, with status ${show(status)}`;
  return { deletion, read, found: contradicts(message, 'no record', observed, deletion, read) };
}

/** Whether records of a collection can be named by others, such as their children. */
function canBeNamed(contract: Contract, collection: Collection): boolean {
  return collectionsWith(contract, 'create').some(({ operation }) =>
    writableFields(operation).some(({ schema }) => schema['x-names'] === collection),
  );
}

/** The check that a record which others name can be deleted. The check that these stay sends the deletion. */
function namedCheck(about: WritableCollection): Check {
  const { collection, resource, operation } = about;
  return stateCheck(resource, {
    id: checkId('states', collection, 'force', 'named'),
    title: `${operation.id} with force removes a record that others name`,
    on: operation,
    parameter: 'force',
    needs: [checkId('states', collection, 'force'), roots.untouched(resource).slice(0, 1)],
    async run(own) {
      const deletion = await othersWritten(own, about);
      if (deletion === undefined) return inconclusive('no record could be created that names another one');
      return notAccepted('a deletion with force of a record that others name', deletion);
    },
  });
}

/** The check that `force` is read in a body too. It only warns: where an argument of DELETE belongs is not stated. */
function bodyCheck({ collection, resource, operation }: WritableCollection): Check {
  return stateCheck(resource, {
    id: checkId('states', collection, 'force', 'body'),
    title: `${operation.id} reads force in a JSON body too`,
    section: '4',
    basis: 'doubtful',
    on: operation,
    parameter: 'force',
    needs: [checkId('states', collection, 'force')],
    // A forced deletion that takes others along would change what the check of the trash looks at.
    after: [checkId('states', collection, 'trash')],
    async run(own) {
      const record = await newOne(own, collection);
      const body = { json: { force: true } };
      const deletion = await own.send({ method: 'DELETE', route: own.routeOf(record), body });
      must.conclude('a deletion with force in its body', deletion);
      const read = await own.read(record);
      must.conclude('reading it afterwards', read, 'denied');
      if (read.answer !== 'accepted') return [];
      const control = await own.remove(record, true);
      if (control.answer !== 'accepted')
        return inconclusive('a deletion with force in its query fails as well');
      const message = 'a deletion reads force in its query alone, not in a JSON body';
      const expected = 'no record after a deletion with force in its body';
      const status = show(member(read.json, 'status'));
      const observed = `${describe(deletion)}, and the record with status ${status}`;
      return contradicts(message, expected, observed, deletion, read, control);
    },
  });
}

/** Checks that a new draft which an update publishes or schedules is so (R35). Whether it may be is silent (§3). */
export function leavingDraftChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'update').flatMap((about) => {
    const { open = '', kept = [] } = about.resource.statuses ?? {};
    if (!takes(about.operation, 'status') || !kept.includes(DRAFT)) return [];
    return [
      kept.includes(open) && leavingDraftCheck(about, { status: open }),
      kept.includes(SCHEDULED) &&
        takes(about.operation, 'date') &&
        leavingDraftCheck(about, { status: SCHEDULED, date: FAR_AHEAD }),
    ].filter((check) => check !== false);
  });
}

/** @param to the new status, and what it needs */
function leavingDraftCheck(
  { collection, operation }: WritableCollection,
  to: { readonly status: string; readonly date?: string },
): Check {
  return ownCheck({
    id: roots.stored(operation.id, 'status', to.status),
    title: `${operation.id} stores the status ${to.status} of a draft`,
    section: '2',
    on: operation,
    parameter: 'status',
    needs: [
      roots.stored(operation.id, 'status', 'POST'),
      roots.stored(`${collection}.create`, 'status', to.status),
      ...('date' in to ? [roots.stored(operation.id, 'date', 'POST')] : []),
    ],
    after: roots.readBack(collection, 'status'),
    async run(own) {
      const draft = await newOne(own, collection);
      const update = await own.update(draft, { ...to });
      must.conclude(`an update that makes a draft ${to.status}`, update);
      if (update.answer !== 'accepted')
        return inconclusive(`a draft may not become ${to.status} (${explain(update)})`);
      const read = await own.read(draft);
      must.accept('reading it afterwards', read);
      const status = member(read.json, 'status');
      if (status === to.status || draft.shown.status !== DRAFT) return [];
      const message = `the status ${to.status} of a draft is accepted, but another one is read back`;
      return differs(message, to.status, status, draft.created, update, read);
    },
  });
}

/** Checks that a collection changes and removes its own records alone, not those of another one by their ids (§2). */
export function otherIdChecks(contract: Contract): Check[] {
  const created = collectionsWith(contract, 'create').filter(({ resource }) => resource.kind === 'records');
  return collectionsWith(contract, 'delete').flatMap((about) => {
    const other = created.find(({ collection }) => collection !== about.collection);
    return other !== undefined && takes(about.operation, 'force')
      ? [otherIdCheck(about, other.collection)]
      : [];
  });
}

/** @param other the collection of the record that is written to in the collection of the check */
function otherIdCheck({ collection, resource, operation }: WritableCollection, other: Collection): Check {
  return stateCheck(resource, {
    id: checkId('states', collection, 'other-ids'),
    title: `what is written to one of the ${collection} neither changes nor removes one of the ${other}`,
    section: '2',
    on: operation,
    needs: [checkId('states', collection, 'force'), roots.creation(other)],
    after: [checkId('records', collection, 'other-ids')],
    async run(own) {
      const record = await newOne(own, other);
      const at = { route: own.routeOf({ collection, id: record.id }), as: 'user' } as const;
      const before = await own.session.ask({ ...at, method: 'GET' });
      // Where each collection has its own ids, somebody's record may have this one.
      if (before.answer !== 'refused')
        return inconclusive(`one of the ${collection} may have the id ${record.id} too (${explain(before)})`);
      const refusable = { ...at, intent: 'must-be-refused' } as const;
      const { client } = own.session;
      const title = `${record.slug} elsewhere`;
      const update = await client.request({ ...refusable, method: 'POST', body: { json: { title } } });
      must.conclude(`an update in ${collection} by the id of one of the ${other}`, update, 'denied');
      const deletion = await client.request({ ...refusable, method: 'DELETE', query: [['force', 'true']] });
      const { read, shown } = await readBack(own, record);
      const message = (changes: string): string => `${changes} one of the ${other} by its id`;
      if (read.answer === 'refused')
        return failureBy(message(`a deletion in ${collection} removes`), 'a refusal', deletion);
      return rawOf(shown, 'title') === title
        ? failureBy(message(`an update in ${collection} changes`), 'a refusal', update)
        : [];
    },
  });
}

/** The finding if deleting a record that does not exist makes the server fail. What else it is answered with is silent. */
async function deletedUnknown(own: OwnRecords, collection: Collection): Promise<Found> {
  const spec = { route: own.routeOf({ collection, id: NO_ID }), as: 'user' } as const;
  const read = await own.session.ask({ ...spec, method: 'GET' });
  if (read.answer !== 'refused') return [];
  const answer = await own.session.client.request({
    ...spec,
    method: 'DELETE',
    query: [['force', 'true']],
    intent: 'must-be-refused',
  });
  return isServerError(answer) ? inconclusiveBy('deleting a record that does not exist', answer) : [];
}
