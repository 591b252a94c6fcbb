import { availableParallelism, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { defineConfig, type TestUserConfig, type ViteUserConfig } from 'vitest/config';

const root: string = import.meta.dirname;

/** Nothing is written below the tree, what makes the next run faster neither. */
const caches: string = join(tmpdir(), `site-conformance-caches-${userInfo().uid}`);

// Runs leave much behind that is young: with more room for it, workers spend a tenth less on clearing it away.
setFlagsFromString('--max-semi-space-size=64');
// Each test runs little of the code often: optimising it as far as possible costs more than it saves.
setFlagsFromString('--no-turbofan');

const NO_TESTS = ['node_modules/**', 'reports/out/**', '.cache/**', 'dist/**'];

const OWN_TESTS: TestUserConfig = {
  pool: 'threads',
  unstubEnvs: true,
  // Modules are loaded once for each worker: no test changes the state of one, and loading them again costs most of the time.
  isolate: false,
  // Node reads the modules as it does for the program: nothing needs transforming, and no test replaces a module.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Time enough on a machine that has other work: a test that hangs is reported all the same.
  testTimeout: 30_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 25_000 } },
  // Tests wait for processes and answers: one worker more than processors keeps those busy.
  maxWorkers: availableParallelism() + 1,
  // The processes that tests start read our modules in a quarter less time.
  env: { NODE_COMPILE_CACHE: join(caches, 'node') },
  globalSetup: [join(root, 'tests/tree-guard.ts')],
  setupFiles: [join(root, 'tests/own-environment.ts')],
};

const config: ViteUserConfig = defineConfig({
  cacheDir: join(caches, 'vite'),
  test: {
    fsModuleCachePath: join(caches, 'modules'),
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
        // The product: every check against a target, one test for each.
        root,
        test: {
          name: 'conformance',
          include: ['library/conformance.suite.ts'],
          globalSetup: [join(root, 'library/some-check-ran.ts')],
          pool: 'threads',
          maxWorkers: 1,
          isolate: false,
          // The engine decides how much is under way.
          maxConcurrency: 100_000,
          // Projects with different numbers of workers run one after the other.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

export default config;
