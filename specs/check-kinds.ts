import { join } from 'node:path';
import { readValidated } from './validators.ts';

/** A kind of checks: what they ask, whatever operation they ask it of. */
export interface CheckKind {
  /** Stable and unique. */
  readonly kind: string;
  /** One short word. */
  readonly title: string;
  /** What such a check asks, in one sentence. */
  readonly asks: string;
  /** How such a check decides, in a sentence or two. */
  readonly decides: string;
  /** What to do when one fails, for who builds or runs the site. */
  readonly mend: string;
  /** How many requests such a check sends on average, by what it does to the site (measured). */
  readonly requests: Readonly<Partial<Record<'reads' | 'validates' | 'writes' | 'alters-site', number>>>;
  /** Only checks that are about this. */
  readonly about?: 'declaration' | 'answer';
  /** Whether its failures, of one parameter or of all, are mostly mended at one place of the software. */
  readonly together?: boolean;
  /** Globs of check ids. */
  readonly checks: readonly string[];
}

/** Reads `check-kinds.json`: the first kind that fits a check counts. @throws SpecError when it breaks its schema */
export function loadCheckKinds(): CheckKind[] {
  return readValidated(join(import.meta.dirname, 'check-kinds.json'), 'check-kinds.schema.json');
}
