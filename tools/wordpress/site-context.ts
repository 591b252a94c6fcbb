import { join, resolve } from 'node:path';

/** The context of every step of preparing a site. */
export interface SiteContext {
  cache: string;
  report: (line: string) => void;
  signal: AbortSignal;
}

/** A problem that the caller can solve: wrong usage, or a missing program. Printed as one line, exit code 2. */
export class UserError extends Error {
  override name = 'UserError';
}

/** The folder for downloads: `SITE_CONFORMANCE_CACHE`, otherwise `.cache` in the repository. */
export function cacheFolder(): string {
  const { SITE_CONFORMANCE_CACHE: chosen } = process.env;
  return chosen ? resolve(chosen) : join(import.meta.dirname, '..', '..', '.cache');
}
