import { describe, expect, it } from 'vitest';
import { followsSkippedHour } from './skipped-hour.ts';

describe('the hour after a clock was turned forward', () => {
  it.each([
    ['2025-03-30T03:00:00', 'Europe/Berlin', true],
    ['2025-03-30T03:59:59', 'Europe/Berlin', true],
    ['2025-03-30T01:59:59', 'Europe/Berlin', false],
    ['2025-03-30T04:00:00', 'Europe/Berlin', false],
    ['2025-03-31T03:30:00', 'Europe/Berlin', false],
    ['2025-10-26T03:30:00', 'Europe/Berlin', false],
    ['2025-03-09T03:30:00', 'America/New_York', true],
    ['2025-03-30T03:30:00', 'America/New_York', false],
    ['2025-09-07T00:00:00', 'America/Santiago', false],
    ['2025-09-07T01:30:00', 'America/Santiago', true],
    ['2025-03-30T03:30:00', 'Asia/Kathmandu', false],
    ['2025-03-30T03:30:00', 'Nowhere/At all', false],
    ['2025-03-30T03:30:00', '', false],
    ['2025-13-45T03:30:00', 'Europe/Berlin', false],
  ])('holds %s in %s: %s', (time, zone, follows) => {
    expect(followsSkippedHour(time, zone)).toBe(follows);
  });
});
