/** The site is in a zone without a name, 5:45 h ahead of GMT. */
export const OFFSET_HOURS = 5.75;
const OFFSET = OFFSET_HOURS * 3_600_000;

/** The instant that a date names; without a zone of its own it is local, or GMT. */
export function instantOf(text: string, zone: 'local' | 'gmt'): number {
  const spelled = text.replace(' ', 'T');
  if (/(Z|[+-]\d{2}:?\d{2})$/i.test(spelled)) return Date.parse(spelled);
  return Date.parse(`${spelled}Z`) - (zone === 'local' ? OFFSET : 0);
}

/** An instant as the clocks of the site show it. */
export function localDate(instant: number): string {
  return new Date(instant + OFFSET).toISOString().replace(/\.\d+Z$/, '+05:45');
}

/** An instant as it is in GMT. */
export function gmtDate(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');
}
