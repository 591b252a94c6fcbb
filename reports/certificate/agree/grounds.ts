import type { Release } from '../../../specs/releases.ts';
import type { Contents } from '../documents.ts';

/** What the documents of a certificate are held against. */
export interface Grounds extends Contents {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Says what is required. */
  readonly release: Release;
  /** The release that the tool ran with. */
  readonly suite: Release;
  /** Whether the tool that made the certificate is this one, which makes the same reports of the same results. */
  readonly isSameTool: boolean;
}

/** So many checks are named one by one. */
const MOST_NAMED = 10;

/** Ids of checks for one line. */
export function named(ids: readonly string[]): string {
  const more = ids.length - MOST_NAMED;
  return `${ids.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
