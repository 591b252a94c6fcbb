import { setTimeout } from 'node:timers/promises';
import { member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import type { Finding } from '../../../engine/check.ts';
import type { Caller } from '../../../engine/session.ts';
import { type Args, encodeArgs, type Pair } from '../../../generators/wire-forms.ts';
import { contradicts, differs, must, type OwnRecord } from '../../../probing/records/own/outcome.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import {
  idsIn,
  itemsOf,
  momentOf,
  namesOffset,
  parentOf,
  type SiteRecord,
  toRecords,
} from '../../../probing/records/reading/record.ts';
import { countOf } from '../../../probing/records/reading/trials.ts';
import { parameterNamed, takes } from '../../../specs/find-resource.ts';
import type { Operation } from '../../../specs/model.ts';
import { typesOf } from '../../../specs/schema.ts';
import { visibleRecords } from '../fields/other-values.ts';

/** A record as an answer shows it. */
export interface View {
  readonly as: Caller;
  readonly where: string;
  readonly json: unknown;
  readonly curl: string;
}

/** A record whose views are compared after each change. */
export interface Followed {
  readonly own: OwnRecords;
  readonly record: OwnRecord;
  readonly list: Operation;
  /** Arguments of requests after a change, which pass caches if they make the address new. */
  readonly beside: (change: string) => readonly Pair[];
  /** How the user saw the record alone last, or must see it next. */
  expected: View;
  /** Fields that anonymous callers see differently from the start, for instance if a plugin hides authors (§5.4). */
  differing?: ReadonlySet<string>;
}

/** A word of each changed title, and one whose letters addresses encode. */
export const CHANGED_TITLE = 'marigold';
export const FOREIGN = 'λεξη';

/** The change after which these lists are asked for. */
const UPDATE = 'an update';

/** Filters of the date, with seconds from it. */
const AROUND: Readonly<Record<string, number>> = { after: -1, before: 1 };
/** What puts a record on the second page, behind others. */
const PAGED = ['page', 'per_page', 'orderby', 'order'];
/** The value of `orderby` for the order of the slugs that are asked for. */
export const BY_SLUGS = 'include_slugs';
/** A slug that every software writes alike. */
const PLAIN_SLUG = /^[a-z][a-z0-9-]*$/;

/** The filters and arguments of a list by which a record is looked for, beside those of its fields. */
export const LOOKED_FOR: readonly string[] = ['slug', ...Object.keys(AROUND), ...PAGED];

/** The rendered title of a record. */
export const titleOf = (json: unknown): string => String(member(member(json, 'title'), 'rendered'));

/** Milliseconds before each look, because an index of searches may follow changes with a delay. */
const DELAYS = [0, 500, 2000];

interface Filters {
  /** Fields, which records show by the same names. */
  readonly fields: readonly string[];
  /** Fields that are off now, and were on. */
  readonly switches: readonly string[];
  /** How the record was shown before the change. */
  readonly former: View;
}

/**
 * The finding if a filter or search by what a record is now does not find it, one by what it was still does, or a list in
 * embed shows it as before.
 */
export async function outdated(
  followed: Followed,
  { fields, switches, former }: Filters,
): Promise<Finding | undefined> {
  const bySlug = argsOf(followed, ['slug']);
  // Without its slug, a list by what is off shows many records.
  const isNamed = Object.keys(bySlug).length > 0;
  const embedded = isNamed ? { ...bySlug, ...argsOf(followed, switches), context: 'embed' } : {};
  const others = {
    ...argsOf(followed, ['search', ...Object.keys(AROUND), ...fields]),
    ...withoutFormer(followed, fields, former),
  };
  const behind = await behindOthers(followed, embedded);
  // One request shows that its slug finds it, and on the second page.
  const isBehind = behind !== undefined && (await isShownAlone(followed, behind.args));
  const lists = [...(isBehind ? [] : [embedded]), { ...others, include: [followed.record.id] }];
  for (const args of lists.filter((one) => Object.keys(one).length > 1)) {
    const found = await lastOf(() => misshown(followed, args));
    if (found !== undefined) return found;
  }
  const were = isNamed ? switchedOn(followed, switches) : {};
  const kept =
    Object.keys(were).length > 0 && (await lastOf(() => stillFound(followed, { ...bySlug, ...were })));
  if (kept) return kept;
  return behind === undefined || isBehind ? undefined : lastOf(() => notBehind(followed, behind));
}

