import { join, resolve } from 'node:path';

/** What every step of preparing a site is given. */
export interface SiteContext {
  /** Folder of the cache, an absolute path. */
  cache: string;
  /** Prints one line of progress. */
  report: (line: string) => void;
  /** Aborted when the caller wants to end early. */
  signal: AbortSignal;
}

/** Something the caller can put right: wrong usage, or a program that is missing. Printed as one line, exit code 2. */
export class UserError extends Error {
  override name = 'UserError';
}

/**
 * The folder that keeps what was fetched, as an absolute path: `SITE_CONFORMANCE_CACHE` where it is set (relative
 * to the working folder), `.cache` in the repository otherwise.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment.SITE_CONFORMANCE_CACHE;
  return chosen ? resolve(chosen) : join(import.meta.dirname, '..', '..', '.cache');
}
