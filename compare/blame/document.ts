import type { DocumentHead } from '../change.ts';

/** What came of some steps, by their names. */
interface BlameTest {
  readonly steps: readonly string[];
  /** The ids of the changes that showed. */
  readonly shown: readonly string[];
  readonly readings: number;
  /** Why nothing was read: a step failed, or the site did not answer. */
  readonly failed?: string;
}

/** The document `blame.json`, format 1; its schema is `specs/schemas/blame.schema.json`. A search goes on from it. */
export interface BlameDocument extends DocumentHead<'blame'> {
  readonly target: { readonly url: string };
  /** Of everything that was asked for, commands among it. */
  readonly digest: string;
  /** The id that was asked for, or `any`. */
  readonly change: string;
  readonly steps: readonly string[];
  /** How much is asked each time, once it is known what shows the change. */
  extent?: 'requests' | 'routes' | 'everything';
  /** The changes that are looked for, once they are known. */
  blamed?: readonly { readonly id: string; readonly headline: string }[];
  tests: BlameTest[];
  /** What was done so far. */
  spent: { resets: number; steps: number; requests: number };
  /** The end of the search. */
  found?: {
    readonly id: string;
    readonly headline: string;
    readonly steps: readonly string[];
    /** What else these steps bring about, of the changes that are looked for. */
    readonly others: readonly string[];
  };
  /** Why nothing could be concluded. */
  inconclusive?: string;
  /** How the site is not as it was found. */
  left?: string;
}
