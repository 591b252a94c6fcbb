import { member } from '../../../client/json.ts';
import type { SiteIndex } from '../../../client/site-index.ts';
import { sameMeaning } from '../../../engine/equal.ts';
import { shownValue, type WritableField } from '../../../probing/records/own/writable-fields.ts';
import { typesOf } from '../../../specs/schema.ts';

/**
 * Whether a record shows a field as written, but for what may be normalised (R35): space around texts, control characters,
 * ends of lines, forms of dates, orders of ids. What is empty may be left out. @param record undefined if it could not be read
 */
export function isStored(
  { index }: { readonly index: Pick<SiteIndex, 'document'> },
  field: WritableField,
  written: unknown,
  record: unknown,
): boolean {
  if (record === undefined) return false;
  const shown = shownValue(record, field);
  if (shown === undefined) return isNothing(written);
  if (field.schema.format === 'date-time' && written !== null)
    return sameMoment(written, shown, field.name === 'date_gmt' ? 'GMT' : index);
  // The checks of types report a number as text.
  if (typesOf(field.schema).includes('integer')) return String(written) === String(shown);
  if (typeof written === 'string') return typeof shown === 'string' && sameText(written, shown);
  return sameMeaning(written, shown);
}

function isNothing(written: unknown): boolean {
  return ['', 0, false].some((one) => one === written) || (Array.isArray(written) && written.length === 0);
}

/** Control characters except whitespace. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;
/** Those, and what software replaces them with. */
const IN_PLACE_OF_CONTROLS = /[^\P{Cc}\t\n\r]|[ ?\ufffd]/gu;

function sameText(written: string, read: string): boolean {
  const shown = read.replaceAll('\r\n', '\n');
  if (!CONTROL.test(written)) return shown.trim() === written.trim();
  return shown.replace(IN_PLACE_OF_CONTROLS, '').trim() === written.replace(IN_PLACE_OF_CONTROLS, '').trim();
}

function sameMoment(written: unknown, shown: unknown, place: Index | 'GMT'): boolean {
  const zone = place === 'GMT' ? 0 : zoneOf(place, written);
  const [one, other] = [instantOf(written, zone ?? 0), instantOf(shown, zone ?? 0)];
  if (one === undefined || other === undefined) return false;
  // Where only one of two dates names its offset, the other may have any that the site has in a year. GMT has one.
  const isApart = place !== 'GMT' && hasOffset(written) !== hasOffset(shown);
  return one === other || (isApart && mayBeZone(one - other, zone));
}

function hasOffset(date: unknown): boolean {
  return typeof date === 'string' && /(Z|[+-]\d{2}:?\d{2})$/.test(date);
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/;
const MINUTE = 60_000;
/** Time zones differ from GMT by multiples of 15 minutes, up to 14 hours. */
const QUARTER = 15 * MINUTE;
const FARTHEST = 14 * 60 * MINUTE;
/** What daylight saving time adds. */
const SEASON = 60 * MINUTE;

/** A date and time as milliseconds since 1970; undefined for others. @param zone minutes of texts without an offset */
export function instantOf(value: unknown, zone: number): number | undefined {
  const [, day, time, offset] = (typeof value === 'string' ? MOMENT.exec(value) : null) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const instant = Date.parse(`${day}T${time}${offset ?? 'Z'}`);
  if (Number.isNaN(instant)) return undefined;
  return offset === undefined ? instant - zone * MINUTE : instant;
}

type Index = Pick<SiteIndex, 'document'>;

/**
 * The offset of a site in minutes east of GMT around a date: the present one at least, or that of its named time zone;
 * undefined where it is not known.
 */
export function zoneOf({ document }: Index, date: unknown): number | undefined {
  const [name, offset] = [member(document, 'timezone_string'), member(document, 'gmt_offset')];
  if (typeof name === 'string' && name !== '') return offsetIn(name, instantOf(date, 0));
  const hours = typeof offset === 'string' && offset.trim() === '' ? Number.NaN : Number(offset);
  return name === '' && Number.isFinite(hours) ? hours * 60 : undefined;
}

/** Years in which zones changed by an hour at most, so that older lists of zones are right but for that. */
const [FIRST_YEAR, LAST_YEAR] = [2018, 2023];

/** The offset of a named time zone at an instant, in minutes; undefined for other names and years. */
function offsetIn(name: string, instant: number | undefined): number | undefined {
  const moment = new Date(instant ?? Number.NaN);
  const year = moment.getUTCFullYear();
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) return undefined;
  try {
    const local = moment.toLocaleString('sv-SE', { timeZone: name });
    return Math.round((Date.parse(`${local.replace(' ', 'T')}Z`) - moment.getTime()) / MINUTE);
  } catch {
    // Sites name zones that this machine does not know.
    return undefined;
  }
}

/** Whether a difference in milliseconds can be the offset of an unknown zone, or come from the seasons of a known one. */
export function mayBeZone(difference: number, zone: number | undefined): boolean {
  if (zone !== undefined) return difference === 0 || Math.abs(difference) === SEASON;
  return difference % QUARTER === 0 && Math.abs(difference) <= FARTHEST;
}
