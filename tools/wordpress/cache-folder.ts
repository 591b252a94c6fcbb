import { join, resolve } from 'node:path';

/**
 * The folder that keeps what was fetched, as an absolute path: `SITE_CONFORMANCE_CACHE` where it is set (relative
 * to the working folder), `.cache` in the repository otherwise.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment.SITE_CONFORMANCE_CACHE;
  return chosen ? resolve(chosen) : join(import.meta.dirname, '..', '..', '.cache');
}