/** The switches of a list, on. */
function switchedOn({ list }: Followed, switches: readonly string[]): Args {
  const filters = switches.flatMap((name) => parameterNamed(list, name) ?? []);
  return Object.fromEntries(filters.map(({ wire }) => [wire, true]));
}

/** The finding if a list by what a record was shows it. */
async function stillFound(followed: Followed, args: Args): Promise<Finding | undefined> {
  const { record, expected } = followed;
  const answer = await listed(followed, args);
  if (answer.answer !== 'accepted' || !idsIn(answer).includes(record.id)) return undefined;
  const message = 'after an update a list by what a record was still shows it';
  return contradicts(message, `a list without the id ${record.id}`, 'the id in it', expected, answer);
}

/** What a look finds after the last delay, if every look finds something. */
async function lastOf(look: () => Promise<Finding | undefined>): Promise<Finding | undefined> {
  let found: Finding | undefined;
  for (const delay of DELAYS) {
    await setTimeout(delay);
    found = await look();
    if (found === undefined) return undefined;
  }
  return found;
}

/** Filters that show a record by what it is, as far as a list has them. */
function argsOf({ list: { parameters }, expected: { json } }: Followed, names: readonly string[]): Args {
  const [shown] = toRecords([json]);
  const valuesFor = (name: string, wire: string): readonly unknown[] => {
    if (name === 'search') return titleOf(json).includes(FOREIGN) ? [FOREIGN] : [];
    if (name === 'parent') return ((shown && parentOf(shown)) ?? []).filter((id) => id > 0);
    const moment = shown && AROUND[name] && momentBeside(shown, AROUND[name]);
    return [moment ?? member(json, wire) ?? []].flat();
  };
  return Object.fromEntries(
    parameters.flatMap(({ name, wire, schema }) => {
      const values = names.includes(name) ? valuesFor(name, wire) : [];
      if (values.length === 0) return [];
      return [[wire, typesOf(schema).includes('array') ? values : values[0]]];
    }),
  );
}

/** Filters that leave out the terms which a record no longer has; in an index it may have both (R50). */
function withoutFormer({ list, expected }: Followed, fields: readonly string[], former: View): Args {
  return Object.fromEntries(
    fields.flatMap((name) => {
      const excluding = parameterNamed(list, `${name}_exclude`);
      const field = parameterNamed(list, name)?.wire ?? '';
      const [before, now] = [former.json, expected.json].map((json) => member(json, field));
      if (excluding === undefined || !Array.isArray(before) || !Array.isArray(now)) return [];
      const terms = before.filter((term) => !now.includes(term));
      // The new terms may be children of the old ones.
      const hasChildren = excluding.schema.properties?.include_children !== undefined;
      return terms.length === 0
        ? []
        : [[excluding.wire, hasChildren ? { terms, include_children: false } : terms]];
    }),
  );
}

/** A list by slugs that has the followed record alone on its second page. */
interface Behind {
  readonly args: Args;
  /** The same list on one page, and the ids that it shows then. */
  readonly whole: Args;
  readonly ids: readonly number[];
}

/** How many records fill the first page: more than one, because a list that ignores slugs then fills the second too. */
const BEFORE = 3;

