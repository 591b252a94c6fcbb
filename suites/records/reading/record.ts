import { asObject, isObject, type JsonObject, member } from '../../../client/json.ts';

/** A record of a list with the id that names it. */
export interface SiteRecord {
  readonly id: number;
  readonly json: JsonObject;
}

/** What a filter can be about: ids, words and yes or no. */
export type Value = string | number | boolean;

/** The items of a list that are records: objects with an integer `id` (§2). Others are reported by a check of their own. */
export function toRecords(items: readonly unknown[]): SiteRecord[] {
  return items.filter(isObject).flatMap((json) => {
    const id = member(json, 'id');
    return typeof id === 'number' && Number.isInteger(id) ? [{ id, json }] : [];
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
export interface RecordText {
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
