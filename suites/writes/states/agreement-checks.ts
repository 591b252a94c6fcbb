import { asObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding, orFinding } from '../../../engine/aborted.ts';
import { type Check, checkId, type Finding, serves } from '../../../engine/check.ts';
import { failureBy, inconclusive } from '../../../engine/findings.ts';
import { CALLERS, type Caller } from '../../../engine/session.ts';
import type { Pair } from '../../../generators/wire-forms.ts';
import { listOwn, stillShown } from '../../../probing/records/own/list-own.ts';
import { newOne } from '../../../probing/records/own/make-record.ts';
import { contradicts, differs, must } from '../../../probing/records/own/outcome.ts';
import { roots, stateCheck } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  bodyOf,
  collectionsWith,
  switchesIn,
  type WritableCollection,
  type WritableField,
  writableFields,
} from '../../../probing/records/own/writable-fields.ts';
import { contradictions, RENUMBERED } from '../../../probing/records/reading/record.ts';
import { operationFor, takes } from '../../../specs/find-resource.ts';
import type { Contract, Operation, Resource } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { combinedValues } from '../fields/shared-records.ts';
import {
  BY_SLUGS,
  CHANGED_TITLE,
  FOREIGN,
  type Followed,
  LOOKED_FOR,
  outdated,
  titleOf,
  type View,
} from './outdated-lists.ts';
import { hiddenIds } from './state-checks.ts';
import { openStatusOf, statusRecord } from './status-records.ts';

/** Checks that lists and single reads agree about an own record after each change, for all callers. */
export function agreementChecks(contract: Contract): Check[] {
  return collectionsWith(contract, 'delete').flatMap((about) => {
    const { collection, resource } = about;
    const { list, read, update, delete: deletion } = resource.operations;
    if (list === undefined || read === undefined || update === undefined || deletion === undefined) return [];
    if (!takes(list, 'include') || !takes(update, 'title') || !takes(deletion, 'force')) return [];
    const creation = `${collection}.create`;
    const names = [...FOLLOWED, ...switchNames(writableFields(update))];
    return [
      stateCheck(resource, {
        id: checkId('states', collection, 'again'),
        title: `lists and single reads of ${collection} agree after each change, whoever reads`,
        operation: list.id,
        needs: [
          serves(list, 'GET'),
          serves(read, 'GET'),
          roots.creation(collection),
          checkId('records', collection, 'alone'),
          checkId('states', collection, 'force'),
        ],
        after: [
          checkId('records', collection, 'every-answer', 'same'),
          checkId(list.id, 'status', 'filters'),
          checkId(update.id, 'changes', 'POST'),
          checkId(update.id, 'alone', 'POST'),
          roots.stored(creation, 'status', resource.statuses?.open),
          roots.stored(update.id, 'status', 'POST'),
          names.map((name) => [
            roots.stored(creation, name),
            roots.accepted(creation, name),
            roots.accepted(update.id, name),
          ]),
          [...names, resource.belongsTo ?? '']
            .filter((name) => takes(update, name))
            .map((name) => roots.stored(update.id, name, 'POST')),
          checkId('states', collection, 'trash'),
          hiddenIds(collection, resource),
          hiddenIds(collection, resource, 'unlisted'),
          ['listed', 'found'].map((word) => checkId('states', collection, resource.statuses?.open, word)),
          checkId(list.id, 'page', 'type', 'accepted'),
          [...LOOKED_FOR, ...FOLLOWED].map((name) => [
            checkId(list.id, name, 'filters'),
            checkId(list.id, name, 'filters', 'beside'),
            checkId(list.id, `${name}_exclude`, 'filters'),
          ]),
          checkId(list.id, 'orderby', 'filters', BY_SLUGS),
          [list, read].map(({ id }) => checkId(id, 'contexts', 'title.rendered')),
          update.parameters.map(({ schema }) => roots.named(schema)),
        ],
        async run(own) {
          const found = await followChanges(own, about, list, () => []);
          if (found?.kind !== 'failure') return found;
          const passingCaches = (change: string): Pair[] => [['_', change.replaceAll(' ', '-')]];
          const past = await followChanges(own, about, list, passingCaches);
          return past ?? inconclusive(`what keeps answers by their address hides changes: ${found.message}`);
        },
      }),
    ];
  });
}

