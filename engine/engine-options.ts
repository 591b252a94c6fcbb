import type { SiteIndex } from '../client/site-index.ts';
import type { FixtureOptions } from './stage.ts';

/** So many checks are under way at once unless a run says otherwise. */
export const PARALLEL = 32;

/** How the checks of a plan are run. */
export interface EngineOptions {
  /** Checks under way at once; more than requests, because most checks wait for one that others have asked. */
  readonly parallel?: number;
  /** When the run ends, in milliseconds since the epoch: no further check starts, and those under way cannot tell. */
  readonly deadline?: number | undefined;
  /** Ids of the checks that failed earlier. With it, any other check that fails is asked again before that is believed. */
  readonly knownFailures?: readonly string[] | undefined;
  /** Reads the index anew, for what is asked again; from the target unless given. */
  readonly rereadIndex?: () => Promise<SiteIndex>;
  /** Makes what checks need and the site does not have; without it nothing is made. */
  readonly stage?: FixtureOptions | undefined;
}

/** What a run does beside judging the checks of its plan: setting the stage, or asking again what failed. */
export type CurrentActivity = 'stage' | 'again';
