import { setTimeout } from 'node:timers/promises';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { orAbort, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found } from '../../../engine/check.ts';
import { blocked, failure, failureBy, inconclusive, show } from '../../../engine/findings.ts';
import { changedFields, makeRecord, readBack } from '../../../probing/records/own/make-record.ts';
import { type Creation, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture, roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  switchesIn,
  type WritableCollection,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { listAll } from '../../../probing/records/reading/list-all.ts';
import { MOST_PER_PAGE } from '../../../probing/records/reading/list-request.ts';
import { toRecords } from '../../../probing/records/reading/record.ts';
import type { Contract, Resource } from '../../../specs/model.ts';
import { ROUNDS } from '../fields/field-values.ts';
import { combinedValues, makeChild, makeFull, sharedRecord } from '../fields/shared-records.ts';
import { updatesOf } from '../fields/update-steps.ts';

/** Checks that a record which no request names stays as it is, whatever the run wrote to others of any collection. */
export function untouchedChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create').map(({ collection, resource, operation }) => {
    const [id, ...alone] = roots.untouched(resource);
    return stateCheck(resource, {
      id,
      title: `writes of other records leave those of ${collection} alone`,
      section: '2',
      on: operation,
      needs: [roots.creation(collection), checkId('records', collection, 'alone')],
      after: [
        alone,
        resource.trash === true && checkId('states', collection, 'trash'),
        switchesIn(writableFields(operation)).map(({ name }) => checkId(operation.id, name, 'others')),
      ],
      run: (own) => evaluateUnwritten(own, collection),
    });
  });
}

async function evaluateUnwritten(own: OwnRecords, collection: Collection): Promise<Found> {
  const written = collectionsWith(own.contract, 'create');
  for (const other of written) await sharedRecord(own, other.collection, 'plain');
  for (const other of written) await siblingOf(own, other.collection);
  for (const other of written) await othersWritten(own, other);
  const { records, listed } = await listUnwritten(own, collection);
  const changed = records.filter(
    (one) => isUnwritten(own, one) && firstChange(own, one, listed.get(one.id)) !== undefined,
  );
  for (const record of changed.slice(0, MOST_READ)) {
    const found = await evaluateChange(own, record);
    if (found !== undefined) return found;
  }
  return listed.size === 0 ? inconclusive('a list finds no record that was only created') : [];
}

/** How many records are read alone that a list shows otherwise than they were, which may be due to the list. */
const MOST_READ = 3;

/** A record that names what others with all fields name too: the same parent, and the same terms. */
const siblingOf = ownFixture('own sibling', (own, collection: Collection) => makeFull(own, collection));

/**
 * Updates, creates and deletes records of a collection, once for the checks of all.
 * @returns the answer to the deletion, if another record names the deleted one
 */
export const othersWritten: OwnFixture<Observation | undefined, [about: WritableCollection]> = ownFixture(
  'own {} for others',
  async (own, { collection, resource }) => {
    if (resource.operations.update !== undefined) await orFinding(updatesOf(own, collection));
    const full = await makeFull(own, collection);
    const made = 'id' in full ? full : await makeRecord(own, { collection, written: new Map() });
    if (!('id' in made)) return undefined;
    const naming = [await makeChild(own, made)];
    // Databases may delete what names a record along with it.
    for (const { collection: other } of collectionsWith(own.contract, 'create')) {
      if (other === collection) continue;
      const named = await makeChild(own, made, other);
      naming.push(named);
      if (named !== undefined) break;
    }
    await updateRest(own, made, resource);
    if (resource.operations.delete === undefined) return undefined;
    const deletion = await own.remove(made, true);
    return naming.some((one) => one !== undefined && 'id' in one) ? deletion : undefined;
  },
  ({ collection }) => [collection],
);

/** What changes of a record that another write removes. */
const GONE = 'existence';

