import { setTimeout } from 'node:timers/promises';
import type { Collection } from '../../../client/ownership.ts';
import { type Check, checkId, type Found, serves } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Pair } from '../../../generators/wire-forms.ts';
import { listOwn } from '../../../probing/records/own/list-own.ts';
import { newOne } from '../../../probing/records/own/make-record.ts';
import { contradicts, must } from '../../../probing/records/own/outcome.ts';
import { roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { collectionsWith, type WritableCollection } from '../../../probing/records/own/writable-fields.ts';
import { operationFor, parameterNamed } from '../../../specs/find-resource.ts';
import type { Contract, Operation } from '../../../specs/model.ts';

const MODIFIED = 'modified';

/** Checks that an update counts as a modification in the lists that sort by it (§4.6): no clock but the site's is read. */
export function modifiedChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'update').flatMap((about) => {
    const list = operationFor(contract, about.collection, 'list');
    const words = list && parameterNamed(list, 'orderby')?.schema.enum;
    return list !== undefined && words?.includes(MODIFIED) === true ? [modifiedCheck(about, list)] : [];
  });
}

function modifiedCheck({ collection, resource, operation }: WritableCollection, list: Operation): Check {
  return stateCheck(resource, {
    id: checkId('states', collection, MODIFIED),
    kind: 'lists',
    title: `a list of ${collection} by modified shows one that was updated before a newer one that was not`,
    section: list.section,
    on: list,
    parameter: 'orderby',
    needs: [serves(list, 'GET'), serves(operation), roots.creation(collection)],
    after: [checkId(list.id, 'orderby', 'filters'), checkId(list.id, 'orderby', 'filters', MODIFIED)],
    run: (own) => evaluateModified(own, collection, resource.statuses?.listed ?? []),
  });
}

/** Longer than a second, the unit in which software keeps times. */
const APART = 1_100;

/** Milliseconds before a second look, because lists may follow changes with a delay. */
const DELAY = 2_000;

const NEWEST: readonly Pair[] = [
  ['orderby', MODIFIED],
  ['order', 'desc'],
];

async function evaluateModified(
  own: OwnRecords,
  collection: Collection,
  statuses: readonly string[],
): Promise<Found> {
  const older = await newOne(own, collection);
  await setTimeout(APART);
  // One that is made now, and not with others in a batch before.
  const newer = await newOne(own, collection, { written: new Map() });
  await setTimeout(APART);
  const update = await own.update(older, { title: `${older.slug} later` });
  must.accept(`an update of an own record in ${collection}`, update);
  const look = async () => {
    const ids = [older.id, newer.id];
    const shown = await listOwn(own.session, collection, 'user', ids, { statuses, beside: NEWEST });
    must.accept(`a list of ${collection} by ${MODIFIED}`, shown.observation);
    return shown;
  };
  let shown = await look();
  if (shown.ids?.[0] === newer.id) {
    await setTimeout(DELAY);
    shown = await look();
  }
  const [first, second] = shown.ids ?? [];
  if (first === older.id) return [];
  if (first !== newer.id || second !== older.id)
    return inconclusive('the list does not show both own records');
  return contradicts(
    'an update does not count as a modification: the list sorts the record as before',
    `id ${older.id} first`,
    `the ids ${newer.id}, ${older.id}`,
    update,
    shown.observation,
  );
}
