import type { Collection } from '../../../client/journal.ts';
import { type Fixture, fixture } from '../../../engine/fixture.ts';
import { type Making, makeRecord, recordOf } from '../../../probing/records/own/make-record.ts';
import { listOwn, type OwnList } from '../../../probing/records/own/own-list.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { FAR_AHEAD, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { findResource, operationFor } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { creationOf } from '../fields/creations.ts';

/** The statuses that a collection is known to keep (R35). */
export function statusesOf(contract: Contract, collection: Collection): readonly string[] {
  const create = operationFor(contract, collection, 'create');
  const status = create?.parameters.find(({ name }) => name === 'status');
  const kept = findResource(contract, collection)?.statuses?.kept ?? [];
  return (
    (status?.schema.enum ?? [])
      .filter((word) => typeof word === 'string')
      .filter((word) => kept.includes(word))
      // Without a date of its own no record is a future one.
      .filter((word) => word !== 'future' || create?.parameters.some(({ name }) => name === 'date'))
  );
}

/** An own record that was created with a status, made once; a future one has a date far ahead. */
export const statusRecord: Fixture<Making, [own: OwnRecords, collection: Collection, status: string]> =
  fixture('own {} {} by status', (session, own, collection, status) => {
    const operation = operationFor(session.contract, collection, 'create');
    const fields = operation === undefined ? [] : writableFields(operation);
    const written = new Map<string, unknown>([['status', status]]);
    if (status === 'future') written.set('date', FAR_AHEAD);
    return makeRecord(session, own, { collection, fields, written });
  });

/** The status that lists show by default (§3). */
export function openStatusOf(contract: Contract, collection: Collection): string {
  return findResource(contract, collection)?.statuses?.open ?? '';
}

/** The ids of the own records of every status, by status; those that do not have it are left out. */
export const statusIds: Fixture<
  ReadonlyMap<string, number>,
  [own: OwnRecords, collection: Collection]
> = fixture('own {} of every status', async (session, own, collection) => {
  const ids = new Map<string, number>();
  const kept = statusesOf(session.contract, collection);
  const open = openStatusOf(session.contract, collection);
  // A status that cannot be written is the one that records get by themselves.
  if (!kept.includes(open)) {
    const plain = recordOf(await creationOf(session, own, collection, 'plain'));
    if (plain !== undefined) ids.set(open, plain.id);
  }
  for (const status of kept) {
    const making = await statusRecord(session, own, collection, status);
    const record = recordOf(making);
    if (record !== undefined && making.shown?.status === status) ids.set(status, record.id);
  }
  return ids;
});

/** What the list without a status filter shows of the own records of every status, asked once for each caller. */
export const defaultList: Fixture<
  OwnList,
  [own: OwnRecords, collection: Collection, as: 'user' | 'anonymous']
> = fixture('own {} listed by default', async (session, own, collection, as) => {
  const ids = await statusIds(session, own, collection);
  return listOwn(session, collection, as, [...ids.values()]);
});