/**
 * Fields with values that every site accepts, and the round of values with which each write of the record has them. The
 * values of two rounds share no term, by which a stale index would find a record.
 */
const WRITES: readonly {
  readonly names: readonly string[];
  readonly created: number;
  readonly updated: number;
  readonly restored?: number;
}[] = [
  { names: ['categories', 'format', 'comment_status', 'author'], created: 4, updated: 11, restored: 4 },
  { names: ['tags', 'menu_order', 'parent', 'date'], created: 4, updated: 11 },
  // What some of them are by default, which the update sets, would hide that the trash resets them.
  { names: ['ping_status', 'featured_media', 'template', 'meta/footnotes'], created: 11, updated: 0 },
];
const FOLLOWED = WRITES.flatMap(({ names }) => names);
/** Fields that may change through the trash: which changes of status are accepted is silent (§3). */
const FOLLOWING = ['status', 'slug', 'date', 'date_gmt'];

/** Creates a record, changes it in each way, and compares lists and reads after each change. */
async function followChanges(
  own: OwnRecords,
  { collection, resource }: WritableCollection,
  list: Operation,
  beside: Followed['beside'],
): Promise<Finding | undefined> {
  const { open = '', kept = [] } = resource.statuses ?? {};
  const fields = own.fieldsOf(collection);
  const switches = switchNames(fields);
  const written = await valuesOf(own, collection, 'created');
  for (const name of switches) written.set(name, true);
  if (kept.includes(open)) written.set('status', open);
  const record = await newOne(own, collection, { written });
  const { curl } = record.created;
  const expected: View = { as: 'user', where: 'as written', json: undefined, curl };
  const followed: Followed = { own, record, list, beside, expected };
  expectNext(followed, bodyOf(fields, written));
  const ofNew = await disagreement(followed, 'its creation');
  if (ofNew !== undefined) return ofNew;

  const filters = { fields: FOLLOWED, switches, former: followed.expected };
  const changed = await valuesOf(own, collection, 'updated');
  for (const [name, id] of await ownerOf(own, resource)) changed.set(name, id);
  for (const name of switches) changed.set(name, false);
  await updateTitled(followed, bodyOf(fields, changed));
  const hasTrash = resource.trash === true && kept.includes(open);
  return (
    (await disagreement(followed, 'an update')) ??
    (await outdated(followed, filters)) ??
    (await throughHiding(followed, open, kept)) ??
    (hasTrash ? await throughTrash(followed, open) : undefined) ??
    throughDeletion(followed)
  );
}

async function valuesOf(own: OwnRecords, collection: Collection, write: 'created' | 'updated' | 'restored') {
  const values = new Map<string, unknown>();
  for (const { names, [write]: round } of WRITES) {
    if (round === undefined) continue;
    const fields = own.fieldsOf(collection).filter(({ name }) => names.includes(name));
    for (const [name, value] of await combinedValues(own, collection, fields, round)) values.set(name, value);
  }
  return values;
}

/** The fields that are on at first, and off after an update. */
function switchNames(fields: readonly WritableField[]): string[] {
  return switchesIn(fields).map(({ name }) => name);
}

/** A public own record for a file to belong to, which then everybody may see too. */
async function ownerOf(
  own: OwnRecords,
  { kind, belongsTo, operations }: Resource,
): Promise<[string, number][]> {
  const field = operations.update?.parameters.find(({ name }) => name === belongsTo);
  const collection = field?.schema['x-names'];
  if (kind !== 'uploads' || field === undefined || collection === undefined) return [];
  const { contract } = own.session;
  const owner = await orFinding(statusRecord(own, collection, openStatusOf(contract, collection)));
  return 'id' in owner ? [[field.name, owner.id]] : [];
}

