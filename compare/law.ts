/** Which messages a change concerns: what callers send, or what they receive. */
export type Direction = 'sent' | 'received';

/**
 * What a change does to the set of messages that are possible on its side: requests that the site takes, or answers that a
 * caller may meet. `incomparable` sets have lost and gained members; `none` leaves the set as it was.
 */
export type Effect = 'narrows' | 'widens' | 'incomparable' | 'unknown' | 'none';

/** What a change means for those who use the site; exposed is what somebody sees who was not to see it. */
export type ChangeClass = 'exposed' | 'breaking' | 'compatible' | 'unknown';

/** The classes, the worst first. */
export const CLASSES: readonly ChangeClass[] = ['exposed', 'breaking', 'unknown', 'compatible'];

/** How many changes of each class there are. */
export function countClasses(
  changes: readonly { readonly class: ChangeClass }[],
): Record<ChangeClass, number> {
  const counts = { exposed: 0, breaking: 0, unknown: 0, compatible: 0 };
  for (const one of changes) counts[one.class] += 1;
  return counts;
}

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
