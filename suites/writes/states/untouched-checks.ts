import { setTimeout } from 'node:timers/promises';
import { readJournal } from '../../../client/journal.ts';
import { member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { orAbort, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found } from '../../../engine/check.ts';
import { blocked, failure, failureBy, inconclusive, show } from '../../../engine/findings.ts';
import { listAll } from '../../../probing/records/clean-up/census.ts';
import { changedFields, makeRecord, readBack } from '../../../probing/records/own/make-record.ts';
import { type Creation, hasSlug, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import { ownCheck, roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import { ownFixture } from '../../../probing/records/own/own-fixture.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  creationFields,
  invalidMemberOf,
  shownValue,
  switchesIn,
  type WritableCollection,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { MOST_PER_PAGE } from '../../../probing/records/reading/list-request.ts';
import { type SiteRecord, textOf, toRecords } from '../../../probing/records/reading/record.ts';
import type { Contract, Resource } from '../../../specs/model.ts';
import { combinedValues, creationOf, namingFields } from '../fields/shared-records.ts';
import { updatesOf } from '../fields/update-steps.ts';

/** Checks that a record which no request names stays as it is, whatever the run wrote to others of any collection. */
export function untouchedChecks(contract: Contract): Check[] {
  const written = collectionsWith(contract, 'create');
  return written.map(({ collection, resource, operation }) => {
    const [id, ...alone] = roots.untouched(resource);
    return stateCheck(resource, {
      id,
      title: `writes of other records leave those of ${collection} alone`,
      section: '2',
      on: operation,
      needs: [roots.creation(collection), checkId('records', collection, 'alone')],
      after: [
        ...alone,
        ...(resource.trash === true ? [checkId('states', collection, 'trash')] : []),
        ...switchesIn(writableFields(operation)).map(({ name }) => checkId(operation.id, name, 'others')),
      ],
      run: (own) => evaluateUnwritten(own, collection, written),
    });
  });
}

async function evaluateUnwritten(
  own: OwnRecords,
  collection: Collection,
  written: readonly WritableCollection[],
): Promise<Found> {
  for (const other of written) await creationOf(own, other.collection, 'plain');
  for (const other of written) await siblingOf(own, other.collection);
  for (const other of written) await othersWritten(own, other);
  const { records, listed } = await listUnwritten(own, collection);
  const changed = records.filter(
    (one) => isUnwritten(own, one) && firstChange(own, one, listed.get(one.id)) !== undefined,
  );
  for (const record of changed.slice(0, MOST_READ)) {
    const found = await evaluateChange(own, record, written);
    if (found !== undefined) return found;
  }
  return listed.size === 0 ? inconclusive('a list finds no record that was only created') : [];
}

/** The records that no request names, and those of them that a list shows, by their ids. */
async function listUnwritten(own: OwnRecords, collection: Collection) {
  const records = own.unwritten(collection).slice(-MOST_PER_PAGE);
  const include = records.map(({ id }) => id);
  const listing = orAbort(await listAll(own.session, collection, { include }));
  return { records, listed: new Map(toRecords(listing.records).map(({ id, json }) => [id, json])) };
}

/** How many records are read alone that a list shows otherwise than they were, which may be due to the list. */
const MOST_READ = 3;

/** A record that names what others with all fields name too: the same parent, and the same terms. */
const siblingOf = ownFixture('own sibling', (own, collection: Collection) => makeFull(own, collection));

/** Updates, creates and deletes records of a collection, once for the checks of all. */
const othersWritten = ownFixture(
  'own {} for others',
  async (own, { collection, resource }: WritableCollection): Promise<void> => {
    if (resource.operations.update !== undefined) await orFinding(updatesOf(own, collection));
    const full = await makeFull(own, collection);
    const made = 'id' in full ? full : await makeRecord(own, { collection, written: new Map() });
    if (!('id' in made)) return;
    await makeChild(own, made);
    // Databases may delete what names a record along with it.
    for (const { collection: other } of collectionsWith(own.session.contract, 'create')) {
      if (other !== collection && (await makeChild(own, made, undefined, other)) !== undefined) break;
    }
    await updateRest(own, made, resource);
    if (resource.operations.delete !== undefined) await own.remove(made, true);
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
  async (own, record: OwnRecord): Promise<boolean> => {
    const written = collectionsWith(own.session.contract, 'create');
    const found = await orFinding(evaluateChange(own, record, written));
    return found?.kind === 'failure';
  },
  ({ collection }) => [collection],
);

/**
 * The first field that changed. What may follow others is left out: ids of what may be gone, switches, numbers by
 * plugins.
 */
function firstChange(own: OwnRecords, record: OwnRecord, after: unknown) {
  if (after === undefined) return GONE;
  const fields = creationFields(own.session.contract, record.collection);
  const naming = fields.filter(({ schema }) => schema['x-names'] !== undefined);
  const left = new Set([...naming, ...switchesIn(fields)].map(({ wire }) => wire));
  return changedFields(own, record, record.shown, after).find((name) => !left.has(name));
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
async function evaluateChange(own: OwnRecords, record: OwnRecord, written: readonly WritableCollection[]) {
  const { collection } = record;
  const { read, shown, name } = await readChange(own, record);
  // Another check may have written it meanwhile.
  if (name === undefined || !isUnwritten(own, record)) return undefined;
  for (const about of written) {
    const cause = await causeOf(own, record, name, about);
    if (cause === undefined) continue;
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
  return inconclusive(
    `the ${name} of a record changed that no request names, and no single write repeats it`,
  );
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

/** The write of one record, if it changes a field of another one twice, that is like a changed one. */
export async function causeOf(
  own: OwnRecords,
  changed: OwnRecord,
  name: string,
  about: WritableCollection,
): Promise<Cause | undefined> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const cause = await firstCause(own, changed, name, about);
    const again = cause && (await firstCause(own, changed, name, about));
    if (cause !== BUSY && again !== BUSY) return again?.what === cause?.what ? cause : undefined;
    await setTimeout(attempt * PAUSE);
  }
  return undefined;
}

/** The first write that changes a field, unless such records change before it or after it too. */
async function firstCause(...[own, changed, name, about]: Parameters<typeof causeOf>) {
  if (await isBusy(own, changed, name)) return BUSY;
  const cause = await firstStep(own, changed, name, about);
  return cause !== undefined && (await isBusy(own, changed, name)) ? BUSY : cause;
}

async function isBusy(own: OwnRecords, changed: OwnRecord, name: string): Promise<boolean> {
  const { changes } = await watch(own, changed, name);
  for (let look = 0; look < LOOKS; look += 1) if ((await changes('', '')) !== undefined) return true;
  return false;
}

/** Creates a record like a changed one. @returns what looks whether a write changes it, or those that are watched too */
async function watch(own: OwnRecords, changed: OwnRecord, name: string) {
  const { collection } = changed;
  const like = must.create(`a creation in ${collection}`, await makeFull(own, collection, changed));
  const watched = [like];
  const there = name === GONE ? new Set((await listUnwritten(own, collection)).listed.keys()) : undefined;
  const changes = async (what: string, curl: string): Promise<Cause | undefined> => {
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
  };
  return { like, watched, there, changes };
}

/** The first step of another record, created, updated and deleted, that changes a field. */
async function firstStep(...[own, changed, name, about]: Parameters<typeof causeOf>) {
  const { collection } = changed;
  const { collection: other, operation, resource } = about;
  const { like, watched, there, changes } = await watch(own, changed, name);
  // What a write changes of others may be what its record names, such as a picture.
  const naming = other === collection ? undefined : await makeChild(own, like, undefined, other);
  const record = naming ?? (await makeFull(own, other));
  // A deletion may remove the next id too.
  const next = there && other === collection ? await makeFull(own, other) : undefined;
  if (next !== undefined && 'id' in next) there?.add(next.id);
  const created = await changes(operation.id, record.created.curl);
  if (created !== undefined || !('id' in record)) return created;
  const child = await makeChild(own, record, changed, collection);
  if (child !== undefined && 'id' in child) {
    watched.push(child);
    there?.add(child.id);
  }
  const update = await updateRest(own, record, resource);
  const updated = update && (await changes(resource.operations.update?.id ?? '', update.curl));
  if (updated !== undefined) return updated;
  return changes(`a deletion in ${other}`, (await own.remove(record, true)).curl);
}

/** Updates all fields of a record that name nothing else: it keeps its place among others. */
async function updateRest(own: OwnRecords, record: OwnRecord, { operations: { update } }: Resource) {
  if (update === undefined) return undefined;
  const fields = writableFields(update).filter(
    ({ name, schema }) => name !== 'status' && schema['x-names'] === undefined,
  );
  return own.update(record, bodyOf(fields, await combinedValues(own, record.collection, fields, 1)));
}

/** Creates a record that names another one, such as its parent or its picture; undefined where none can. */
export async function makeChild(
  own: OwnRecords,
  named: OwnRecord,
  like?: OwnRecord,
  of: Collection = named.collection,
): Promise<Creation | undefined> {
  const naming = namingFields(own, named.collection, of);
  if (naming.length === 0) return undefined;
  return makeFull(own, of, like, new Map(naming.map(({ name }) => [name, named.id])));
}

/** Creates a record with all fields that can be combined. @param like gives words; @param named ids to name */
async function makeFull(
  own: OwnRecords,
  collection: Collection,
  like?: OwnRecord,
  named: ReadonlyMap<string, number> = new Map(),
): Promise<Creation> {
  const all = creationFields(own.session.contract, collection);
  const fields = all.filter(({ name }) => name !== 'status');
  const written = new Map([...(await combinedValues(own, collection, fields)), ...named]);
  for (const field of fields) {
    const value = shownValue(like?.shown, field);
    if (field.schema.enum?.includes(value) === true && written.has(field.name))
      written.set(field.name, value);
  }
  return makeRecord(own, { collection, written });
}

/** Checks that creations of the run made no record that no answer names. One late list shows what all of them made. */
export function strayChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create')
    .filter(({ resource }) => resource.kind === 'records')
    .flatMap((about) => [...refusedCheck(about), othersCheck(about)]);
}

/** The check that the creations of the run, in any form and batch and with any status, made one record each. */
function othersCheck({ collection, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId(operation.id, 'once', 'others'),
    title: `${operation.id} makes no record beside those that it answers with`,
    on: operation,
    needs: [checkId(operation.id, 'once')],
    after: [checkId(operation.id, 'once', 'refused'), checkId('batch', 'once')],
    async run(own) {
      const { unnamed, made, isSearched } = await listedOf(own, collection);
      const second = unnamed.find((one) => made.some(({ slug }) => isCopy(one, slug)));
      if (second === undefined) return isSearched ? [] : NOT_SEARCHED;
      // What was sent again may have been carried out before.
      if (own.session.client.traffic.retries > 0) return inconclusive('a creation may have been sent twice');
      const first = made.find(({ slug }) => isCopy(second, slug));
      return strayFailure(`a creation in ${collection} makes a second record`, second, `the id ${first?.id}`);
    },
  });
}

function refusedCheck({ collection, operation }: WritableCollection): Check[] {
  const invalid = invalidMemberOf(operation);
  if (invalid === undefined) return [];
  const { field, value } = invalid;
  return [
    ownCheck({
      id: checkId(operation.id, 'once', 'refused'),
      title: `${operation.id} makes no record if it refuses`,
      on: operation,
      needs: [checkId(operation.id, 'once')],
      async run(own) {
        const slug = own.nextSlug();
        const body = { slug, ...bodyOf([field], new Map([[field.name, value]])) };
        const { created } = await own.create(collection, body);
        must.refuse(operation, field, created);
        const { unnamed, isSearched } = await listedOf(own, collection);
        const made = unnamed.find((one) => isMadeBy(one, slug));
        if (made === undefined) return isSearched ? [] : NOT_SEARCHED;
        const message = `a creation that ${collection} refuses makes a record`;
        return strayFailure(message, made, 'no record', created.curl);
      },
    }),
  ];
}

const NOT_SEARCHED: Finding = inconclusive('a search for the words of the run does not find its records');

function strayFailure(message: string, { id, json }: SiteRecord, expected: string, from?: string): Found {
  const observed = `the id ${id}, with the slug ${String(member(json, 'slug'))}`;
  return failure(message, { expected, observed, ...(from !== undefined && { reproduce: [from] }) });
}

/** The records of the run in one late list that no answer names, and those that creations were answered with. */
const listedOf = ownFixture('records that no answer names', async (own, collection: Collection) => {
  const listing = orAbort(await listAll(own.session, collection, { search: own.tag }));
  const records = toRecords(listing.records);
  const { journal } = own.session;
  const noted = journal && readJournal(journal.path);
  const ids = new Set(noted?.ids.get(collection));
  return {
    unnamed: records.filter(({ id }) => !ids.has(id)),
    made: noted?.left.filter((one) => one.collection === collection) ?? [],
    isSearched: records.some(({ id }) => ids.has(id)),
  };
});

function isMadeBy(record: SiteRecord, slug: string): boolean {
  return textOf(record, 'title')?.text === `${slug} title` || member(record.json, 'slug') === slug;
}

/** Whether a record is made by a creation that made another one; what a plugin makes beside it has its own slug. */
function isCopy(record: SiteRecord, slug: string): boolean {
  return isMadeBy(record, slug) && hasSlug(record.json, slug);
}
