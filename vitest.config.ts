import { join } from 'node:path';
import { defineConfig, type TestUserConfig, type ViteUserConfig } from 'vitest/config';

const root: string = import.meta.dirname;

const NO_TESTS = ['node_modules/**', 'reports/out/**', '.cache/**'];

const OWN_TESTS: TestUserConfig = {
  pool: 'threads',
  // Modules are loaded once for each worker: no test changes the state of one, and loading them again costs most of the time.
  isolate: false,
  // Time enough on a machine that has other work: a test that hangs is told all the same.
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // Half of the time goes to waiting for processes and answers: none of the processors needs to be spared.
  maxWorkers: '100%',
  // The processes that tests start read our modules in a quarter less time.
  env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node') },
};

const config: ViteUserConfig = defineConfig({
  test: {
    projects: [
      {
        // The tests of the project itself.
        root,
        test: {
          ...OWN_TESTS,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...NO_TESTS, '**/*.whole.test.ts', '**/*.browser.test.ts'],
        },
      },
      {
        // Those of pages in a real Chromium, which a machine must have for them.
        root,
        test: { ...OWN_TESTS, name: 'browser', include: ['**/*.browser.test.ts'], exclude: NO_TESTS },
      },
      {
        // Those that run every check against a deployment, or the program from beginning to end as a process of its own.
        root,
        test: { ...OWN_TESTS, name: 'whole', include: ['**/*.whole.test.ts'], exclude: NO_TESTS },
      },
      {
        // The product: every check against a target, one test for each. The command line starts this project too.
        root,
        test: {
          name: 'conformance',
          include: ['suites/conformance.suite.ts'],
          globalSetup: [join(root, 'cli/conformance-setup.ts')],
          pool: 'threads',
          // Checks share remembered reads, which a second worker would ask again.
          maxWorkers: 1,
          isolate: false,
          fileParallelism: false,
          // The engine decides how much is under way, and each exchange has its own bound.
          maxConcurrency: 100_000,
          testTimeout: 0,
          hookTimeout: 0,
          // Projects with different numbers of workers run one after the other.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

export default config;