/** Updates a record with a new title, and with a slug in foreign letters if the site takes that. */
async function updateTitled(followed: Followed, values: JsonObject): Promise<void> {
  const { own, record } = followed;
  const title = `${record.slug} ${CHANGED_TITLE}`;
  const foreign = { ...values, title: `${title} ${FOREIGN}`, slug: `${record.slug}-${FOREIGN}` };
  if ((await own.update(record, foreign)).answer !== 'accepted')
    must.accept('an update', await own.update(record, { ...values, title }));
  expectNext(followed, values);
}

function expectNext(followed: Followed, values: JsonObject): void {
  const { expected } = followed;
  // Plugins may give a record another place among all.
  const { [RENUMBERED]: _, ...lasting } = { ...asObject(expected.json), ...values };
  followed.expected = { ...expected, json: lasting };
}

/** Statuses that lists do not show by default. */
const HIDDEN = ['draft', 'private'];

/** Withdraws a record from the public for a moment, if the site accepts that (§3). */
async function throughHiding(followed: Followed, open: string, kept: readonly string[]) {
  const { own, record } = followed;
  const status = HIDDEN.find((word) => kept.includes(word));
  const update = status === undefined ? undefined : await own.update(record, { status });
  if (update?.answer !== 'accepted' || member(update.json, 'status') !== status) return undefined;
  const found = await stillListed(followed, `its change to the status ${status}`);
  if (found === undefined) await own.update(record, { status: open });
  return found;
}

/** Moves a record to the trash and restores it with other values and no title, if the site accepts that (§3). */
async function throughTrash(followed: Followed, open: string): Promise<Finding | undefined> {
  const { own, record } = followed;
  if ((await own.remove(record)).answer === 'accepted') {
    const change = 'its move to the trash';
    const found = (await disagreement(followed, change, ['trash'])) ?? (await stillListed(followed, change));
    if (found !== undefined) return found;
  }
  const { collection } = record;
  const values = bodyOf(own.fieldsOf(collection), await valuesOf(own, collection, 'restored'));
  // Lists show a record without a title, too.
  const isWhole = (await own.update(record, { ...values, title: '', status: open })).answer === 'accepted';
  if (!isWhole && (await own.update(record, { status: open })).answer !== 'accepted') return undefined;
  if (isWhole) expectNext(followed, values);
  return disagreement(followed, 'its restoration');
}

/** Deletes the record with force. Whether 1 stands for true is silent; where it is accepted, it does. */
async function throughDeletion(followed: Followed): Promise<Finding | undefined> {
  const { own, record } = followed;
  if ((await own.remove(record, 1)).answer !== 'accepted')
    must.accept('a deletion with force', await own.remove(record, true));
  return (await stillListed(followed, 'its deletion')) ?? stillRead(followed);
}

function readNow({ own, record, beside }: Followed, change: string, as: Caller): Promise<Observation> {
  return own.get(own.routeOf(record), as, [['context', 'view'], ...beside(change)]);
}

/**
 * How all callers see a record alone and in the list, or the finding if a list lacks it; none if no read shows it.
 * @param statuses those in the requests of lists; default: no filter
 */
async function viewsAfter(
  change: string,
  followed: Followed,
  statuses?: readonly string[],
): Promise<View[] | Finding> {
  const { own, record } = followed;
  const { collection, id } = record;
  const views: View[] = [];
  for (const as of CALLERS) {
    const alone = await readNow(followed, change, as);
    // Who may read which status is silent (§5.4).
    if (as === 'anonymous' && (statuses !== undefined || alone.answer !== 'accepted')) continue;
    // Only its filter may show what is in the trash.
    if (statuses !== undefined && alone.answer === 'refused') return [];
    must.accept(`reading it after ${change}`, alone);
    views.push({ as, where: `alone (${as})`, json: alone.json, curl: alone.curl });
    const options = { ...(statuses && { statuses }), beside: followed.beside(change) };
    const { observation, items, ids } = await listOwn(own.session, collection, as, [id], options);
    if (ids === undefined) continue;
    const listed = items.find((item) => member(item, 'id') === id);
    if (listed === undefined) {
      const message = `after ${change} a record is read alone, but the list does not show it (${as})`;
      return contradicts(message, `the id ${id} in it`, 'a list without it', alone, observation);
    }
    views.push({ as, where: `in the list (${as})`, json: listed, curl: observation.curl });
  }
  return views;
}

