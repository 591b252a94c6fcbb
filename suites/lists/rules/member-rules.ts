import { isFinding } from '../../../engine/aborted.ts';
import type { Finding } from '../../../engine/check.ts';
import { inconclusive } from '../../../engine/findings.ts';
import type { Args } from '../../../generators/wire-forms.ts';
import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import { isValue, type SiteRecord, type Value, valuesOf } from '../../../probing/records/reading/record.ts';
import type { Keeps, Records, Rule, RuleSite, Trial } from '../../../probing/records/reading/trials.ts';
import { countOf, jointly, subsetTrial, without } from '../../../probing/records/reading/trials.ts';
import { parameterNamed } from '../../../specs/find-resource.ts';

/** A filter with a predictable effect for any value. */
export interface Filter {
  readonly rule: Rule;
  readonly predicted: Predicted;
}

/** What a filter keeps, for sets of several arguments. */
export interface Predicted {
  values(records: Records): readonly unknown[];
  /** Which records it keeps with a value; undefined if unknown. */
  keeps(value: unknown): Keeps | undefined;
}

/** The most values of a list; more prove no more. */
export const MOST_VALUES = 12;

/** What a filter of a member filters by, and what is special about it. */
export interface MemberFilter {
  readonly values: ValuesOf;
  /** Whether it excludes the records with one of the values. */
  readonly excludes?: boolean;
  readonly fits?: (value: unknown) => boolean;
  /** Whether it takes one value instead of a list. */
  readonly single?: boolean;
  /** What the member is in words, such as `the author`. */
  readonly what: string;
  /** The value that means none and is seldom stored; tested alone if some records have it. */
  readonly usual?: Value;
  /** A value that no record has; default: a member of the enum that none shows. */
  readonly beyond?: Value;
  /** Whether a part of a value matches nothing, as a part of a slug does. */
  readonly whole?: boolean;
  /** Whether to test a list of many values too, which shows if only the first ones are read. */
  readonly many?: boolean;
}

/** More values than short limits of lists allow. */
const MANY = 40;

/** Reads a member by its own name. */
export const shows =
  (name: string): ValuesOf =>
  (record) =>
    valuesOf(record, name);

/** A filter that keeps the records with one of the values, or those with none of them. */
export function byMember(parameter: string, about: MemberFilter): Filter {
  return { rule: memberRule(parameter, about), predicted: predictedBy(about) };
}

/** What such a filter keeps with any of the values that fit. */
export function predictedBy({
  values,
  excludes = false,
  fits = () => true,
  single = false,
}: Omit<MemberFilter, 'what'>): Predicted {
  return {
    values(records) {
      const shown = records.flatMap((record) => values(record) ?? []);
      const all = [...new Set(shown)].filter((one) => typeof one === typeof shown[0] && fits(one));
      return single ? all : [...listsOfFew(all), ...allButOne(all)];
    },
    keeps(value) {
      const wanted = single ? [value] : isList(value) ? value : [];
      return wanted.length > 0 && wanted.every(fits) ? keepsMembers(values, wanted, excludes) : undefined;
    },
  };
}

function listsOfFew(values: readonly Value[]): Value[][] {
  const some = values.slice(0, MOST_VALUES);
  return [...some.map((value) => [value]), ...some.slice(1).map((value, at) => [value, some[at] ?? value])];
}

