const HOUR = 3_600_000;
/** Clocks change at night; for later times the zone is not looked up. */
const LAST_NIGHT_HOUR = 5;
const MOST_KNOWN = 10_000;
const KNOWN = new Map<string, boolean>();

/**
 * Whether a time is within the hour after the clock of its zone was turned forward. Software that stores times as
 * written shows a time that did not exist as an hour later, but sorts by the stored one.
 * @param time such as `2025-03-30T03:30:00`, as shown by the site; @param zone the name of its time zone, as reported
 * by the site
 */
export function followsSkippedHour(time: string, zone: string): boolean {
  if (Number(time.slice(11, 13)) >= LAST_NIGHT_HOUR) return false;
  const key = `${zone} ${time}`;
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  const follows = isTurnedForward(Date.parse(`${time}Z`), zone);
  KNOWN.set(key, follows);
  return follows;
}

function isTurnedForward(local: number, zone: string): boolean {
  try {
    const instant = local - offsetAt(local - offsetAt(local, zone), zone);
    return offsetAt(instant, zone) > offsetAt(instant - HOUR, zone);
  } catch (error) {
    // An unknown zone, or an invalid time.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Milliseconds that a zone is east of GMT at an instant. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(instant);
  const [, sign, hours = '0', minutes = '0'] = /GMT(?:([+-])(\d+):(\d+))?/.exec(parts) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * (HOUR / 60));
}
