import { extname } from 'node:path';
import type { TestUserConfig } from 'vitest/config';

/** How vitest runs the suite: every check against a target, one test for each. */
export const CONFORMANCE_PROJECT: TestUserConfig = {
  name: 'conformance',
  // Compiled, where this file is.
  include: [`cli/run/conformance.suite${extname(import.meta.filename)}`],
  // The package lies below node_modules.
  exclude: [],
  pool: 'threads',
  // Checks share remembered reads, which a second worker would ask again.
  maxWorkers: 1,
  isolate: false,
  fileParallelism: false,
  // The engine decides how much is under way, and each exchange has its own bound.
  maxConcurrency: 100_000,
  testTimeout: 0,
  hookTimeout: 0,
};