/** Lists of all values but one: excluding many shows sooner. */
function allButOne(values: readonly Value[]): Value[][] {
  const some = values.slice(0, MOST_VALUES);
  return some.length < 4 ? [] : some.map((one) => some.filter((other) => other !== one));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function memberRule(parameter: string, filter: MemberFilter): Rule {
  const { what, values, excludes = false, fits, single } = filter;
  return (snapshot, site) => {
    const name = site.wire(parameter);
    const taken = parameterNamed(site.operation, parameter)?.schema.items?.enum;
    // Records may show values that the list does not accept, such as a format of a removed theme.
    const isTaken = taken === undefined ? fits : (value: Value): boolean => taken.includes(value);
    const picked = pickValues(snapshot, values, what, isTaken);
    if (isFinding(picked)) {
      const pair = sharedAndOther(filter, snapshot, taken);
      if (pair === undefined) return picked;
      return alikeTrials(name, values, pair, excludes);
    }
    return single === true
      ? singleTrials(filter, name, picked, snapshot)
      : listTrials(filter, name, picked, snapshot, site);
  };
}

/** Whether records on the page have the value that means none. */
function isUsualShown({ values, usual }: MemberFilter, { page }: Snapshot): boolean {
  return usual !== undefined && page.some((record) => values(record)?.includes(usual));
}

function singleTrials(filter: MemberFilter, name: string, picked: Picked, snapshot: Snapshot): Trial[] {
  const { values, usual, excludes } = filter;
  const few = new Set([picked.values[0], ...(isUsualShown(filter, snapshot) ? [usual] : [])]);
  return [...few]
    .filter((one) => one !== undefined)
    .map((one) => subsetTrial({ [name]: one }, keepsMembers(values, [one], excludes)));
}

function listTrials(
  filter: MemberFilter,
  name: string,
  picked: Picked,
  snapshot: Snapshot,
  site: RuleSite,
): Trial[] {
  const { values, excludes, usual, whole, many } = filter;
  const keeping = (wanted: readonly Value[]): Keeps => keepsMembers(values, wanted, excludes);
  const part = whole === true ? partOfAnother(snapshot, values, picked.values) : undefined;
  const wanted = part === undefined ? picked.values : [...picked.values, part];
  const trials = [subsetTrial({ [name]: wanted, ...inUsualOrder(snapshot, site) }, keeping(wanted))];
  if (picked.further !== undefined) {
    // These values keep every record, so that reading only one of them shows.
    const both = [...picked.values, picked.further];
    trials.push(unpaired(subsetTrial({ [name]: both }, keeping(both))));
  }
  if (usual !== undefined && isUsualShown(filter, snapshot))
    trials.push(jointly(subsetTrial({ [name]: [usual] }, keeping([usual]))));
  const isOfParent = site.operation.resource?.parent !== undefined;
  if (many === true && excludes !== true && isOfParent && snapshot.complete)
    trials.push(holdsNoOthers(name, snapshot));
  const several = many === true ? manyOf(snapshot, values) : [];
  if (several.length <= picked.values.length) return trials;
  return [...trials, unpaired(subsetTrial({ [name]: atLeast(MANY, several) }, keeping(several)))];
}

/** Pairs with another filter use fewer values, which show more. */
function unpaired({ keeps: _, ...trial }: Trial): Trial {
  return jointly(trial);
}

/**
 * Leaves out what a list is sorted by, so that the check of every answer evaluates the default beside a filter; only if
 * all records are on one page, because of a page that is cut ids show what it must hold.
 */
export function inUsualOrder(snapshot: Snapshot, { wire }: RuleSite): Args {
  return fitsOnPage(snapshot) ? { [wire('orderby')]: undefined } : {};
}

/** Whether the whole list fits on one page, so that a complete answer holds all records. */
export function fitsOnPage({ complete, total, size }: Snapshot): boolean {
  return complete && total <= size;
}

/** A part of the value of a record that has none of the others: it only lets that record through if parts match. */
function partOfAnother({ page }: Snapshot, valuesOf: ValuesOf, others: readonly Value[]): Value | undefined {
  const rest = page.filter((record) => valuesOf(record)?.some((value) => others.includes(value)) === false);
  const text = rest.flatMap((record) => valuesOf(record) ?? []).find((value) => PLAIN.test(String(value)));
  return text === undefined ? undefined : String(text).slice(0, -1);
}

/** A text that stays one of its kind without its last letter. */
const PLAIN = /^[a-z0-9-]+[a-z0-9]{2}$/;

/** Ids next to those of the children of a record, which may be those of the children of others: none is shown. */
function holdsNoOthers(name: string, { records }: Snapshot): Trial {
  const own = new Set(records.map(({ id }) => id));
  const near = Array.from({ length: MANY }, (_, at) => [...own].flatMap((id) => [id - at - 1, id + at + 1]));
  const others = new Set(near.flat().filter((id) => id > 0 && !own.has(id)));
  // With one of the list, whose answer is not empty.
  const args = { [name]: [...[...own].slice(0, 1), ...others].slice(0, MANY) };
  return {
    requests: [args],
    // A site may refuse ids of nothing.
    skipsRefused: true,
    evaluate([answer = []], now) {
      const extra = without(answer, now.records);
      if (extra.length === 0) return undefined;
      const message = `${name} with ids that the list does not hold finds records`;
      return { message, expected: 'no records but those of the list', observed: countOf(extra) };
    },
  };
}

/**
 * Repeats the first of the values up to a number, which does not change their meaning: the others come last, and are lost
 * where only the first ones of a list are read.
 */
function atLeast(count: number, values: readonly Value[]): Value[] {
  const first = values.slice(0, 1);
  return [...Array.from({ length: count - values.length }, () => first).flat(), ...values];
}

/** The values of the last visible records, half of them, at most `MANY`. */
function manyOf({ page }: Snapshot, valuesOf: ValuesOf): Value[] {
  const shown = page
    .slice(-Math.min(MANY, Math.floor(page.length / 2)))
    .flatMap((record) => valuesOf(record) ?? []);
  return [...new Set(shown)];
}

/**
 * A value that all records have, and another one that none has.
 * @param taken the values that the list takes; undefined if it takes any
 */
function sharedAndOther(
  { values, single, beyond }: MemberFilter,
  { records }: Snapshot,
  taken: readonly unknown[] | undefined,
): readonly [Value, Value] | undefined {
  const [first, ...others] = records.map((record) => values(record) ?? []);
  if (first === undefined || single === true) return undefined;
  const shared = first.find((value) => others.every((own) => own.includes(value)));
  const isTaken = shared !== undefined && taken?.includes(shared) !== false;
  const shown = new Set(records.flatMap((record) => values(record) ?? []));
  const other = beyond ?? taken?.filter(isValue).find((value) => !shown.has(value));
  return isTaken && other !== undefined ? [shared, other] : undefined;
}

/**
 * Trials for records with equal values: the common value keeps all of them and another value none, or the reverse. Both
 * together show whether the filter applies. A site may refuse a value that names nothing.
 */
function alikeTrials(
  name: string,
  values: ValuesOf,
  [shared, beyond]: readonly [Value, Value],
  excludes: boolean,
): Trial[] {
  const ofNone = subsetTrial({ [name]: [beyond] }, keepsMembers(values, [beyond], excludes));
  return [
    jointly(subsetTrial({ [name]: [shared] }, keepsMembers(values, [shared], excludes))),
    {
      requests: ofNone.requests,
      skipsRefused: true,
      evaluate: (answers, snapshot) =>
        answers.length === 0 ? undefined : ofNone.evaluate(answers, snapshot),
      whyUnproven: (answers) =>
        answers.length > 0 || excludes
          ? undefined
          : inconclusive(`all visible records have the same ${name}, and another one is refused`),
    },
  ];
}

/** Keeps the records with one of the wanted values, or those with none. */
export function keepsMembers(values: ValuesOf, wanted: readonly unknown[], excludes: boolean = false): Keeps {
  return (record) => {
    const own = values(record);
    // A value of another type, such as an id as text, is reported as such, and may stand for any.
    const isOpen = own?.every((value) => wanted.some((one) => typeof one === typeof value)) !== true;
    return isOpen ? undefined : own?.some((value) => wanted.includes(value)) !== excludes;
  };
}

/** A boolean filter keeps the records with the same value. */
export function byFlag(parameter: string): Filter {
  const isFlag = (value: unknown): boolean => typeof value === 'boolean';
  const predicted = predictedBy({ values: shows(parameter), fits: isFlag, single: true });
  const rule: Rule = ({ records }, site) => {
    const says = (record: SiteRecord): Value | undefined => valuesOf(record, parameter)?.[0];
    const answers = new Set(records.map(says));
    if (answers.size === 1 && answers.has(undefined))
      return inconclusive(`the records do not show ${parameter}`);
    if (!answers.has(true) || !answers.has(false))
      return inconclusive(`all visible records say the same for ${parameter}`);
    const trial = (wanted: boolean): Trial =>
      subsetTrial({ [site.wire(parameter)]: wanted }, keepsMembers(shows(parameter), [wanted]));
    return [trial(true), jointly(trial(false))];
  };
  return { rule, predicted };
}

/** The values of a record for a filter; undefined if the record does not show them. */
type ValuesOf = (record: SiteRecord) => readonly Value[] | undefined;

interface Picked {
  readonly values: readonly Value[];
  /** One more value, which together with the others would keep every record. */
  readonly further?: Value;
}

/**
 * Values that split the records: some records have one of them, some have none. Two values if that leaves a third, so
 * that a filter that only reads one of a list shows; the rarest, so that the answer is short. If two values describe
 * every record, the second is returned as `further`.
 * @returns the reason if no values split the records
 */
export function pickValues(
  { records, page, size }: Snapshot,
  valuesOf: ValuesOf,
  what: string,
  fits: (value: Value) => boolean = () => true,
): Picked | Finding {
  if (records.every((record) => valuesOf(record) === undefined))
    return inconclusive(`the records do not show ${what}`);
  // Once for each record: some sites have thousands of values.
  const [all = [], ofPage = []] = [records, page].map((some) => some.map((one) => new Set(valuesOf(one))));
  const [inAll, inPage] = [counted(all), counted(ofPage)];
  const distinct = [...inPage.keys()];
  const kinds = counted(distinct.map((value) => [kindOf(value)]));
  const single = distinct
    .filter((value) => fits(value) && countIn(inPage, value) < page.length)
    .sort((one, other) => countIn(inAll, one) - countIn(inAll, other) || (one < other ? -1 : 1));
  // A file type beside another one of its kind shows whether the whole type is read.
  const first = single.find((value) => countIn(kinds, kindOf(value)) > 1) ?? single[0];
  if (first === undefined) return inconclusive(`no value of ${what} distinguishes the visible records`);
  const others = single.filter((one) => one !== first);
  const second = others.find((one) => kindOf(one) !== kindOf(first)) ?? others[0];
  if (second === undefined) return { values: [first] };
  const holders = (among: readonly ReadonlySet<Value>[]): number =>
    among.filter((own) => own.has(first) || own.has(second)).length;
  const isShort = holders(all) <= size && holders(ofPage) < page.length;
  return isShort ? { values: [first, second] } : { values: [first], further: second };
}

/** How many of some groups hold each value. */
function counted(groups: readonly Iterable<Value>[]): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const group of groups) for (const value of group) counts.set(value, countIn(counts, value) + 1);
  return counts;
}

