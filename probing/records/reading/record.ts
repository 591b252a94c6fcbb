import { asObject, isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import { memoized } from '../../../specs/memoized.ts';
import type { Contract, Parameter } from '../../../specs/model.ts';
import { jsonType } from '../../../specs/schema.ts';

/** A record of a list with the id that names it. */
export interface SiteRecord {
  readonly id: number;
  readonly json: JsonObject;
  /** The name or the offset of the zone of its site, where that is known. */
  readonly zone?: string;
}

/** The type of values that filters take: ids, words, and booleans. */
export type Value = string | number | boolean;

/** The items of a list that are records: objects with an integer `id` (§2). A check of its own reports other items. */
export function toRecords(items: readonly unknown[], zone?: string): SiteRecord[] {
  return items.filter(isObject).flatMap((json) => {
    const id = member(json, 'id');
    return typeof id === 'number' && Number.isInteger(id) ? [{ id, json, ...(zone && { zone }) }] : [];
  });
}

/** The values of a member as a list; undefined if it is not shown. */
export function valuesOf({ json }: SiteRecord, name: string): Value[] | undefined {
  const value = memberLike(json, name);
  if (isValue(value)) return [value];
  return Array.isArray(value) ? value.filter(isValue) : undefined;
}

/** How the values of members look that no section names. */
const LOOKS: ReadonlyMap<string, RegExp> = new Map([
  // An address of the interface is none of a page.
  ['link', /^https?:\/\/(?!.*[?&]rest_route=)/],
  ['source_url', /^https?:\/\/.*\/[^/?#]+\.\w{2,5}$/],
  ['mime_type', /^(?:image|video|text|application|audio)\/[\w.+-]+$/],
]);

/** A member; one whose name is silent may have another name, and is then known by how its value looks. */
export function memberLike(json: unknown, name: string): unknown {
  const value = member(json, name);
  const looks = LOOKS.get(name);
  if (value !== undefined || looks === undefined || !isObject(json)) return value;
  return Object.values(json).find((one) => typeof one === 'string' && looks.test(one));
}

/** The address of the file of an upload, wherever a record shows it: how it is called is silent. */
export function fileAddressIn(json: unknown): string | undefined {
  const address = memberLike(json, 'source_url');
  if (typeof address === 'string') return address;
  const members = typeof json === 'object' && json !== null ? Object.values(json) : [];
  return members.map(fileAddressIn).find((one) => one !== undefined);
}

/** Two terms that share a record, for which the operators give different answers. */
export function pairOf(records: readonly SiteRecord[], taxonomy: string): [number, number] | undefined {
  const terms = records.map(
    (record) => valuesOf(record, taxonomy)?.filter((term) => typeof term === 'number') ?? [],
  );
  // The records of each term: comparing every two terms would take long where records have hundreds.
  const holders = new Map<number, string>();
  for (const [at, own] of terms.entries())
    for (const term of new Set(own)) holders.set(term, `${holders.get(term) ?? ''} ${at}`);
  for (const [first, ...others] of terms) {
    const second = others.find((other) => first !== undefined && holders.get(other) !== holders.get(first));
    if (first !== undefined && second !== undefined) return [first, second];
  }
  return undefined;
}

/** The id of the parent of a record, 0 for none: `parent` of a page, `post` of a file. Undefined if neither is shown. */
export function parentOf({ json }: SiteRecord): number[] | undefined {
  const parent = member(json, 'parent') ?? member(json, 'post');
  if (typeof parent === 'number') return [parent];
  return parent === null ? [0] : undefined;
}

/** The text in a member such as `title`: raw if the edit context shows it, otherwise rendered; undefined for neither. */
export function textOf(
  { json }: SiteRecord,
  name: string,
): { readonly text: string; readonly raw: boolean } | undefined {
  const inside = asObject(member(json, name));
  const raw = member(inside, 'raw');
  if (typeof raw === 'string') return { text: raw, raw: true };
  const rendered = member(inside, 'rendered');
  return typeof rendered === 'string' ? { text: rendered, raw: false } : undefined;
}

/** Whether a password protects a record, as far as it shows. */
export function isProtected({ json }: SiteRecord): boolean {
  const password = member(json, 'password');
  return (
    (typeof password === 'string' && password !== '') || member(member(json, 'content'), 'protected') === true
  );
}

/** Whether a value can be compared with that of a filter. */
export function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A date as the interface prints it: in the time of the site, or with an offset. */
const PRINTED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
/** The dates of each record by their names, because filters compare each of them with many bounds. */
const momentsOf = memoized((record: SiteRecord) => memoized((name: string) => parsedMoment(record, name)));

/**
 * A date as milliseconds, comparable with others of its member; undefined if it is not shown, is no day of a calendar,
 * or may be stored otherwise.
 */
export function momentOf(record: SiteRecord, name: string): number | undefined {
  return momentsOf(record)(name);
}

function parsedMoment(record: SiteRecord, name: string): number | undefined {
  const [, time, offset] = printed(record, name) ?? [];
  if (time === undefined) return undefined;
  if (offset === undefined && record.zone && followsSkippedHour(time, record.zone)) return undefined;
  const moment = Date.parse(`${time}${offset ?? 'Z'}`);
  // Software prints the day 0000-00-00 where it stored no date.
  return Number.isNaN(moment) ? undefined : moment;
}

/** A date in GMT, in milliseconds, by its offset or the zone of the site; undefined near a change of the clock. */
export function gmtOf(record: SiteRecord, name: string): number | undefined {
  const local = momentOf(record, name);
  if (local === undefined || namesOffset(record, name) === true) return local;
  const gmt = momentOf(record, `${name}_gmt`);
  if (gmt === undefined || record.zone === undefined) return undefined;
  const { zone } = record;
  const offsets = [gmt - DAY, gmt, gmt + DAY].map((instant) => knownOffset(instant, zone));
  return offsets.every((offset) => offset === local - gmt) ? gmt : undefined;
}

/** Whether a date of a record has an offset; undefined if the record does not show it. */
export function namesOffset(record: SiteRecord, name: string): boolean | undefined {
  const shown = printed(record, name);
  return shown === null ? undefined : shown[2] !== undefined;
}

function printed(record: SiteRecord, name: string): RegExpExecArray | null {
  const text = valuesOf(record, name)?.[0];
  return typeof text === 'string' ? PRINTED.exec(text) : null;
}

/** Members of a record with text that a run writes; those of an upload hold its file name. */
const TEXTS = ['slug', 'title', 'content', 'excerpt', 'caption', 'description', 'alt_text', 'source_url'];

/** Whether a record is a run's own: one of its texts contains the tag. No other record is ever changed. */
export function carriesTag(record: unknown, tag: string): boolean {
  const holds = (text: unknown): boolean => typeof text === 'string' && text.toLowerCase().includes(tag);
  const known = TEXTS.some((name) => {
    const value = member(record, name);
    return [value, member(value, 'raw'), member(value, 'rendered')].some(holds);
  });
  if (known || !isObject(record)) return known;
  // The names of the text members of other collections are unknown. Addresses are excluded, because they may lead to
  // another record.
  return Object.values(record).some(
    (value) => typeof value === 'string' && !value.includes('://') && holds(value),
  );
}

/** The raw text of a member such as `excerpt`; undefined outside the edit context. */
export function rawOf(record: unknown, name: string): unknown {
  return member(member(record, name), 'raw');
}

/** The items of a list, as received; none in an answer that is no list. */
export function itemsOf({ json }: Pick<Observation, 'json'>): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}

/** The ids in a list. */
export function idsIn(list: Pick<Observation, 'json'>): number[] {
  return itemsOf(list)
    .map((item) => member(item, 'id'))
    .filter((id) => typeof id === 'number');
}

/** The different numbers that a member of some records holds, such as ids of terms. */
export function numbersIn(records: readonly SiteRecord[], name: string): number[] {
  const values = records.flatMap((record) => valuesOf(record, name) ?? []);
  return [...new Set(values.filter((value) => typeof value === 'number'))];
}

/** An id that no record has: sites count up from one, and accept ids up to the largest 32-bit integer. */
export const NO_ID = 999_999_999;

/** The field that plugins change of all records at once, if they sort them by hand. */
export const RENUMBERED = 'menu_order';

/** Members of a field besides its rendered text, which may depend on the context. */
const STORED = ['raw', 'protected'] as const;

/** The names of the writable fields that both answers about a record show, and that contradict each other. */
export function contradictions(
  contract: Contract,
  collection: string,
  one: unknown,
  other: unknown,
): string[] {
  const fields = operationFor(contract, collection, 'create')?.parameters ?? [];
  const names = fields.filter((field) => {
    const [first, second] = [one, other].map((record) => comparedPart(field, member(record, field.wire)));
    if (isObject(first) && isObject(second) && STORED.some((part) => part in first || part in second)) {
      return STORED.some((part) => contradict(first[part], second[part]));
    }
    return !(isObject(first) && 'rendered' in first) && contradict(first, second);
  });
  const isOther = contradict(member(one, 'id'), member(other, 'id'));
  return [...new Set([...(isOther ? ['id'] : []), ...names.map(({ wire }) => wire)])];
}

/** The members of a value that the contract states. Others belong to plugins, which may count reads. */
export function statedPart({ schema: { properties } }: Parameter, value: unknown): unknown {
  if (properties === undefined || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
}

/** An id of nothing may be null, which is no other type than that of an id. */
function comparedPart(field: Parameter, value: unknown): unknown {
  return value === null && field.schema['x-names'] !== undefined ? 0 : statedPart(field, value);
}

function contradict(one: unknown, other: unknown): boolean {
  // Plugins may show members only to some callers.
  if (isObject(one) && isObject(other)) {
    return Object.keys(one).some((name) => name in other && !sameMeaning(one[name], other[name]));
  }
  // Checks of types report different types.
  const isAlike = jsonType(one) === jsonType(other);
  return isAlike && one !== undefined && !sameMeaning(one, other);
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Clocks change at night; for later times the zone is not looked up. */
const LAST_NIGHT_HOUR = 5;

/** Whether a time follows a skipped hour: software that stores it as written shows it later, but sorts by that. */
function followsSkippedHour(time: string, zone: string): boolean {
  if (Number(time.slice(11, 13)) >= LAST_NIGHT_HOUR) return false;
  const local = Date.parse(`${time}Z`);
  const now = knownOffset(local, zone);
  if (now === undefined) return false;
  const instant = local - (knownOffset(local - now, zone) ?? now);
  return (knownOffset(instant, zone) ?? 0) > (knownOffset(instant - HOUR, zone) ?? 0);
}

/** Milliseconds that a zone is east of GMT at an instant; undefined for an unknown zone, or an invalid time. */
function knownOffset(instant: number, zone: string): number | undefined {
  try {
    return offsetAt(instant, zone);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const formatIn = memoized(
  (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
);

function offsetAt(instant: number, zone: string): number {
  const isOffset = /^[+-]\d\d:\d\d$/.test(zone);
  const parts = isOffset ? `GMT${zone}` : formatIn(zone).format(instant);
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d+):(\d+))?/.exec(parts) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * (HOUR / 60));
}
