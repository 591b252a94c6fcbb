import { defineConfig, type ViteUserConfig } from 'vitest/config';

// The tests of the project itself. The suites (`*.suite.ts`) are the product: `npm start -- run` runs them against a target.
const config: ViteUserConfig = defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'reports/out/**', '.cache/**'],
    pool: 'threads',
    // Modules are loaded once for each worker: no test changes the state of one, and loading them again costs most of the time.
    isolate: false,
    // Time enough on a machine that has other work: a test that hangs is told all the same.
    testTimeout: 30_000,
    // Half of the time goes to waiting for processes and answers: none of the processors needs to be spared.
    maxWorkers: '100%',
  },
});

export default config;
