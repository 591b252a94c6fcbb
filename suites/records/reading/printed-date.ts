import { type SiteRecord, valuesOf } from './record.ts';

/** A date as the interface prints it: in the time of the site, or with the offset that it is in. */
const PRINTED = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;
/**
 * A date of a record as a number that sorts, in milliseconds. Where no offset is named the zone does not matter: dates of
 * one member are compared with each other only. Undefined when the record does not show it.
 */
export function momentOf(record: SiteRecord, name: string): number | undefined {
  const [, time, offset] = printed(record, name) ?? [];
  return time === undefined ? undefined : Date.parse(`${time}${offset ?? 'Z'}`);
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
