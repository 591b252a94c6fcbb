import { member } from '../../../client/json.ts';
import type { SiteIndex } from '../../../client/site-index.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import type { WritableField } from '../../../probing/records/own/writable-fields.ts';

/**
 * Whether a field reads as it was written, within what the interface may normalise (R35): a text may be trimmed, a date
 * is an instant, a list of ids has no order.
 * @param zone minutes that the site is east of GMT; undefined where that is not known
 */
export function sameAsWritten(
  { name, schema }: WritableField,
  written: unknown,
  shown: unknown,
  zone: number | undefined,
): boolean {
  if (schema.format === 'date-time' && written !== null) {
    return name === 'date_gmt' ? sameMoment(written, shown, 0) : sameMoment(written, shown, zone);
  }
  if (typeof written === 'string') return typeof shown === 'string' && shown.trim() === written.trim();
  return sameMeaning(written, shown);
}

function sameMoment(written: unknown, shown: unknown, zone: number | undefined): boolean {
  const [one, other] = [instantOf(written, zone ?? 0), instantOf(shown, zone ?? 0)];
  if (one === undefined || other === undefined) return false;
  // In a zone that is not known, a date that names its offset cannot be told from one in the time of the site.
  const isApart = namesOffset(written) !== namesOffset(shown);
  return one === other || (zone === undefined && isApart && mayBeZone(one - other));
}

function namesOffset(date: unknown): boolean {
  return typeof date === 'string' && /(Z|[+-]\d{2}:?\d{2})$/.test(date);
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;
const MINUTE = 60_000;
/** Zones differ from GMT by whole quarters of an hour, and by 14 hours at most. */
const QUARTER = 15 * MINUTE;
const FARTHEST = 14 * 60 * MINUTE;

/**
 * The instant of a date-time in milliseconds since 1970; undefined when the value is none.
 * @param zone minutes east of GMT of a text that names no offset itself
 */
export function instantOf(value: unknown, zone: number): number | undefined {
  const [, day, time, offset] = (typeof value === 'string' ? MOMENT.exec(value) : null) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const instant = Date.parse(`${day}T${time}${offset ?? 'Z'}`);
  if (Number.isNaN(instant)) return undefined;
  return offset === undefined ? instant - zone * MINUTE : instant;
}

/** Minutes that a site is east of GMT at any time of the year; undefined where a named zone may have two of them. */
export function zoneOf({ document }: SiteIndex): number | undefined {
  const [name, offset] = [member(document, 'timezone_string'), member(document, 'gmt_offset')];
  const hours = typeof offset === 'string' && offset.trim() === '' ? Number.NaN : Number(offset);
  return name === '' && Number.isFinite(hours) ? hours * 60 : undefined;
}

/** Whether a difference of two instants, in milliseconds, can be the offset of a time zone. */
export function mayBeZone(difference: number): boolean {
  return difference % QUARTER === 0 && Math.abs(difference) <= FARTHEST;
}
