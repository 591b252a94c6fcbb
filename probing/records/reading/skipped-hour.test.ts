import { expect, it } from 'vitest';
import { followsSkippedHour } from './record.ts';

it.each([
  ['Europe/Berlin', ['2025-03-30T03:00:00', '2025-03-30T03:59:59']],
  ['America/New_York', ['2025-03-09T03:30:00']],
  ['America/Santiago', ['2025-09-07T01:30:00']],
])('the hour after the clock of %s was turned forward holds %j', (zone, times) => {
  expect(times.filter((time) => !followsSkippedHour(time, zone))).toEqual([]);
});

it.each([
  [
    'Europe/Berlin',
    ['2025-03-30T01:59:59', '2025-03-30T04:00:00', '2025-03-31T03:30:00', '2025-10-26T03:30:00'],
  ],
  ['Europe/Berlin', ['2025-13-45T03:30:00']],
  ['America/New_York', ['2025-03-30T03:30:00']],
  ['America/Santiago', ['2025-09-07T00:00:00']],
  ['Asia/Kathmandu', ['2025-03-30T03:30:00']],
  ['Nowhere/At all', ['2025-03-30T03:30:00']],
  ['', ['2025-03-30T03:30:00']],
])('no such hour of %s holds %j', (zone, times) => {
  expect(times.filter((time) => followsSkippedHour(time, zone))).toEqual([]);
});
