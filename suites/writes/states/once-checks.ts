import { readJournal } from '../../../client/journal.ts';
import { member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { orAbort } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, type Found } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import { contradicts, hasSlug, must } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownCheck, ownFixture, roots } from '../../../probing/records/own/own-check.ts';
import {
  bodyOf,
  collectionsWith,
  invalidMemberOf,
  type WritableCollection,
} from '../../../probing/records/own/writable-fields.ts';
import { listAll } from '../../../probing/records/reading/list-all.ts';
import { type SiteRecord, textOf, toRecords } from '../../../probing/records/reading/record.ts';
import type { Contract } from '../../../specs/model.ts';
import { sharedRecord } from '../fields/shared-records.ts';

/** The check that a creation makes one record. */
export function onceCheck({ collection, operation }: WritableCollection): Check {
  return ownCheck({
    id: checkId(operation.id, 'once'),
    title: `${operation.id} makes one record for one request`,
    on: operation,
    needs: [roots.creation(collection), checkId(`${collection}.list`, 'method', 'GET')],
    async run(own) {
      const plain = await sharedRecord(own, collection, 'plain');
      const made = await madeAtOnce(own, collection);
      if (made.length === 1) return [];
      if (made.length === 0) return inconclusive('a search for its title does not find a new record');
      const copies = made.filter(({ json }) => 'slug' in plain && hasSlug(json, plain.slug));
      if (copies.length === 1)
        return inconclusive('a plugin may make a record with the same title beside each');
      const message = `one creation in ${collection} made ${made.length} records`;
      const observed = `the ids ${made.map(({ id }) => id).join(', ')}`;
      return contradicts(message, 'one record', observed, plain.created);
    },
  });
}

/** The records that one creation made, once for each collection. */
export const madeAtOnce: OwnFixture<SiteRecord[], [collection: Collection]> = ownFixture(
  'records of one creation',
  async (own, collection) => {
    const plain = await sharedRecord(own, collection, 'plain');
    const search = 'id' in plain ? plain.slug : '';
    const listing = orAbort(await listAll(own.session, collection, { search }));
    const isTitled = (one: SiteRecord): boolean => textOf(one, 'title')?.text === `${search} title`;
    return toRecords(listing.records).filter(isTitled);
  },
);

/** Checks that creations of the run made no record that no answer names. One late list shows what all of them made. */
export function strayChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'create')
    .filter(({ resource }) => resource.kind === 'records')
    .flatMap((about) => [...noneRefusedCheck(about), noOthersCheck(about)]);
}

/** The check that the creations of the run, in any form and batch and with any status, made one record each. */
function noOthersCheck({ collection, operation }: WritableCollection): Check {
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

function noneRefusedCheck({ collection, operation }: WritableCollection): Check[] {
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
