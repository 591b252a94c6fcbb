import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Client } from '../client/client.ts';
import { fetchIndex } from '../client/site-index.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { serve } from '../sites/reference/serve.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import { runSuite } from './run-suite.ts';
import { temporaryFolder } from './try-main.fixture.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const PATIENT = { timeout: 120_000 };

async function optionsForSmall(): Promise<RunOptions> {
  const deployment = smallDeployment();
  const site = await serve({ deployment });
  onTestFinished(() => site.close());
  const client = new Client({ base: new URL(site.url), mode: 'read', concurrency: 1, timeout: 30 });
  const indexFile = join(temporaryFolder(), 'index.json');
  writeFileSync(indexFile, (await fetchIndex(client)).text);
  await client.close();
  return {
    target: site.url,
    deployment,
    vocabulary: 'neutral',
    mode: 'read',
    headers: {},
    only: ['posts.list/per_page/**'],
    skip: [],
    concurrency: 2,
    timeout: 30,
    seed: 1,
    allure: false,
    indexFile,
  };
}

it('leaves the handling of signals and the exit code to its caller', PATIENT, async () => {
  const options = await optionsForSmall();
  const listeners = (): unknown[] => SIGNALS.flatMap((name) => process.listeners(name));
  const before = listeners();
  const exitCode = process.exitCode;
  const during: unknown[][] = [];

  const end = await runSuite(
    options,
    {
      result({ verdict }) {
        if (verdict !== 'skip') during.push(listeners());
      },
    },
    new AbortController().signal,
    process.env,
  );

  expect(end).toMatchObject({ ended: undefined, faults: [] });
  expect(during.length).toBeGreaterThan(0);
  expect(during.filter((one) => one.some((listener) => !before.includes(listener)))).toEqual([]);
  expect(listeners()).toEqual(before);
  expect(process.exitCode).toBe(exitCode);
});

it('asks nothing of the target when it was interrupted before its first check', PATIENT, async () => {
  const results: string[] = [];

  const end = await runSuite(
    await optionsForSmall(),
    { result: ({ verdict }) => void results.push(verdict) },
    AbortSignal.abort(),
    process.env,
  );

  expect(end).toEqual({ requests: 0, retries: 0, ended: 'interrupted', faults: [] });
  expect(results.filter((verdict) => verdict !== 'skip')).toEqual([]);
});
