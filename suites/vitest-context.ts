import type { Traffic } from '../client/client.ts';
import type { CheckResult, ShownFields, StageReport } from '../engine/result.ts';
import type { RunOptions } from '../engine/run-options.ts';

/** What a test hands over to whoever reads the results of the run. */
export interface CheckOutcome {
  /** Which of the provided runs the test belongs to. */
  readonly run: number;
  readonly result: CheckResult;
  readonly traffic: Traffic;
  readonly ended: string | undefined;
  /** What the run has made for its checks so far. */
  readonly stage: StageReport | undefined;
  /** Which fields records showed, as far as no earlier test has told. */
  readonly fields: readonly ShownFields[];
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
