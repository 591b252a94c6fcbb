import { type JsonObject, member } from '../../../client/json.ts';
import type { Collection } from '../../../client/ownership.ts';
import { isFinding } from '../../../engine/aborted.ts';
import type { Session } from '../../../engine/session.ts';
import { readDescriptor } from '../../../probing/declarations/descriptor.ts';
import { declarationIn, servedMethods } from '../../../probing/declarations/find-route.ts';
import { idsBeside } from '../../../probing/records/fixtures/site-content.ts';
import { createWith } from '../../../probing/records/own/make-record.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { openList } from '../../../probing/records/reading/open-list.ts';
import { numbersIn, type SiteRecord, valuesOf } from '../../../probing/records/reading/record.ts';
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

/** Ids of terms by field: those of visible records, or else those that the site lists, because ids of nothing are silent (R35). */
export async function knownTerms(
  own: OwnRecords,
  collection: Collection,
): Promise<Readonly<Record<string, readonly number[]>>> {
  const records = await visibleRecords(own.session, collection);
  const list = operationFor(own.contract, collection, 'list')?.route.wire;
  const known: Record<string, readonly number[]> = {};
  for (const { wire, schema } of own.fieldsOf(collection)) {
    if (schema['x-names'] !== 'terms') continue;
    const inUse = numbersIn(records, wire);
    known[wire] = inUse.length > 0 || list === undefined ? inUse : await idsBeside(own.session, list, wire);
  }
  return known;
}

/** Fields with a default that name something of the site, which may have no other. */
const NAMING = ['author', 'template'] as const;

type Naming = (typeof NAMING)[number];

/** A value for each of the fields that has one, or `NONE`. */
export type OtherValues = Readonly<Partial<Record<Naming, unknown>>>;

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
  if (plain?.template === undefined || shown.has('template')) return taken;
  return { ...taken, ...(await templateOfSite(own, collection, plain.template)) };
}

/** The site itself states that it has no value of a field. */
export const NONE: unique symbol = Symbol('none');

/** The values that software lists at the end of a refusal, in any language: `… is not one of , wide, narrow.` */
function listedIn(words: string): string[] {
  const all = words.replace(/\.$/, '').split(' ');
  const before = all.slice(0, -1).findLastIndex((word) => !word.endsWith(','));
  const names = all.slice(before + 1).map((word) => word.replace(/,$/, ''));
  return names.filter((name) => name !== '');
}

/** The template, or its absence, that a site declares or names when it refuses another: a value to try, never asserted. */
async function templateOfSite(
  own: OwnRecords,
  collection: Collection,
  byItself: unknown,
): Promise<OtherValues> {
  const named = declaredTemplates(own, collection) ?? (await templatesByRefusal(own, collection));
  if (named === undefined) return {};
  const [first] = named.filter((name) => name !== byItself && name !== '');
  if (first === undefined) return { template: NONE };
  return (await tryValues(own, collection, { template: first })) === 'refused' ? {} : { template: first };
}

/** The members of the enum that a site declares, where the contract states none. */
function declaredTemplates(
  { session, contract }: OwnRecords,
  collection: Collection,
): readonly unknown[] | undefined {
  const create = operationFor(contract, collection, 'create');
  const [served] = create === undefined ? [] : servedMethods(session.index, create);
  return readDescriptor(declarationIn(served?.endpoints ?? [], 'template'))?.listed('enum');
}

/** The templates that a refusal lists, or the one that the site keeps though it cannot know it. */
async function templatesByRefusal(
  own: OwnRecords,
  collection: Collection,
): Promise<readonly unknown[] | undefined> {
  const template = `${own.tag}-none`;
  const refusal = await createWith(own, collection, { template });
  if ('id' in refusal) return refusal.shown.template === template ? [template] : undefined;
  const words = member(member(member(refusal.created.json, 'data'), 'params'), 'template');
  return typeof words === 'string' ? listedIn(words) : undefined;
}

/** How many values of a field are tried: the authors of old records may be gone. */
const MOST_TRIED = 3;

async function takenOf(
  own: OwnRecords,
  collection: Collection,
  plain: JsonObject | undefined,
  shown: ShownValues,
): Promise<OtherValues> {
  const first = Object.fromEntries([...shown].map(([name, [value]]) => [name, value]));
  if (shown.size === 0 || (await tryValues(own, collection, first)) === 'kept') return first;
  const taken: Partial<Record<Naming, unknown>> = {};
  for (const [name, values] of shown) {
    const tried = new Map<unknown, Tried>();
    for (const value of values.slice(0, MOST_TRIED)) {
      tried.set(value, await tryValues(own, collection, { [name]: value }));
      if (tried.get(value) === 'kept') break;
    }
    const [best] = (['kept', 'dropped'] as const).flatMap((end) =>
      [...tried].flatMap(([value, one]) => (one === end ? [value] : [])),
    );
    if (best !== undefined) taken[name] = best;
    // A field that is refused with any value is refused for another reason, which its checks report.
    else if ((await tryValues(own, collection, { [name]: plain?.[name] })) === 'refused')
      taken[name] = values[0];
  }
  return taken;
}

/** What a site does with a value: it may drop one that names nothing, instead of refusing it (R35). */
type Tried = 'kept' | 'dropped' | 'refused';

/**
 * Creates a record with some values. If it drops them, an update tells whether the site knows them: software may make
 * a record of an upload that it refused for its author, without any of its fields (R35).
 */
async function tryValues(own: OwnRecords, collection: Collection, values: OtherValues): Promise<Tried> {
  const made = await createWith(own, collection, values);
  if (!('id' in made)) return 'refused';
  if (NAMING.every((name) => !(name in values) || made.shown[name] === values[name])) return 'kept';
  return (await own.update(made, values)).answer === 'refused' ? 'refused' : 'dropped';
}

type ShownValues = ReadonlyMap<Naming, readonly unknown[]>;

async function shownValues(
  session: Session,
  collection: Collection,
  plain: JsonObject | undefined,
): Promise<ShownValues> {
  const records = plain === undefined ? [] : await visibleRecords(session, collection);
  const others = NAMING.map((name) => {
    const values = new Set(records.flatMap((record) => valuesOf(record, name) ?? []));
    return [name, [...values].filter((value) => ![plain?.[name], '', 0].includes(value))] as const;
  });
  return new Map(others.filter(([, values]) => values.length > 0));
}
