import type { CheckResult } from '../engine/result.ts';
import type { RunOptions } from '../engine/run-options.ts';

/** What a test hands over to whoever reads the results of the run. */
export interface CheckOutcome {
  /** Which of the provided runs the test belongs to. */
  readonly run: number;
  readonly result: CheckResult;
  /** Why the run ends early; undefined where it does not. */
  readonly ended: string | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The deployments to check, one after the other. */
    conformance: readonly RunOptions[];
  }
  interface TaskMeta {
    outcome?: CheckOutcome;
  }
}
