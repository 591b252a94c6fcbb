import type { Traffic } from '../client/client.ts';
import type { CheckResult } from '../engine/result.ts';
import type { RunOptions } from '../engine/run-options.ts';

/** What a test hands over to the reporter of the run. */
export interface Outcome {
  readonly result: CheckResult;
  readonly traffic: Traffic;
  readonly ended: string | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    conformance: RunOptions;
  }
  interface TaskMeta {
    outcome?: Outcome;
  }
}
