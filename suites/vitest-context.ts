import type { CheckResult } from '../engine/result.ts';
import type { RunConfig } from './run-config.ts';

/** What a test hands over to whoever reads the results of the run. */
export interface CheckOutcome {
  /** Which of the provided runs the test belongs to. */
  readonly run: number;
  readonly result: CheckResult;
  /** Why the run ends early; undefined where it does not. */
  readonly ended: string | undefined;
}

/** What of a configuration can cross into a worker of vitest, which loads the contract and plans anew. */
export interface CrossingRun extends Omit<RunConfig, 'base' | 'contract' | 'earlier' | 'own' | 'plan'> {
  /** The base, as an address. */
  readonly address: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The deployments to check, one after the other. */
    conformance: readonly CrossingRun[];
  }
  interface TaskMeta {
    outcome?: CheckOutcome;
  }
}
