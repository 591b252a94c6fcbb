import type { Collection } from '../../../client/journal.ts';
import type { JsonObject } from '../../../client/json.ts';
import type { Session } from '../../../engine/session.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { createWith } from '../../records/own/make-record.ts';
import type { OwnRecords } from '../../records/own/own-records.ts';
import { openList } from '../../records/reading/open-list.ts';
import { valuesOf } from '../../records/reading/record.ts';
import { snapshotOf } from '../../records/reading/run-rule.ts';

/** Fields that name something of the site of which a record has one by itself, and a site may know no other one. */
const NAMING = ['author', 'template'] as const;

/** Other values of those fields than an own record has by itself. */
export type OtherValues = Readonly<Partial<Record<(typeof NAMING)[number], unknown>>>;

/**
 * Finds an author and a template that visible records have and own ones have not. What visible records have may be gone by
 * now, or out of this user's reach: only what an own record takes is another value.
 * @param plain how the edit context shows an own record of the collection of which no such field was written
 */
export async function otherValues(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  plain: JsonObject | undefined,
): Promise<OtherValues> {
  const shown = await shownValues(session, collection, plain);
  const names = NAMING.filter((name) => shown[name] !== undefined);
  if (names.length === 0 || (await takes(session, own, collection, shown))) return shown;
  const taken: Partial<Record<(typeof NAMING)[number], unknown>> = {};
  for (const name of names) {
    const isTaken =
      (await takes(session, own, collection, { [name]: shown[name] })) ||
      // What is refused whatever it names is refused for another reason, which the checks of the field report.
      !(await takes(session, own, collection, { [name]: plain?.[name] }));
    if (isTaken) taken[name] = shown[name];
  }
  return taken;
}

async function takes(
  session: Session,
  own: OwnRecords,
  collection: Collection,
  values: OtherValues,
): Promise<boolean> {
  return !('refused' in (await createWith(session, own, collection, values)));
}

async function shownValues(
  session: Session,
  collection: Collection,
  plain: JsonObject | undefined,
): Promise<OtherValues> {
  const list = operationFor(session.contract, collection, 'list');
  if (list === undefined || plain === undefined) return {};
  const snapshot = await snapshotOf(session, await openList(session, list, list.route.wire));
  if ('finding' in snapshot) return {};
  const others: Partial<Record<(typeof NAMING)[number], unknown>> = {};
  for (const name of NAMING) {
    const other = snapshot.records
      .flatMap((record) => valuesOf(record, name) ?? [])
      .find((value) => value !== plain[name] && value !== '' && value !== 0);
    if (other !== undefined) others[name] = other;
  }
  return others;
}
