/** What every step of preparing a site is given. */
export interface SiteContext {
  /** Folder of the cache, an absolute path. */
  cache: string;
  /** Prints one line of progress. */
  report: (line: string) => void;
  /** Aborted when the caller wants to end early. */
  signal: AbortSignal;
}
