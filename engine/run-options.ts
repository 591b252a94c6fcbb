import type { RunMode } from '../client/mode.ts';
import type { DeploymentFile } from '../specs/deployment.ts';
import type { HintValue } from '../specs/hints.ts';
import type { FuzzOptions } from './fuzz-options.ts';
import type { RequiredChecks } from './plan.ts';
import type { JournalPlace } from './session.ts';
import type { RunWaivers } from './waivers.ts';

/** The hints of the owner by operation id and neutral name; secrets by the name of their variable only. */
export type GivenHints = Readonly<Record<string, Readonly<Record<string, readonly HintValue[]>>>>;

/** Everything that the suite needs to know about a run. Plain data: it crosses into a worker of vitest. */
export interface RunOptions {
  readonly target: string;
  readonly deployment: string;
  readonly vocabulary: string;
  /** The deployment itself, where it was composed from what the site serves. */
  readonly composed?: DeploymentFile | undefined;
  readonly mode: RunMode;
  readonly user?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether any TLS certificate is taken; only trusted ones unless given. */
  readonly insecure?: boolean | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** The checks to run again, by their whole ids; undefined for a run that repeats none. */
  readonly again?: readonly string[] | undefined;
  /** What a certificate requires; undefined for a run that certifies nothing. */
  readonly required?: RequiredChecks | undefined;
  /** Ids of the checks that fail in the baseline; with it, what else fails is asked again. */
  readonly knownFailures?: readonly string[] | undefined;
  readonly concurrency: number;
  readonly rate?: number | undefined;
  /** Seconds for one exchange. */
  readonly timeout: number;
  readonly seed: number;
  /** How much the fuzz checks try; the standard profile unless given. */
  readonly fuzz?: FuzzOptions | undefined;
  /** Seconds for the run; undefined for no bound. */
  readonly budget?: number | undefined;
  /** Whether the run makes what its checks need and the site does not have; `auto` unless given. */
  readonly stage?: StageMode | undefined;
  readonly hinted?: GivenHints | undefined;
  /** Paths of modules with checks of the user's own; functions cannot cross into a worker. */
  readonly checks?: readonly string[] | undefined;
  /** The failures that are accepted; none unless given. */
  readonly accepted?: RunWaivers | undefined;
  /** When that time is over, in milliseconds since the epoch: waiting for the target ends then too. */
  readonly deadline?: number | undefined;
  /** The command that replays a finding, but for its id; undefined where no results are kept. */
  readonly replayLine?: string | undefined;
  /** The path of a recording of every exchange, secrets masked; undefined for none. */
  readonly exchanges?: string | undefined;
  /** Whether results for Allure are written. */
  readonly allure: boolean;
  /** Where writes are noted, and the word that own records carry; undefined for a run that does not write. */
  readonly journal?: JournalPlace | undefined;
  /** The file that holds the index, asked for once before the checks start. */
  readonly indexFile: string;
}

/** Whether a run that writes sets its own stage: when checks could not tell (`auto`), not at all, or before anything else. */
export type StageMode = (typeof STAGE_MODES)[number];

/** The words of `--stage`. */
export const STAGE_MODES = ['auto', 'never', 'always'] as const;

/** The name of the environment variable that holds the password: a secret is never an argument. */
export const PASSWORD_VARIABLE = 'SITE_CONFORMANCE_PASSWORD';
