import type { Snapshot } from '../../../probing/records/reading/open-list.ts';
import type { SiteRecord, Value } from '../../../probing/records/reading/record.ts';
import { momentOf, namesOffset, parentOf, valuesOf } from '../../../probing/records/reading/record.ts';
import type { Keeps, Records, Rule, Trial } from '../../../probing/records/reading/run-rule.ts';
import { countOf, jointly, subsetTrial, withCommas } from '../../../probing/records/reading/run-rule.ts';

interface MemberFilter {
  readonly parameter: string;
  /** The words for what the records say, such as `the author`. */
  readonly what: string;
  readonly values: ValuesOf;
  /** Whether it keeps the records without the values instead of those with one of them. */
  readonly excludes?: boolean;
  readonly fits?: (value: Value) => boolean;
  readonly single?: boolean;
  /** The value of whatever says none, which sites seldom store: asked for by itself too where some records have it. */
  readonly usual?: Value;
  readonly beyond?: Value;
  /** Whether a list of many values is asked for too: who reads only the first ones of it shows. */
  readonly many?: boolean;
}

/** As many values as shorter limits of lists do not hold. */
const MANY = 40;

/** Reads a member under its own name. */
export const shows =
  (name: string): ValuesOf =>
  (record) =>
    valuesOf(record, name);

/** A filter by values keeps the records that have one of them, or those that have none. */
export function byMember({
  parameter,
  what,
  values,
  excludes,
  fits,
  single,
  usual,
  beyond,
  many,
}: MemberFilter): Rule {
  return (snapshot, site) => {
    const taken = site.operation.parameters.find(({ name }) => name === parameter)?.schema.items?.enum;
    const picked = pickValues(
      snapshot,
      values,
      what,
      // Records may show what a list need not take, such as a format of a theme that is gone.
      taken === undefined ? fits : (value) => taken.includes(value),
    );
    const shared = beyond === undefined ? undefined : sharedBy(snapshot.records, values);
    if (typeof picked === 'string' && shared !== undefined && beyond !== undefined) {
      return alikeTrials(site.wire(parameter), values, [shared, beyond], excludes === true);
    }
    if (typeof picked === 'string') return picked;
    const name = site.wire(parameter);
    const keeping = (wanted: readonly Value[]): Keeps => keepsMembers(values, wanted, excludes === true);
    const [first] = picked.values;
    if (single === true) return [subsetTrial({ [name]: first }, keeping(picked.values.slice(0, 1)))];
    const one = subsetTrial({ [name]: picked.values }, keeping(picked.values));
    // Both describe every record: that all of the list is read shows where only one of them keeps some.
    const both = picked.further === undefined ? undefined : [...picked.values, picked.further];
    const isUsed = usual !== undefined && snapshot.page.some((record) => values(record)?.includes(usual));
    const together = [
      one,
      ...(both === undefined ? [] : [withCommas(name, both, keeping(both))]),
      ...(isUsed ? [jointly(subsetTrial({ [name]: [usual] }, keeping([usual])))] : []),
    ];
    const several = many === true ? manyOf(snapshot, values) : [];
    if (several.length <= picked.values.length) return together;
    // Beside another filter a few values show more.
    const { keeps: _, ...trial } = withCommas(name, atLeast(MANY, several), keeping(several));
    return [...together, { ...trial, skipsRefused: false }];
  };
}

/** Values again and again until they are so many: which of them are asked for stays the same. */
function atLeast(count: number, values: readonly Value[]): Value[] {
  return Array.from({ length: Math.max(count, values.length) }, (_, at) => values[at % values.length] ?? '');
}

/** The values of half of the visible records, the last ones, at most `MANY`. */
function manyOf({ page }: Snapshot, valuesOf: ValuesOf): Value[] {
  const shown = page
    .slice(-Math.min(MANY, Math.floor(page.length / 2)))
    .flatMap((record) => valuesOf(record) ?? []);
  return [...new Set(shown)];
}

function sharedBy(records: Records, values: ValuesOf): Value | undefined {
  const [first, ...others] = records.map((record) => values(record) ?? []);
  return first?.find((value) => others.every((own) => own.includes(value)));
}