/** The finding for an own record that is missing because writes of others remove some, which another check reports. */
export async function reportedAsRemoved(own: OwnRecords, record: OwnRecord): Promise<Finding | undefined> {
  const root = checkId('states', record.collection, 'untouched');
  if (!own.session.runs(root) || (await own.read(record)).answer !== 'refused') return undefined;
  // Not the same failure, which would block the root.
  return (await removesOthers(own, record)) ? blocked(root) : undefined;
}

const removesOthers = ownFixture(
  'own {} removed by others',
  async (own, record: OwnRecord): Promise<boolean> =>
    (await orFinding(evaluateChange(own, record)))?.kind === 'failure',
  ({ collection }) => [collection],
);

/**
 * The first field that changed, or the status, which others follow. What may follow others is left out: ids of what may
 * be gone, switches, numbers by plugins.
 */
function firstChange(own: OwnRecords, record: OwnRecord, after: unknown): string | undefined {
  if (after === undefined) return GONE;
  const fields = own.fieldsOf(record.collection);
  const deletable = new Set(collectionsWith(own.contract, 'delete').map(({ collection }) => collection));
  const naming = fields.filter(({ schema }) => deletable.has(schema['x-names'] ?? ''));
  const left = new Set([...naming, ...switchesIn(fields)].map(({ wire }) => wire));
  const changed = changedFields(own, record, record.shown, after).filter((name) => !left.has(name));
  return changed.find((name) => name === 'status') ?? changed[0];
}

function isUnwritten(own: OwnRecords, record: OwnRecord): boolean {
  return own.unwritten(record.collection).some(({ id }) => id === record.id);
}

/** Reads a record again. @returns the answer, with the field that changed, if any did or the record is gone */
async function readChange(own: OwnRecords, record: OwnRecord) {
  const { read, shown } = await readBack(own, record);
  const isConclusive = read.answer === 'refused' || shown !== undefined;
  return { read, shown, name: isConclusive ? firstChange(own, record, shown) : undefined };
}

/** Evaluates a record that changed by itself or by a write of another one: only a write that does so twice is a cause. */
async function evaluateChange(own: OwnRecords, record: OwnRecord): Promise<Finding | undefined> {
  const { collection } = record;
  const { read, shown, name } = await readChange(own, record);
  // Another check may have written it meanwhile.
  if (name === undefined || !isUnwritten(own, record)) return undefined;
  const cause = await causeOf(own, record, name);
  if (cause === undefined)
    return inconclusive(
      `the ${name} of a record changed that no request names, and no single write repeats it`,
    );
  const { what, curls: reproduce } = cause;
  if (name === GONE) {
    const expected = `the record ${record.id}, which was not deleted`;
    const message = `${what} removes another record of ${collection} too`;
    return failureBy(message, expected, read, reproduce);
  }
  const expected = `${name} as before: ${show(record.shown[name])}`;
  const message = `${what} changes ${name} of another record of ${collection}`;
  return failure(message, { expected, observed: show(shown?.[name]), reproduce });
}

interface Cause {
  readonly what: string;
  readonly curls: readonly string[];
}

/** How often a moment is waited for in which no other check writes, and milliseconds more between the attempts. */
const ATTEMPTS = 6;
const PAUSE = 150;
/** How often records are looked at in which nothing is written. */
const LOOKS = 3;
/** What other checks change in such a moment. */
const BUSY = 'busy';

