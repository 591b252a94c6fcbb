const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?$/;

/**
 * The instant that `text` names, in milliseconds since 1970, undefined when it is no date and time. Without
 * an offset it is in the time zone of the site, which is UTC. Days that a month lacks roll over, as in PHP.
 */
export function parseDate(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day > 31 || hour > 24 || minute > 59 || second > 59) return undefined;
  const offset = (Number(match[8] ?? 0) * 60 + Number(match[9] ?? 0)) * (match[7] === '-' ? -1 : 1);
  return Date.UTC(year, month - 1, day, hour, minute - offset, second);
}

/** Prints an instant as `YYYY-MM-DDTHH:MM:SS`, without an offset. */
export function printDate(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}
