import type { Effect, Side } from '../law.ts';

/** A kind of change of what answers look like. */
export type ObservedKind =
  | 'answer-type'
  | 'answer-value'
  | 'answer-member-removed'
  | 'answer-member-added'
  | 'answer-form'
  | 'answer-status'
  | 'answer-unreadable'
  | 'answer-totals'
  | 'answer-slower'
  | 'header-removed'
  | 'header-added'
  | 'header-words'
  | 'refusal-changed'
  | 'refusal-member-removed'
  | 'refusal-member-added'
  | 'right-lost'
  | 'right-gained'
  | 'right-exposed';

/** Their rows in the table of kinds. Where there is no effect, it depends on how often a thing was seen. */
export const OBSERVED_KINDS: Readonly<
  Record<ObservedKind, { readonly side: Side; readonly effect?: Effect }>
> = {
  'answer-type': { side: 'received' },
  'answer-value': { side: 'received' },
  'answer-member-removed': { side: 'received' },
  'answer-member-added': { side: 'received', effect: 'narrows' },
  'answer-form': { side: 'received', effect: 'incomparable' },
  'answer-status': { side: 'received', effect: 'incomparable' },
  'answer-unreadable': { side: 'received', effect: 'incomparable' },
  'answer-totals': { side: 'received', effect: 'incomparable' },
  'answer-slower': { side: 'received', effect: 'unknown' },
  'header-removed': { side: 'received' },
  'header-added': { side: 'received', effect: 'narrows' },
  'header-words': { side: 'received' },
  'refusal-changed': { side: 'received' },
  'refusal-member-removed': { side: 'received', effect: 'widens' },
  'refusal-member-added': { side: 'received', effect: 'narrows' },
  'right-lost': { side: 'sent', effect: 'narrows' },
  'right-gained': { side: 'sent', effect: 'widens' },
  'right-exposed': { side: 'received', effect: 'widens' },
};