/** The write of any collection that changes a field of records like a changed one, and does so twice. */
export async function causeOf(own: OwnRecords, changed: OwnRecord, name: string): Promise<Cause | undefined> {
  for (const about of collectionsWith(own.contract, 'create')) {
    const cause = await causeIn(own, changed, name, about);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

async function causeIn(own: OwnRecords, changed: OwnRecord, name: string, written: WritableCollection) {
  const watching = (): Promise<Watch> => watch(own, changed, name);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const cause = await causeIfQuiet(watching, written);
    const again = cause && (await causeIfQuiet(watching, written));
    if (cause !== BUSY && again !== BUSY) return again?.what === cause?.what ? cause : undefined;
    await setTimeout(attempt * PAUSE);
  }
  return undefined;
}

/** The write that changes what is watched, unless that changes before it or after it too. */
async function causeIfQuiet(watching: () => Promise<Watch>, written: WritableCollection) {
  if (await isBusy(await watching())) return BUSY;
  const cause = await firstCause(await watching(), written);
  return cause !== undefined && (await isBusy(await watching())) ? BUSY : cause;
}

async function isBusy({ changeBy }: Watch): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) if ((await changeBy('', '')) !== undefined) return true;
  return false;
}

/** The first write of a new record, created, updated and deleted, that changes what is watched. */
async function firstCause(
  { own, changed, name, like, add, changeBy }: Watch,
  { collection, operation, resource }: WritableCollection,
) {
  const isSame = collection === changed.collection;
  // What a write changes of others may be what its record names, such as a picture.
  const naming = isSame ? undefined : await makeChild(own, like, collection);
  const record = naming ?? (await makeFull(own, collection));
  // A deletion may concern the next id too.
  if (isSame) add(await makeFull(own, collection));
  const created = await changeBy(operation.id, record.created.curl);
  if (created !== undefined || !('id' in record)) return created;
  add(await makeChild(own, record, changed.collection, changed));
  const update = await updateRest(own, record, resource, name);
  const updated = update && (await changeBy(resource.operations.update?.id ?? '', update.curl));
  return updated ?? changeBy(`a deletion in ${collection}`, (await own.remove(record, true)).curl);
}

type Watch = Awaited<ReturnType<typeof watch>>;

/** Watches a new record like a changed one, to see whether a write of others changes a field of it, or removes any. */
async function watch(own: OwnRecords, changed: OwnRecord, name: string) {
  const { collection } = changed;
  const like = must.create(`a creation in ${collection}`, await makeFull(own, collection, changed));
  const watched = [like];
  const there = name === GONE ? new Set((await listUnwritten(own, collection)).listed.keys()) : undefined;
  return {
    own,
    changed,
    name,
    like,
    /** Watches a further record, if it was made. */
    add(made: Creation | undefined): void {
      if (made === undefined || !('id' in made)) return;
      watched.push(made);
      there?.add(made.id);
    },
    /** The cause, if something has changed by a write. */
    async changeBy(what: string, curl: string): Promise<Cause | undefined> {
      if (there !== undefined) {
        const { records, listed } = await listUnwritten(own, collection);
        const lost = records.find(({ id }) => there.has(id) && !listed.has(id));
        return lost && { what, curls: [lost.created.curl, curl, (await own.read(lost)).curl] };
      }
      for (const record of watched) {
        const { read, ...change } = await readChange(own, record);
        if (change.name === name) return { what, curls: [record.created.curl, curl, read.curl] };
      }
      return undefined;
    },
  };
}

/** The records that no request names, and those of them that a list shows, by their ids. */
async function listUnwritten(own: OwnRecords, collection: Collection) {
  const records = own.unwritten(collection).slice(-MOST_PER_PAGE);
  const include = records.map(({ id }) => id);
  const listing = orAbort(await listAll(own.session, collection, { include }));
  return { records, listed: new Map(toRecords(listing.records).map(({ id, json }) => [id, json])) };
}

/** Updates all fields of a record that name nothing else, and one that may: it keeps its place among others. */
async function updateRest(own: OwnRecords, record: OwnRecord, resource: Resource, further?: string) {
  const { update } = resource.operations;
  if (update === undefined) return undefined;
  const fields = writableFields(update).filter(
    ({ wire, schema }) => schema['x-names'] === undefined || wire === further,
  );
  return own.update(
    record,
    bodyOf(fields, await combinedValues(own, record.collection, fields, ROUNDS.first)),
  );
}
