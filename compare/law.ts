/** Which messages a change concerns: what callers send, or what they receive. */
export type Direction = 'sent' | 'received';

/**
 * What a change does to the set of messages that are possible on its side: requests that the site takes, or answers that a
 * caller may meet. `incomparable` sets have lost and gained members; `none` leaves the set as it was.
 */
export type Effect = 'narrows' | 'widens' | 'incomparable' | 'unknown' | 'none';

/** What a change means for those who use the site. */
export type ChangeClass = 'breaking' | 'compatible' | 'unknown';

/** The classes, the worst first. */
export const CLASSES: readonly ChangeClass[] = ['breaking', 'unknown', 'compatible'];

/**
 * The one law of every comparison: a request that was taken must still be taken, and an answer must be one that could have
 * come before.
 */
export function classOf(effect: Effect, side: Direction): ChangeClass {
  if (effect === 'unknown') return 'unknown';
  if (effect === 'none') return 'compatible';
  if (effect === 'incomparable') return 'breaking';
  return (effect === 'narrows') === (side === 'sent') ? 'breaking' : 'compatible';
}
