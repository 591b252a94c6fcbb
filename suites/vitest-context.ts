import type { Traffic } from '../target/client.ts';
import type { CheckResult } from './result.ts';
import type { RunOptions } from './run-options.ts';

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
