import type { JsonObject } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { orFinding } from '../../../engine/aborted.ts';
import { isUploaded, makeRecord } from '../../../probing/records/own/make-record.ts';
import type { Creation, OwnRecord } from '../../../probing/records/own/outcome.ts';
import { type OwnFixture, ownFixture } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { bodyOf, FAR_AHEAD } from '../../../probing/records/own/writable-fields.ts';
import { createInTurn } from '../../../probing/records/own/write-together.ts';
import { findResource, operationFor, takes } from '../../../specs/find-resource.ts';
import type { Contract } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { ROUNDS } from '../fields/field-values.ts';
import { combinedValues, sharedRecord } from '../fields/shared-records.ts';

/** The status of records with a date ahead. */
export const SCHEDULED = 'future';
const DRAFT = 'draft';

/** The statuses that a collection is known to keep (R35); a scheduled record needs a date. */
export function statusesOf(contract: Contract, collection: Collection): readonly string[] {
  const create = operationFor(contract, collection, 'create');
  const status = create?.parameters.find(({ name }) => name === 'status');
  const kept = findResource(contract, collection)?.statuses?.kept ?? [];
  return (status?.schema.enum ?? [])
    .filter((word) => typeof word === 'string')
    .filter((word) => kept.includes(word))
    .filter((word) => word !== SCHEDULED || (create !== undefined && takes(create, 'date')));
}

/** An own record created with a status, once for all checks; a future one has a distant date. */
export const statusRecord: OwnFixture<Creation, [collection: Collection, status: string]> = ownFixture(
  'own {} {} by status',
  async (own, collection, status) => {
    const isFile = isUploaded(own.session, collection);
    // This is also the status of records created with text only.
    if (status === DRAFT && !isFile) return sharedRecord(own, collection, 'plain');
    const together = isFile ? undefined : (await statusRecords(own, collection)).get(status);
    if (together !== undefined) return together;
    const written = new Map<string, unknown>([
      ...(await besideStatus(own, collection, status)),
      ['status', status],
    ]);
    // The checks of dates look at what a read of this one shows.
    if (status === SCHEDULED) written.set('date', FAR_AHEAD);
    return makeRecord(own, { collection, written });
  },
);

/** Fields that software may store in some statuses alone. */
const BESIDE: ReadonlySet<string> = new Set([
  ...['content', 'excerpt', 'template', 'comment_status', 'ping_status'],
  ...['menu_order', 'parent', 'format', 'categories', 'tags', 'date'],
  ...['author', 'featured_media', 'meta/footnotes', 'caption', 'description', 'alt_text'],
]);
/** A date that none of the others excludes, for the records that everybody may see. */
const IN_GMT = 'date_gmt';

/** The values beside a status: those with which a draft was created, the date in GMT. */
async function besideStatus(own: OwnRecords, collection: Collection, status: string) {
  const main = await orFinding(sharedRecord(own, collection, 'main'));
  const written = new Map('id' in main ? [...main.written].filter(([name]) => BESIDE.has(name)) : []);
  // A scheduled record has a date of its own.
  if (status === SCHEDULED) written.delete('date');
  if (status === openStatusOf(own.contract, collection)) {
    // Software announces what is published to the addresses in its content, and slugs are unique below one record.
    for (const name of ['content', 'parent']) written.delete(name);
    const beside = await orFinding(sharedRecord(own, collection, 'beside'));
    const inGmt = 'id' in beside ? beside.written.get(IN_GMT) : undefined;
    if (inGmt !== undefined) {
      written.delete('date');
      written.set(IN_GMT, inGmt);
    }
  }
  const date = written.get('date');
  // Software may read an offset, and not the letter for GMT.
  if (typeof date === 'string') written.set('date', date.replace(/[-+]\d\d:\d\d$/, 'Z'));
  // Software may lose the sign of a number.
  const numbers = own
    .fieldsOf(collection)
    .filter(
      (field) =>
        written.has(field.name) &&
        typesOf(field.schema)[0] === 'integer' &&
        field.schema['x-names'] === undefined,
    );
  for (const [name, value] of await combinedValues(own, collection, numbers, ROUNDS.first))
    written.set(name, value);
  return written;
}

/** The own records that were created with a value of a field, or any, and another status than a draft. */
export async function statusRecordsWith(
  own: OwnRecords,
  collection: Collection,
  field?: string,
): Promise<{ readonly record: OwnRecord; readonly value: unknown }[]> {
  const made: { readonly record: OwnRecord; readonly value: unknown }[] = [];
  for (const status of statusesOf(own.contract, collection).filter((one) => one !== DRAFT)) {
    const beside = await besideStatus(own, collection, status);
    const isMeant = field === undefined || beside.has(field);
    // A record that waits for approval may lack a slug, and a file has one by its name.
    const isNamed = field === 'slug' && status !== 'pending' && !isUploaded(own.session, collection);
    const record = (isMeant || isNamed) && (await orFinding(statusRecord(own, collection, status)));
    if (record && 'id' in record)
      made.push({ record, value: isNamed ? record.slug : field && beside.get(field) });
  }
  return made;
}

/** The own records of the other statuses that a collection keeps, which one list shows. */
const statusRecords = ownFixture('own {} by status', async (own, collection: Collection) => {
  const apart = [DRAFT, SCHEDULED];
  const statuses = statusesOf(own.contract, collection).filter((status) => !apart.includes(status));
  const fields = own.fieldsOf(collection);
  const bodies: JsonObject[] = [];
  for (const status of statuses) {
    bodies.push({ ...bodyOf(fields, await besideStatus(own, collection, status)), status });
  }
  const made = await createInTurn(own, collection, bodies);
  return new Map(made.map((creation, at) => [statuses[at] ?? '', creation]));
});

/** The scheduled record; undefined if the collection keeps none or changed its status. */
export async function scheduledRecord(
  own: OwnRecords,
  collection: Collection,
): Promise<OwnRecord | undefined> {
  if (!statusesOf(own.contract, collection).includes(SCHEDULED)) return undefined;
  const record = await statusRecord(own, collection, SCHEDULED);
  return 'id' in record && record.shown.status === SCHEDULED ? record : undefined;
}

/** The status that everybody may see; empty where a resource states none. */
export function openStatusOf(contract: Contract, collection: Collection): string {
  return findResource(contract, collection)?.statuses?.open ?? '';
}
