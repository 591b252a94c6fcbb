import { sameMeaning } from '../../../engine/equal.ts';
import type { WritableField } from '../../records/own/writable-fields.ts';
import { instantOf, mayBeZone } from './moment.ts';

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
