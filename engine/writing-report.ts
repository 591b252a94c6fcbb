/** What a run wrote and whether anything stayed; apart from the verdicts. */
export interface WritingReport {
  /** The word that every record of the run carried in its slug, and in title or text. */
  tag: string;
  created: number;
  removed: number;
  /** Own records that could not be removed. */
  left: { collection: string; id: number; why: string }[];
  /** What kept the last look from being complete. */
  doubts: string[];
  /** What else changed on the site meanwhile: ids that appeared and disappeared, by collection. */
  census: {
    collection: string;
    appeared: readonly number[];
    disappeared: readonly number[];
    /** Creations of the run whose answer named no record: what appeared may come from them. */
    unanswered?: number;
  }[];
  /** What was not counted one by one, before or after, and why. */
  uncounted?: { collection: string; when: 'before' | 'after'; reason: string }[];
}
