import type { DocumentHead } from '../change.ts';

interface BlameTest {
  readonly steps: readonly string[];
  readonly shown: readonly string[];
  readonly readings: number;
  /** Why nothing was read: a step failed, or the site did not answer. */
  readonly failed?: string;
}

/** The document `blame.json`, format 1 (`specs/schemas/blame.schema.json`). A search can continue from it. */
export interface BlameDocument extends DocumentHead<'blame'> {
  readonly target: { readonly url: string };
  /** A digest of all options, commands included. */
  readonly digest: string;
  /** The given id, or `any`. */
  readonly change: string;
  readonly steps: readonly string[];
  /** How much is sent for each reading, once that is known. */
  extent?: 'requests' | 'routes' | 'everything';
  /** The changes to look for, once they are known. */
  blamed?: readonly { readonly id: string; readonly headline: string }[];
  tests: BlameTest[];
  spent: { resets: number; steps: number; requests: number };
  found?: {
    readonly id: string;
    readonly headline: string;
    readonly steps: readonly string[];
    /** Other sought changes that these steps cause. */
    readonly others: readonly string[];
  };
  /** Why there is no conclusion. */
  inconclusive?: string;
  /** How the site differs from its state before the search. */
  left?: string;
}
