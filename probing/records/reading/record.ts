import { asObject, isObject, type JsonObject, member } from '../../../client/json.ts';
import type { Observation } from '../../../client/observation.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { jsonType } from '../../../generators/valid-values.ts';
import { operationFor } from '../../../specs/find-resource.ts';
import type { Contract, Parameter } from '../../../specs/model.ts';
import { followsSkippedHour } from './skipped-hour.ts';

/** A record of a list with the id that names it. */
export interface SiteRecord {
  readonly id: number;
  readonly json: JsonObject;
  /** The name of the zone of its site, where that is known. */
  readonly zone?: string;
}

/** What a filter can be about: ids, words and yes or no. */
export type Value = string | number | boolean;

/** The items of a list that are records: objects with an integer `id` (§2). Others are reported by a check of their own. */
export function toRecords(items: readonly unknown[], zone?: string): SiteRecord[] {
  return items.filter(isObject).flatMap((json) => {
    const id = member(json, 'id');
    return typeof id === 'number' && Number.isInteger(id) ? [{ id, json, ...(zone && { zone }) }] : [];
  });
}

/** The values of a member as a list: one for a plain member, each item of an array. Undefined when it is not shown. */
export function valuesOf({ json }: SiteRecord, name: string): Value[] | undefined {
  const value = member(json, name);
  if (isValue(value)) return [value];
  return Array.isArray(value) ? value.filter(isValue) : undefined;
}

/**
 * The id of the record that a record belongs to, 0 for none: a page says `parent`, a media item `post`, which is null
 * when it belongs to none. Undefined when neither is shown.
 */
export function parentOf({ json }: SiteRecord): number[] | undefined {
  const parent = member(json, 'parent') ?? member(json, 'post');
  if (typeof parent === 'number') return [parent];
  return parent === null ? [0] : undefined;
}

/** The text of a record in one of its members: as written where the edit context shows it, else as rendered. */
interface RecordText {
  readonly text: string;
  readonly raw: boolean;
}

/** The text in a member such as `title`; undefined when it is not shown. */
export function textOf({ json }: SiteRecord, name: string): RecordText | undefined {
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

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A date as the interface prints it: in the time of the site, or with the offset that it is in. */
const PRINTED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
/**
 * A date of a record as a number that sorts, in milliseconds. Where no offset is named the zone does not matter: dates of
 * one member are compared with each other only. Undefined when the record does not show it, or shows a time that may be kept as
 * another one.
 */
export function momentOf(record: SiteRecord, name: string): number | undefined {
  const [, time, offset] = printed(record, name) ?? [];
  if (time === undefined) return undefined;
  if (offset === undefined && record.zone && followsSkippedHour(time, record.zone)) return undefined;
  return Date.parse(`${time}${offset ?? 'Z'}`);
}

/** Whether a date of a record names the offset that it is in; undefined when the record does not show it. */
export function namesOffset(record: SiteRecord, name: string): boolean | undefined {
  const shown = printed(record, name);
  return shown === null ? undefined : shown[2] !== undefined;
}

function printed(record: SiteRecord, name: string): RegExpExecArray | null {
  const text = valuesOf(record, name)?.[0];
  return typeof text === 'string' ? PRINTED.exec(text) : null;
}

/** Members of a record that hold text which a run writes; those of an upload hold the name of its file. */
const TEXTS = [
  'slug',
  'title',
  'content',
  'excerpt',
  'caption',
  'description',
  'alt_text',
  'source_url',
] as const;

/**
 * Whether a record is a run's own: the tag, which nothing else on a site holds by chance, stands in one of its texts. Only
 * such a record is ever changed or deleted, whatever id a site answers.
 */
export function carriesTag(record: unknown, tag: string): boolean {
  const holds = (text: unknown): boolean => typeof text === 'string' && text.toLowerCase().includes(tag);
  const known = TEXTS.some((name) => {
    const value = member(record, name);
    return [value, member(value, 'raw'), member(value, 'rendered')].some(holds);
  });
  if (known || !isObject(record)) return known;
  // What the texts of other records are called only their site knows; an address may lead to a record and be another's.
  return Object.values(record).some(
    (value) => typeof value === 'string' && !value.includes('://') && holds(value),
  );
}

/** The text as written of a member such as `excerpt`, which the edit context shows; undefined where it does not. */
export function rawOf(record: unknown, name: string): unknown {
  return member(member(record, name), 'raw');
}

/** The ids that a list shows. */
export function idsIn({ json }: Pick<Observation, 'json'>): number[] {
  const items: unknown[] = Array.isArray(json) ? json : [];
  return items.map((item) => member(item, 'id')).filter((id) => typeof id === 'number');
}

/** An id that nothing has: sites count up from one, and take ids up to the largest integer of 32 bits. */
export const NO_ID = 999_999_999;

/** What a field says besides what it is rendered as, which may depend on where it stands. */
const STORED = ['raw', 'protected'] as const;

/**
 * The names of the writable fields in which two answers about one record contradict each other. What one of them does not
 * show says nothing, and neither does rendered text.
 */
export function contradictions(
  contract: Contract,
  collection: string,
  one: unknown,
  other: unknown,
): string[] {
  const fields = operationFor(contract, collection, 'create')?.parameters ?? [];
  const names = fields.filter((field) => {
    const [first, second] = [one, other].map((record) => statedPart(field, member(record, field.wire)));
    if (isObject(first) && isObject(second) && STORED.some((part) => part in first || part in second)) {
      return STORED.some((part) => contradict(first[part], second[part]));
    }
    return !(isObject(first) && 'rendered' in first) && contradict(first, second);
  });
  const isOther = contradict(member(one, 'id'), member(other, 'id'));
  return [...new Set([...(isOther ? ['id'] : []), ...names.map(({ wire }) => wire)])];
}

/** The members of a value that the contract names, where it names some: others are of plugins, which may count what is read. */
export function statedPart({ schema: { properties } }: Parameter, value: unknown): unknown {
  if (properties === undefined || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
}

function contradict(one: unknown, other: unknown): boolean {
  // Plugins show some members to some callers alone.
  if (isObject(one) && isObject(other)) {
    return Object.keys(one).some((name) => name in other && !sameMeaning(one[name], other[name]));
  }
  // Values of two types are a matter of the types.
  const isAlike = jsonType(one) === jsonType(other);
  return isAlike && one !== undefined && !sameMeaning(one, other);
}
