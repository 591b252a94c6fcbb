import { expect, it } from 'vitest';
import { fileAddressIn, gmtOf, memberLike, momentOf, toRecords } from './record.ts';

const RECORD = {
  id: 7,
  self: 'https://example.org/index.php?rest_route=/cms/v2/pieces/7',
  caption: 'see https://example.org/a.png',
  permalink: 'https://example.org/?piece=7',
  file: 'https://example.org/files/7/a%20b.png',
  kind: 'image/png',
};

it.each([
  ['link', 'https://example.org/?piece=7'],
  ['source_url', 'https://example.org/files/7/a%20b.png'],
  ['mime_type', 'image/png'],
  ['author', undefined],
])('finds %s, whose name no section states, by how its value looks', (name, value) => {
  expect(memberLike(RECORD, name)).toBe(value);
});

it('prefers a member of the usual name', () => {
  expect(memberLike({ ...RECORD, link: 'https://example.org/a' }, 'link')).toBe('https://example.org/a');
});

it.each([
  ['a member of another name', RECORD],
  ['a member of a member', { id: 7, _links: {}, sizes: [{ full: { address: RECORD.file } }] }],
])('finds the address of a file in %s', (_, json) => {
  expect(fileAddressIn(json)).toBe(RECORD.file);
});

it('finds no address of a file where a record shows none', () => {
  expect(fileAddressIn({ id: 7, link: 'https://example.org/?piece=7', title: null })).toBeUndefined();
});

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

it.each([
  ['Europe/Berlin', ['2025-03-30T03:00:00', '2025-03-30T03:59:59']],
  ['America/New_York', ['2025-03-09T03:30:00']],
  ['America/Santiago', ['2025-09-07T01:30:00']],
])('the hour after the clock of %s was turned forward holds %j', (zone, times) => {
  expect(times.filter((date) => momentOf({ id: 1, json: { date }, zone }, 'date') !== undefined)).toEqual([]);
});

it.each([
  [
    'Europe/Berlin',
    ['2025-03-30T01:59:59', '2025-03-30T04:00:00', '2025-03-31T03:30:00', '2025-10-26T03:30:00'],
  ],
  ['America/New_York', ['2025-03-30T03:30:00']],
  ['America/Santiago', ['2025-09-07T00:00:00']],
  ['Asia/Kathmandu', ['2025-03-30T03:30:00']],
  ['Nowhere/At all', ['2025-03-30T03:30:00']],
  ['', ['2025-03-30T03:30:00']],
])('no such hour of %s holds %j', (zone, times) => {
  expect(times.filter((date) => momentOf({ id: 1, json: { date }, zone }, 'date') === undefined)).toEqual([]);
});

it('an impossible date is no moment', () => {
  const record = { id: 1, json: { date: '2025-13-45T03:30:00' }, zone: 'Europe/Berlin' };
  expect(momentOf(record, 'date')).toBeUndefined();
});