const countIn = (counts: ReadonlyMap<Value, number>, value: Value): number => counts.get(value) ?? 0;

/** What a file type is before its slash; any other value is of its own kind. */
function kindOf(value: Value): Value {
  return typeof value === 'string' ? value.replace(/\/.*/, '') : value;
}

/** File types that every site knows; whether a site matches others by their media type depends on its settings. */
const COMMON = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'video/mp4', 'video/webm', 'text/plain', 'text/csv'],
  ...['application/pdf', 'application/zip', 'audio/mpeg', 'audio/wav', 'audio/ogg'],
]);

/** Whether a slug is spelt alike in every address. */
export function isPlainSlug(slug: unknown): slug is string {
  return typeof slug === 'string' && /^[a-z0-9-]+$/i.test(slug);
}

/** Whether every site knows a file type. */
export function isCommonType(type: unknown): boolean {
  return typeof type === 'string' && COMMON.has(type);
}

/** Each visible media type keeps the items whose `mime_type` begins with it, and two of them keep those of both. */
export const byMediaType: Filter = {
  rule({ records, page }, site) {
    if (records.every((record) => mediaTypeOf(record) === undefined))
      return inconclusive('the records do not show mime_type');
    const kinds = mediaTypesOf(page);
    if (kinds.length < 2)
      return inconclusive(`all visible files are of one media type (${kinds.join() || 'an unusual one'})`);
    const trial = (...some: readonly string[]): Trial =>
      subsetTrial({ [site.wire('media_type')]: some }, keepsMediaTypes(some));
    return [...kinds.map((kind) => trial(kind)), jointly(trial(...kinds.slice(0, 2)))];
  },
  predicted: {
    values: (records) => listsOfFew(mediaTypesOf(records)),
    keeps: (value) => (isList(value) ? keepsMediaTypes(value) : undefined),
  },
};

function mediaTypesOf(records: Records): string[] {
  const common = records.map(mediaTypeOf).filter((type) => isCommonType(type));
  return [...new Set(common.map((type) => type?.split('/')[0] ?? ''))].sort();
}

function keepsMediaTypes(kinds: readonly unknown[]): Keeps {
  return (record) => {
    const type = mediaTypeOf(record);
    if (type === undefined) return undefined;
    if (!kinds.some((kind) => type.startsWith(`${kind}/`))) return false;
    return isCommonType(type) ? true : undefined;
  };
}

function mediaTypeOf(record: SiteRecord): string | undefined {
  const type = valuesOf(record, 'mime_type')?.[0];
  return typeof type === 'string' ? type : undefined;
}
