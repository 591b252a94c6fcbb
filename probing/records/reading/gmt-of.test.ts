import { expect, it } from 'vitest';
import { gmtOf, toRecords } from './record.ts';

const GMT = '2025-06-10T08:00:00';

function read(date: unknown, zone: string | undefined, gmt: unknown = GMT): string | undefined {
  const [record] = toRecords([{ id: 1, date, date_gmt: gmt }], zone);
  const instant = record && gmtOf(record, 'date');
  return instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 19);
}

it.each([
  [GMT, '+00:00'],
  ['2025-06-10T13:45:00', '+05:45'],
  ['2025-06-10T04:30:00', '-03:30'],
  ['2025-06-10T10:00:00', 'Europe/Berlin'],
  ['2025-06-10T04:00:00', 'America/New_York'],
  ['2025-06-10T10:00:00+02:00', undefined],
])('%s of a site in %s is known in GMT', (date, zone) => {
  expect(read(date, zone)).toBe(GMT);
});

it.each([
  ['without the zone of the site', GMT, undefined, GMT],
  ['written in an earlier zone of the site', '2025-06-10T08:00:00', 'Europe/Berlin', GMT],
  ['without a date in GMT', GMT, '+00:00', null],
  ['in an unknown zone', GMT, 'Nowhere/At all', GMT],
  ['near a change of the clock', '2025-10-26T12:00:00', 'Europe/Berlin', '2025-10-26T11:00:00'],
])('a date %s is not', (_what, date, zone, gmt) => {
  expect(read(date, zone, gmt)).toBeUndefined();
});