/**
 * On records that are alike, the value that all of them have keeps all of them, and one that none has keeps none, or the
 * other way round: together they show whether the filter is honoured. A site may refuse a value that names nothing.
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
      silent: (answers) =>
        answers.length > 0 || excludes
          ? undefined
          : `all visible records have the same ${name}, and another one is refused`,
    },
  ];
}

/** Keeps the records that have one of the wanted values, or those that have none. */
export function keepsMembers(values: ValuesOf, wanted: readonly unknown[], excludes: boolean): Keeps {
  return (record) => {
    const own = values(record);
    return own === undefined ? undefined : own.some((value) => wanted.includes(value)) !== excludes;
  };
}

/** The id itself, as a value. */
export const ownId: ValuesOf = ({ id }: SiteRecord) => [id];

/** A filter of yes or no keeps the records that say the same. */
export function byFlag(parameter: string): Rule {
  return ({ records }, site) => {
    const says = (record: SiteRecord): Value | undefined => valuesOf(record, parameter)?.[0];
    const answers = new Set(records.map(says));
    if (answers.size === 1 && answers.has(undefined)) return `the records do not show ${parameter}`;
    if (!answers.has(true) || !answers.has(false)) return `all visible records say the same for ${parameter}`;
    const trial = (wanted: boolean): Trial =>
      subsetTrial({ [site.wire(parameter)]: wanted }, keepsMembers(shows(parameter), [wanted], false));
    return [trial(true), jointly(trial(false))];
  };
}

/** The parent of pages and of media items. */
export const parents: ValuesOf = parentOf;

/** The values that a record has in what a filter is about; undefined when it does not show them. */
export type ValuesOf = (record: SiteRecord) => readonly Value[] | undefined;

interface Picked {
  readonly values: readonly Value[];
  /** One more value, where with it none of the records is left that has none of them. */
  readonly further?: Value;
}

/**
 * Values that split the records: some have one of them, some have none. Two where three would be needed to describe
 * every record, so that a filter which reads only one of a list shows; the rarest ones, so that the answer is short.
 * Where two describe every record, the second comes as `further`.
 * @param what what the records say, for a reader
 * @returns why no value splits the records otherwise
 */
export function pickValues(
  { records, page, size }: Snapshot,
  valuesOf: ValuesOf,
  what: string,
  fits: (value: Value) => boolean = () => true,
): Picked | string {
  const shown = page.flatMap((record) => valuesOf(record) ?? []);
  if (records.every((record) => valuesOf(record) === undefined)) return `the records do not show ${what}`;
  const holders = (values: readonly Value[], among = records): number =>
    among.filter((record) => valuesOf(record)?.some((value) => values.includes(value)) === true).length;
  const splits = (values: readonly Value[]): boolean => {
    const count = holders(values, page);
    return count > 0 && count < page.length && holders(values) <= size;
  };
  const single = [...new Set(shown)]
    .filter((value) => fits(value) && splits([value]))
    .sort((one, other) => holders([one]) - holders([other]) || (one < other ? -1 : 1));
  const [first, second] = single;
  if (first === undefined) return `no value of ${what} distinguishes the visible records`;
  if (second === undefined) return { values: [first] };
  return splits([first, second]) ? { values: [first, second] } : { values: [first], further: second };
}

/** Types of files that every site knows; whether others count as files of their media type depends on its settings. */
const COMMON = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'video/mp4',
  'video/webm',
  'text/plain',
  'text/csv',
  'application/pdf',
  'application/zip',
  'audio/mpeg',
  'audio/wav',
  'audio/ogg',
]);

/** Whether every site knows a type of file. */
export function isCommonType(type: unknown): boolean {
  return typeof type === 'string' && COMMON.has(type);
}

/** Each media type that is visible keeps the items whose `mime_type` begins with it, and two of them those of both. */
export const byMediaType: Rule = ({ records, page }, site) => {
  if (records.every((record) => typeOf(record) === undefined)) return 'the records do not show mime_type';
  const kinds = mediaTypesOf(page);
  if (kinds.length < 2)
    return `all visible files are of one media type (${kinds.join() || 'an unusual one'})`;
  const trial = (...some: readonly string[]): Trial =>
    subsetTrial({ [site.wire('media_type')]: some }, keepsMediaTypes(some));
  return [...kinds.map((kind) => trial(kind)), jointly(trial(...kinds.slice(0, 2)))];
};

/** The media types of which there are files that every site knows. */
export function mediaTypesOf(records: Records): string[] {
  const common = records.map(typeOf).filter((type) => isCommonType(type));
  return [...new Set(common.map((type) => type?.split('/')[0] ?? ''))].sort();
}