/** The finding if views disagree: the list and the read of one caller, or the user and anonymous callers. */
async function disagreement(
  followed: Followed,
  change: string,
  statuses?: readonly string[],
): Promise<Finding | undefined> {
  const views = await viewsAfter(change, followed, statuses);
  if (isFinding(views)) return views;
  const [first] = views;
  if (first === undefined) return undefined;
  const { expected, own, record } = followed;
  const { contract } = own.session;
  const contradicting = ({ json }: View, other: View): string[] =>
    contradictions(contract, record.collection, json, other.json);
  const unexpected = [
    ...contradicting(expected, first).filter((name) => !FOLLOWING.includes(name)),
    ...retyped(contract, record.collection, expected.json, first.json),
  ];
  const changed = contradiction(change, [expected, first], unexpected, 'than was written');
  if (changed !== undefined) return changed;
  followed.expected = first;
  const differences = (one: View, other: View): string[] => {
    const names = contradicting(one, other);
    return titleOf(one.json) === titleOf(other.json) ? names : [...names, 'title'];
  };
  const anonymous = views.find(({ as }) => as === 'anonymous');
  followed.differing ??= new Set(anonymous && differences(first, anonymous));
  for (const view of views) {
    const alone = views.find(({ as }) => as === view.as) ?? first;
    const fromFirst = differences(first, view).filter(
      (name) => view.as === first.as || followed.differing?.has(name) !== true,
    );
    const found =
      contradiction(change, [alone, view], differences(alone, view)) ??
      contradiction(change, [first, view], fromFirst);
    if (found !== undefined) return found;
  }
  return undefined;
}

function contradiction(
  change: string,
  [one, other]: readonly [View, View],
  names: readonly string[],
  than = `${other.where} than ${one.where}`,
): Finding | undefined {
  const [name] = names;
  if (name === undefined) return undefined;
  const message = `after ${change} a record has another ${names.join(', ')} ${than}`;
  return differs(message, member(one.json, name), member(other.json, name), one, other);
}

/** The fields of a single type whose value has another type than before; the id of nothing may be null. */
function retyped(contract: Contract, collection: Collection, one: unknown, other: unknown): string[] {
  const fields = operationFor(contract, collection, 'create')?.parameters ?? [];
  return fields.flatMap(({ wire, schema }) => {
    const [before, now] = [member(one, wire), member(other, wire)];
    const mayBeNull =
      typesOf(schema).length > 1 || (typeof before === 'number' && schema['x-names'] !== undefined);
    const isPlain = ['string', 'number', 'boolean'].includes(typeof before) && !mayBeNull;
    return isPlain && now !== undefined && typeof now !== typeof before ? [wire] : [];
  });
}

/** The finding if a list without a status still shows a record, to the user or to anonymous callers. */
async function stillListed(followed: Followed, change: string): Promise<Finding | undefined> {
  const { own, record } = followed;
  const options = { beside: followed.beside(change) };
  for (const as of CALLERS) {
    const list = await listOwn(own.session, record.collection, as, [record.id], options);
    const found = stillShown(`after ${change} a list still shows a record (${as})`, list, record);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function stillRead(followed: Followed): Promise<Finding | undefined> {
  for (const as of CALLERS) {
    const read = await readNow(followed, 'its deletion', as);
    if (read.answer !== 'accepted' || member(read.json, 'id') !== followed.record.id) continue;
    const who = as === 'user' ? 'the user' : 'anonymous callers';
    return failureBy(`a record that was deleted with force=1 is still shown to ${who}`, 'no record', read);
  }
  return undefined;
}
