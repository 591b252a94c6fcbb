import { describe, expect, it } from 'vitest';
import { bodyOf, type WritableField, writableFields } from '../../../probing/records/own/writable-fields.ts';
import { loadContract } from '../../../specs/contract.ts';
import { isStored } from './same-as-written.ts';

const FIELDS = new Map(
  loadContract({ deployment: 'core', vocabulary: 'neutral' })
    .operations.filter(({ id }) => id === 'posts.create')
    .flatMap(writableFields)
    .map((field): [string, WritableField] => [field.name, field]),
);

function same(name: string, written: unknown, shown: unknown, zone: number | string = 120): boolean {
  const field = FIELDS.get(name);
  if (field === undefined) throw new Error(`no field ${name}`);
  const document =
    typeof zone === 'string' ? { timezone_string: zone } : { timezone_string: '', gmt_offset: zone / 60 };
  return isStored({ index: { document } }, field, written, bodyOf([field], new Map([[name, shown]])));
}

describe('isStored', () => {
  it.each([
    ['a trimmed text', 'title', 'words ', 'words'],
    ['a text with other ends of lines', 'content', 'one\n\ntwo', 'one\r\n\r\ntwo'],
    ['a text for itself', 'slug', 'words', 'words'],
    ['ids in another order', 'categories', [3, 4], [4, 3]],
    ['a date in the time of the site', 'date', '2021-06-01T05:00:00', '2021-06-01T05:00:00'],
    ['a date with its offset', 'date', '2021-06-01T05:00:00', '2021-06-01T05:00:00+02:00'],
    ['a date with the offset of another season', 'date', '2021-06-01T05:00:00', '2021-06-01T05:00:00+03:00'],
    ['the instant of a date', 'date', '2021-06-01T05:00:00', '2021-06-01T03:00:00Z'],
    ['a date that was written with its offset', 'date', '2021-06-01T05:00:00+05:30', '2021-06-01T01:30:00'],
    [
      'a date in GMT that was written with an offset',
      'date_gmt',
      '2021-06-01T05:00:00+05:30',
      '2021-05-31T23:30:00',
    ],
    ['a date in GMT with its sign', 'date_gmt', '2021-06-01T05:00:00', '2021-06-01T05:00:00Z'],
  ])('accepts %s', (_what, name, written, shown) => {
    expect(same(name, written, shown)).toBe(true);
  });

  it.each([
    ['another text', 'title', 'words', 'word'],
    ['nothing', 'title', 'words', undefined],
    ['a number for a text', 'title', '1', 1],
    ['text for a switch', 'sticky', true, 'true'],
    ['more ids', 'categories', [3], [3, 4]],
    ['another hour', 'date', '2021-06-01T05:00:00', '2021-06-01T05:00:00Z'],
    ['a date whose offset was left out', 'date', '2021-06-01T05:00:00+05:30', '2021-06-01T05:00:00'],
    ['another hour without an offset', 'date', '2021-06-01T05:00:00', '2021-06-01T06:00:00'],
    ['another second', 'date_gmt', '2021-06-01T05:00:00', '2021-06-01T05:00:01'],
    ['the whole hours of an offset alone', 'date', '2021-06-01T05:00:00+05:30', '2021-06-01T02:00:00'],
    ['another hour in GMT', 'date_gmt', '2021-06-01T05:00:00+01:00', '2021-06-01T05:00:00'],
    ['no date', 'date', '2021-06-01T05:00:00', null],
  ])('does not accept %s', (_what, name, written, shown) => {
    expect(same(name, written, shown)).toBe(false);
  });

  it('does not distinguish an offset from that of an unknown time zone', () => {
    const unknown = 'Moon/Copernicus';
    expect(same('date', '2021-06-01T05:00:00', '2021-06-01T03:00:00Z', unknown)).toBe(true);
    expect(same('date', '2021-06-01T05:00:00+05:30', '2021-06-01T11:30:00', unknown)).toBe(true);
    expect(same('date', '2021-06-01T05:00:00', '2021-06-01T05:00:01', unknown)).toBe(false);
    expect(same('date', '2021-06-01T05:00:00Z', '2021-06-01T07:00:00Z', unknown)).toBe(false);
  });

  it('reads dates in a named time zone', () => {
    expect(same('date', '2021-06-01T05:00:00+05:30', '2021-06-01T01:30:00', 'Europe/Berlin')).toBe(true);
    expect(same('date', '2021-06-01T05:00:00+05:30', '2021-06-01T05:00:00', 'Europe/Berlin')).toBe(false);
    expect(same('date', '2021-06-01T05:00:00+05:30', '2021-06-01T05:00:00', 'Asia/Kolkata')).toBe(true);
  });
});
