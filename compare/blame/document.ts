import type { DocumentHead } from '../change.ts';

/** How much is sent for a reading of a site. */
export type ReadingExtent = 'requests' | 'routes' | 'everything';

/** The document `blame.json`, format 1; `specs/schemas/blame.schema.json` describes its members. A search can continue from it. */
export interface BlameDocument extends DocumentHead<'blame'> {
  readonly target: { readonly url: string };
  readonly digest: string;
  readonly change: string;
  readonly steps: readonly string[];
  /** Once it is known. */
  extent?: ReadingExtent;
  /** The changes to look for, once they are known. */
  blamed?: readonly { readonly id: string; readonly headline: string }[];
  tests: {
    readonly steps: readonly string[];
    readonly shown: readonly string[];
    readonly readings: number;
    readonly failed?: string;
  }[];
  spent: { resets: number; steps: number; requests: number };
  found?: {
    readonly id: string;
    readonly headline: string;
    readonly steps: readonly string[];
    readonly others: readonly string[];
  };
  inconclusive?: string;
  left?: string;
}