/** Puts a record behind some that the site shows; undefined if there are too few, or the list has no such order. */
async function behindOthers(
  { own, record, list, expected }: Followed,
  embedded: Args,
): Promise<Behind | undefined> {
  const slug = parameterNamed(list, 'slug');
  const orders = parameterNamed(list, 'orderby')?.schema.enum ?? [];
  if (
    slug === undefined ||
    !Object.hasOwn(embedded, slug.wire) ||
    !takes(list, ...PAGED) ||
    !orders.includes(BY_SLUGS)
  )
    return undefined;
  const shown = await visibleRecords(own.session, record.collection);
  const slugOf = (json: unknown): string => String(member(json, slug.wire) ?? '');
  const isMeant = ({ json }: SiteRecord): boolean =>
    PLAIN_SLUG.test(slugOf(json)) &&
    Object.entries(embedded).every(([name, value]) => value !== false || member(json, name) === false);
  // Records of different parents may share a slug.
  const alone = [...Map.groupBy(shown, ({ json }) => slugOf(json)).values()].filter(
    ({ length }) => length === 1,
  );
  // The oldest ones are the least likely to go.
  const others = alone.flat().filter(isMeant).slice(-BEFORE);
  if (others.length < BEFORE) return undefined;
  const slugs = [...others.map(({ json }) => json), expected.json].map(slugOf);
  const whole = { ...embedded, [slug.wire]: slugs, orderby: BY_SLUGS, order: 'asc' };
  const ids = [...others.map(({ id }) => id), record.id];
  return { args: { ...whole, per_page: BEFORE, page: 2 }, whole, ids };
}

/** The finding if a record is not alone on the second page of a list that shows it last. */
async function notBehind(followed: Followed, { args, whole, ids }: Behind): Promise<Finding | undefined> {
  const page = await listed(followed, args);
  if (page.answer !== 'accepted' && page.answer !== 'refused') return undefined;
  if (await isShownAlone(followed, args)) return undefined;
  const all = toRecords(itemsOf(await listed(followed, whole)));
  if (all.map(({ id }) => id).join() !== ids.join()) return undefined;
  const message = 'after an update a record is not alone on the second page of a list that shows it last';
  const observed = page.answer === 'refused' ? 'a refusal' : countOf(toRecords(itemsOf(page)));
  return contradicts(message, `the id ${followed.record.id}`, observed, followed.expected, page);
}

function listed({ own, list, beside }: Followed, args: Args): Promise<Observation> {
  return own.get(list.route.wire, 'user', [...encodeArgs(args), ...beside(UPDATE)]);
}

async function isShownAlone(followed: Followed, args: Args): Promise<boolean> {
  const answer = await listed(followed, args);
  if (answer.answer !== 'accepted') return false;
  const [found, ...more] = toRecords(itemsOf(answer));
  return found?.id === followed.record.id && more.length === 0 && !isFormer(followed, found);
}

/** Whether a record has another title than a changed one. */
function isFormer({ expected }: Followed, { json }: SiteRecord): boolean {
  return titleOf(expected.json).includes(CHANGED_TITLE) && !titleOf(json).includes(CHANGED_TITLE);
}

async function misshown(followed: Followed, args: Args): Promise<Finding | undefined> {
  const { record, expected } = followed;
  const answer = await listed(followed, args);
  must.conclude('a list by new values', answer, 'denied');
  if (answer.answer !== 'accepted' || !Array.isArray(answer.json)) return undefined;
  const records = toRecords(itemsOf(answer));
  const found = records.find(({ id }) => id === record.id);
  // No other record has its slug. A search may find more than it is asked for.
  if (found === undefined || (records.length > 1 && !('include' in args))) {
    const message = 'after an update a list by what a record is now does not show it alone';
    return contradicts(message, `the id ${record.id}`, countOf(records), expected, answer);
  }
  if (!isFormer(followed, found)) return undefined;
  const message = 'after an update a list by what a record is now shows it as it was';
  return differs(message, titleOf(expected.json), titleOf(found.json), expected, answer);
}

/** A moment some seconds from the date of a record, in the time in which the record shows it. */
function momentBeside(record: SiteRecord, seconds: number): string | undefined {
  const moment = momentOf(record, 'date');
  if (moment === undefined) return undefined;
  const text = new Date(moment + seconds * 1000).toISOString().slice(0, 19);
  return namesOffset(record, 'date') === true ? `${text}Z` : text;
}
