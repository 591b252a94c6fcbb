/** The kinds of changes of what answers look like, as rows of the table of kinds. Where there is no effect, it depends on how often a thing was seen. */
export const OBSERVED_KINDS = {
  'answer-type': { side: 'received' },
  'answer-value': { side: 'received' },
  'answer-member-removed': { side: 'received' },
  'answer-member-added': { side: 'received', effect: 'narrows' },
  'answer-form': { side: 'received', effect: 'incomparable' },
  'answer-status': { side: 'received', effect: 'incomparable' },
  'answer-unreadable': { side: 'received', effect: 'incomparable' },
  'answer-totals': { side: 'received', effect: 'incomparable' },
  'answer-rendered': { side: 'received', effect: 'unknown' },
  'answer-order': { side: 'received', effect: 'unknown' },
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
} as const;

/** A kind of change of what answers look like. */
export type ObservedKind = keyof typeof OBSERVED_KINDS;