/** Keeps the files of some media types. */
export function keepsMediaTypes(kinds: readonly unknown[]): Keeps {
  return (record) => {
    const type = typeOf(record);
    if (type === undefined) return undefined;
    if (!kinds.some((kind) => type.startsWith(`${kind}/`))) return false;
    return isCommonType(type) ? true : undefined;
  };
}

function typeOf(record: SiteRecord): string | undefined {
  const type = valuesOf(record, 'mime_type')?.[0];
  return typeof type === 'string' ? type : undefined;
}

const SECOND = 1000;

/**
 * A bound in time keeps the records on one side of it. It is put strictly between two dates of records, so that whether
 * it is inclusive does not matter, and written as the records are: without an offset, in the time of the site, or in GMT
 * where they name theirs.
 * @param name the member with the date; @param side which side is kept
 */
export function byMoment(parameter: string, name: string, side: 'after' | 'before'): Rule {
  return ({ page }, site) => {
    const moments = page.map((record) => momentOf(record, name)).filter((moment) => moment !== undefined);
    if (moments.length === 0) return `the records do not show ${name}`;
    const zoned = page.filter((record) => namesOffset(record, name) === true).length;
    if (zoned > 0 && zoned < moments.length) return `only some of the records name the offset of ${name}`;
    const [bound] = momentsBetween(moments);
    if (bound === undefined) return `no two visible records are more than a second apart in ${name}`;
    const text = writtenMoment(bound, zoned > 0);
    const usual = subsetTrial({ [site.wire(parameter)]: text }, keepsMoments(name, side, bound));
    return [usual, jointly(oneInstant(site.wire(parameter), bound, side))];
  };
}

/** More than the minutes of it: who leaves those out takes the instant for one on the other side of the record. */
const HOURS = 11.5;
const QUARTER = 0.25;

/**
 * One instant written with two offsets describes the same records, in whatever zone the site is: where the offset is not
 * read, or its sign or its minutes are not, the two stand on different sides of the record before the moment.
 * @param side a bound after an instant is written with an offset ahead of GMT, one before it with an offset behind
 */
function oneInstant(parameter: string, moment: number, side: 'after' | 'before'): Trial {
  const hour = 60 * 60 * SECOND;
  const [instant, hours, sign] =
    side === 'after' ? [moment - QUARTER * hour, HOURS, '+'] : [moment, -HOURS, '-'];
  const written = [
    writtenMoment(instant, true),
    `${writtenMoment(instant + hours * hour, false)}${sign}11:30`,
  ];
  return {
    requests: written.map((text) => ({ [parameter]: text })),
    evaluate([one = [], other = []]) {
      const ids = new Set(other.map(({ id }) => id));
      if (ids.size === one.length && one.every(({ id }) => ids.has(id))) return undefined;
      const message = `${parameter} describes other records when one instant is written with another offset: ${written.join(', ')}`;
      return { message, expected: countOf(one), observed: countOf(other) };
    },
  };
}

/** Keeps the records on one side of a moment; whether it is inclusive does not matter. */
export function keepsMoments(name: string, side: 'after' | 'before', bound: number): Keeps {
  return (record) => {
    const moment = momentOf(record, name);
    return moment === undefined || moment === bound ? undefined : moment > bound === (side === 'after');
  };
}

/**
 * Moments strictly between two neighbours: a second after the earlier one, which who honours the day alone takes for later,
 * or a second before the later one. Those nearest to the middle of all moments come first.
 */
export function momentsBetween(moments: readonly number[], edge: 'earlier' | 'later' = 'earlier'): number[] {
  const sorted = [...new Set(moments)].sort((one, other) => one - other);
  const gaps = sorted.flatMap((low, at) => {
    const high = sorted[at + 1];
    return high !== undefined && high - low >= 2 * SECOND ? [{ at, low, high }] : [];
  });
  const middle = (sorted.length - 1) / 2;
  return gaps
    .sort((one, other) => Math.abs(one.at + 0.5 - middle) - Math.abs(other.at + 0.5 - middle))
    .map(({ low, high }) => (edge === 'earlier' ? low + SECOND : high - SECOND));
}

/** A moment as the records write theirs: without an offset in the time of the site, or in GMT where they name theirs. */
export function writtenMoment(moment: number, zoned: boolean): string {
  return `${new Date(moment).toISOString().slice(0, 19)}${zoned ? 'Z' : ''}`;
}
