/** The messages that a change concerns: what callers send, or what they receive. */
export type Direction = 'sent' | 'received';

/**
 * The effect of a change on the set of possible messages on its side: requests that the site accepts, or answers that a
 * caller may receive. `incomparable` sets have lost and gained members; `none` leaves the set unchanged.
 */
export type Effect = 'narrows' | 'widens' | 'incomparable' | 'unknown' | 'none';

/** What a change means for users of the site. `exposed` means that somebody sees what was not meant for them. */
export type ChangeClass = 'exposed' | 'breaking' | 'compatible' | 'unknown';

/** The classes, the worst first. */
export const CLASSES: readonly ChangeClass[] = ['exposed', 'breaking', 'unknown', 'compatible'];

interface Classed {
  readonly class: ChangeClass;
}

/** Orders by class, the worst first. */
export function byClass(one: Classed, other: Classed): number {
  return CLASSES.indexOf(one.class) - CLASSES.indexOf(other.class);
}

/** How many changes of each class there are. */
export function countClasses(changes: readonly Classed[]): Record<ChangeClass, number> {
  const counts = { exposed: 0, breaking: 0, unknown: 0, compatible: 0 };
  for (const one of changes) counts[one.class] += 1;
  return counts;
}

/** A kind of change: its side, and its effect if enough was seen, unless that depends on the values. */
interface KindRow {
  readonly side: Direction;
  readonly effect?: Effect;
  /** What two or more changes are about that happen in one way and have one cause, such as numbers that are texts everywhere. */
  readonly joinedAs?: 'member' | 'header' | 'parameter' | 'request';
  /** A class other than that of the rule, never a milder one, and the reason. */
  readonly class?: ChangeClass;
  readonly why?: string;
}

/** All kinds of changes. If the effect depends on the values, it comes from `value-sets.ts`. */
const ROWS = {
  'namespace-removed': { side: 'sent', effect: 'narrows' },
  'namespace-added': { side: 'sent', effect: 'widens' },
  'route-removed': { side: 'sent', effect: 'narrows' },
  'route-added': { side: 'sent', effect: 'widens' },
  'path-parameter': { side: 'sent' },
  'method-removed': { side: 'sent', effect: 'narrows' },
  'method-added': { side: 'sent', effect: 'widens' },
  'methods-listed': { side: 'received', effect: 'unknown' },
  'parameter-removed': { side: 'sent', effect: 'narrows' },
  'parameter-added': { side: 'sent', effect: 'widens' },
  'required-parameter-added': { side: 'sent', effect: 'narrows' },
  constraint: { side: 'sent' },
  default: { side: 'received' },
  'batch-removed': { side: 'sent', effect: 'narrows' },
  'batch-added': { side: 'sent', effect: 'widens' },
  'authentication-removed': { side: 'sent', effect: 'narrows' },
  'authentication-added': { side: 'sent', effect: 'widens' },
  'authentication-changed': { side: 'received', effect: 'unknown' },
  'member-removed': { side: 'received', effect: 'widens' },
  'member-added': { side: 'received', effect: 'narrows' },
  'member-value': { side: 'received', effect: 'none' },
  'member-type': { side: 'received', effect: 'incomparable', joinedAs: 'member' },
  'address-changed': {
    side: 'received',
    effect: 'none',
    joinedAs: 'member',
    class: 'breaking',
    why: 'an address is followed as it stands: answers of the same shape lead callers to another site',
  },
  'zone-changed': {
    side: 'received',
    effect: 'none',
    joinedAs: 'member',
    class: 'unknown',
    why: 'dates without a zone mean another time, and whether a caller reads those cannot be known',
  },
  'field-removed': { side: 'received', effect: 'widens', joinedAs: 'member' },
  'field-added': { side: 'received', effect: 'narrows', joinedAs: 'member' },
  'field-moved': { side: 'received', effect: 'incomparable' },
  'field-doubtful': { side: 'received', effect: 'unknown', joinedAs: 'member' },
  'check-broken': { side: 'received', effect: 'widens' },
  'check-fixed': { side: 'received', effect: 'narrows' },
  'check-untold': { side: 'received', effect: 'unknown' },
  'check-observed': { side: 'received', effect: 'unknown' },
  'list-answer': { side: 'sent' },
  'list-records': { side: 'received' },
  'list-order': { side: 'received', effect: 'unknown' },
  'list-totals': { side: 'received', effect: 'incomparable' },
  'record-value': { side: 'received', effect: 'unknown' },
  'answer-type': { side: 'received', joinedAs: 'member' },
  'answer-value': { side: 'received', effect: 'incomparable', joinedAs: 'member' },
  'answer-member-removed': { side: 'received', effect: 'widens', joinedAs: 'member' },
  'answer-member-added': { side: 'received', effect: 'narrows', joinedAs: 'member' },
  'answer-form': { side: 'received', effect: 'incomparable' },
  'answer-status': { side: 'received', effect: 'incomparable' },
  'answer-unreadable': { side: 'received', effect: 'incomparable' },
  'answer-refused': { side: 'sent', effect: 'narrows', joinedAs: 'request' },
  'answer-chosen': { side: 'received', effect: 'widens' },
  'answer-filter': { side: 'received', effect: 'widens', joinedAs: 'parameter' },
  'answer-fewer': { side: 'sent', effect: 'narrows' },
  'answer-totals': { side: 'received', effect: 'incomparable' },
  'answer-repeated': { side: 'received', effect: 'incomparable' },
  'answer-whole': { side: 'received', effect: 'unknown' },
  'answer-rendered': { side: 'received', effect: 'unknown', joinedAs: 'member' },
  'answer-order': { side: 'received', effect: 'unknown' },
  'answer-slower': { side: 'received', effect: 'unknown' },
  'header-removed': { side: 'received', effect: 'widens', joinedAs: 'header' },
  'header-added': { side: 'received', effect: 'narrows' },
  'header-words': { side: 'received', effect: 'incomparable' },
  'refusal-changed': { side: 'received', effect: 'incomparable' },
  'refusal-member-removed': { side: 'received', effect: 'widens', joinedAs: 'member' },
  'refusal-member-added': { side: 'received', effect: 'narrows' },
  'right-lost': { side: 'sent', effect: 'narrows' },
  'right-gained': { side: 'sent', effect: 'widens' },
  'right-exposed': {
    side: 'received',
    effect: 'widens',
    class: 'exposed',
    why: 'no caller that works fails for it, and yet it is worse: somebody reads what was not for them',
  },
} as const;

/** The name of a kind of change. */
export type Kind = keyof typeof ROWS;

/** All kinds of changes by name. */
export const KINDS: Readonly<Record<Kind, KindRow>> = ROWS;

/**
 * The class of a change: the one that its kind names, otherwise by the rule of every comparison: an accepted request
 * must stay accepted, and an answer have been possible before.
 */
export function classOfKind(kind: Kind, effect: Effect): ChangeClass {
  const { side, class: named } = KINDS[kind];
  if (named !== undefined) return named;
  if (effect === 'unknown') return 'unknown';
  if (effect === 'none') return 'compatible';
  if (effect === 'incomparable') return 'breaking';
  return (effect === 'narrows') === (side === 'sent') ? 'breaking' : 'compatible';
}
