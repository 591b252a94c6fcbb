import { member } from '../../../client/json.ts';
import type { SiteIndex } from '../../../client/site-index.ts';

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
