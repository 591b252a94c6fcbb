import { type JsonObject, member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Session } from '../../../engine/session.ts';
import { createWith } from '../../../probing/records/own/make-record.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { openList } from '../../../probing/records/reading/open-list.ts';
import { type SiteRecord, valuesOf } from '../../../probing/records/reading/record.ts';
import { snapshotOf } from '../../../probing/records/reading/run-rule.ts';
import { operationFor } from '../../../specs/find-resource.ts';

/** The records that a plain list of a collection shows, read once; none where there is no list. */
export async function visibleRecords(
  session: Session,
  collection: Collection,
): Promise<readonly SiteRecord[]> {
  const list = operationFor(session.contract, collection, 'list');
  const snapshot = list && (await snapshotOf(session, await openList(session, list)));
  return snapshot === undefined || isFinding(snapshot) ? [] : snapshot.records;
}

/** Fields with a default that name something of the site, which may have no other. */
const NAMING = ['author', 'template'] as const;

/** A value for each of the fields that has one, or `NONE`. */
export type OtherValues = Readonly<Partial<Record<(typeof NAMING)[number], unknown>>>;

/**
 * An author and a template other than those of own records, which these accept.
 * @param plain how the edit context shows a record of text only; @returns a name without a value where none is known
 */
export async function otherValues(
  own: OwnRecords,
  collection: Collection,
  plain: JsonObject | undefined,
): Promise<OtherValues> {
  const shown = await shownValues(own.session, collection, plain);
  const taken = await takenOf(own, collection, plain, shown);
  if (plain?.template === undefined || shown.template !== undefined) return taken;
  return { ...taken, ...(await templateByRefusal(own, collection)) };
}

/** The site itself states that it has no value of a field. */
export const NONE: unique symbol = Symbol('none');

/** The values that software lists when it refuses another one. */
const LISTED = /is not one of (.*?)\.?$/;

/** The template, or its absence, that a site names when it refuses another: a value to try, never asserted. */
async function templateByRefusal(own: OwnRecords, collection: Collection): Promise<OtherValues> {
  const template = `${own.tag}-none`;
  const refusal = await createWith(own, collection, { template });
  if ('id' in refusal) return refusal.shown.template === template ? { template } : {};
  const words = member(member(member(refusal.created.json, 'data'), 'params'), 'template');
  const listed = typeof words === 'string' ? LISTED.exec(words)?.[1] : undefined;
  if (listed === undefined) return {};
  const [first = ''] = listed.split(', ').filter((name) => name !== '');
  if (first === '') return { template: NONE };
  return (await acceptsValues(own, collection, { template: first })) ? { template: first } : {};
}

async function takenOf(
  own: OwnRecords,
  collection: Collection,
  plain: JsonObject | undefined,
  shown: OtherValues,
): Promise<OtherValues> {
  const names = NAMING.filter((name) => shown[name] !== undefined);
  if (names.length === 0 || (await acceptsValues(own, collection, shown))) return shown;
  const taken: Partial<Record<(typeof NAMING)[number], unknown>> = {};
  for (const name of names) {
    const isTaken =
      (await acceptsValues(own, collection, { [name]: shown[name] })) ||
      // A field that is refused with any value is refused for another reason, which its checks report.
      !(await acceptsValues(own, collection, { [name]: plain?.[name] }));
    if (isTaken) taken[name] = shown[name];
  }
  return taken;
}

async function acceptsValues(own: OwnRecords, collection: Collection, values: OtherValues): Promise<boolean> {
  return 'id' in (await createWith(own, collection, values));
}

async function shownValues(session: Session, collection: Collection, plain: JsonObject | undefined) {
  const records = plain === undefined ? [] : await visibleRecords(session, collection);
  const others: Partial<Record<(typeof NAMING)[number], unknown>> = {};
  for (const name of NAMING) {
    const other = records
      .flatMap((record) => valuesOf(record, name) ?? [])
      .find((value) => value !== plain?.[name] && value !== '' && value !== 0);
    if (other !== undefined) others[name] = other;
  }
  return others;
}
