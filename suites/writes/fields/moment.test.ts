import { describe, expect, it } from 'vitest';
import { testSession } from '../../../engine/session.fixture.ts';
import { instantOf, mayBeZone, zoneOf } from './same-as-written.ts';

const NOON = Date.UTC(2021, 5, 1, 12, 0, 0);
const HOUR = 3_600_000;

describe('instantOf', () => {
  it.each([
    ['2021-06-01T12:00:00', 0],
    ['2021-06-01T14:00:00', 120],
    ['2021-06-01 06:30:00', -330],
    ['2021-06-01T12:00:00Z', 120],
    ['2021-06-01T14:00:00+02:00', -600],
    ['2021-06-01T12:00:00.000Z', 0],
  ])('reads %s in a zone %i minutes east of GMT', (text, zone) => {
    expect(instantOf(text, zone)).toBe(NOON);
  });

  it.each(['2021-06-01', 'yesterday', '2021-13-01T12:00:00', null, 7])('reads nothing from %j', (value) => {
    expect(instantOf(value, 0)).toBeUndefined();
  });
});

describe('zoneOf', () => {
  const zone = (timezone_string: unknown, gmt_offset: unknown, date = '2021-06-01T05:00:00') =>
    zoneOf(
      testSession({ document: { namespaces: [], routes: {}, timezone_string, gmt_offset } }).index,
      date,
    );

  it('is the offset of a site without a named zone', () => {
    expect([zone('', '2'), zone('', '-3.5'), zone('', 5.75), zone('', '0')]).toEqual([120, -210, 345, 0]);
  });

  it('is that of a named zone around the date', () => {
    expect([zone('Europe/Berlin', 1), zone('Asia/Kolkata', 5.5), zone('America/St_Johns', '')]).toEqual([
      120, 330, -150,
    ]);
    expect(zone('Europe/Berlin', 2, '2020-02-29T05:00:00')).toBe(60);
  });

  it('is unknown for other names and years, and without an offset', () => {
    expect([zone('Moon/Copernicus', 2), zone('', ''), zone('', undefined), zone(undefined, '2')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([zone('Europe/Berlin', 2, '1968-06-01T05:00:00'), zone('Europe/Berlin', 2, 'now')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('mayBeZone', () => {
  const may = (zone: number | undefined, ...differences: number[]): boolean[] =>
    differences.map((difference) => mayBeZone(difference, zone));

  it('accepts only offsets of existing time zones', () => {
    expect(may(undefined, 0, 5.75 * HOUR, -9.5 * HOUR, 14 * HOUR)).toEqual([true, true, true, true]);
    expect(may(undefined, 1000, HOUR / 3, 15 * HOUR)).toEqual([false, false, false]);
  });

  it('accepts what the seasons add to the offset of a known time zone', () => {
    expect(may(-210, 0, HOUR, -HOUR)).toEqual([true, true, true]);
    expect(may(-210, 2 * HOUR, 1000, HOUR / 2, -3.5 * HOUR)).toEqual([false, false, false, false]);
  });
});
