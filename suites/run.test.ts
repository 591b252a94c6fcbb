import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Client } from '../client/client.ts';
import { fetchIndex } from '../client/site-index.ts';
import type { FuzzCoverage } from '../engine/fuzz-options.ts';
import { plan } from '../engine/plan.ts';
import { testSession } from '../engine/session.fixture.ts';
import { serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { smallDeployment } from '../specs/small-deployment.fixture.ts';
import { allChecks } from './all-checks.ts';
import { liveOf, run } from './run.ts';
import { DEFAULTS, type RunConfig, tourOf } from './run-config.ts';

function tried(changes: Partial<FuzzCoverage>): FuzzCoverage {
  const pairs = { tried: 0, possible: 0, accepted: 0, refused: 0, untried: [] };
  return { judged: 0, planned: 0, phases: {}, found: 0, parameters: {}, pairs, untried: [], ...changes };
}

it('reports each current search with its phase, progress and findings', () => {
  const session = testSession();
  const phases = {
    boundary: { judged: 4, planned: 4 },
    pairs: { judged: 3, planned: 6 },
    random: { judged: 0, planned: 9 },
  };
  session.tried.set('posts.list/fuzz/accepted', tried({ phases, found: 2 }));
  session.tried.set('pages.list/fuzz/accepted', tried({ phases: { random: { judged: 9, planned: 9 } } }));
  session.tried.set('media.list/fuzz/accepted', tried({ phases, ended: 'the search ends at 4 findings' }));

  expect(liveOf(session)).toEqual({
    requests: 0,
    searches: [{ check: 'posts.list/fuzz/accepted', phase: 'pairs', judged: 3, planned: 6, found: 2 }],
  });
});

it('reports a pause that the site asks for instead of what goes on', () => {
  const session = testSession();
  vi.spyOn(session.client, 'isPaused', 'get').mockReturnValue(true);

  expect(liveOf(session, 'again')).toMatchObject({ activity: 'pause' });
});

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const PATIENT = { timeout: 120_000 };

async function configForSmall(): Promise<RunConfig> {
  const deployment = smallDeployment();
  const site = await serve({ deployment });
  onTestFinished(() => site.close());
  const client = new Client({ base: new URL(site.url), mode: 'read', concurrency: 1, timeout: 30 });
  const indexFile = join(testFolder(), 'index.json');
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const selection = { mode: 'read', only: ['posts.list/per_page/**'], skip: [] } as const;
  writeFileSync(indexFile, (await fetchIndex(client)).text);
  await client.close();
  return {
    ...DEFAULTS,
    ...selection,
    base: new URL(site.url),
    deployment,
    concurrency: 2,
    seed: 1,
    indexFile,
    contract,
    plan: plan(allChecks(contract), { ...selection, hasUser: false }),
  };
}

it('leaves the handling of signals and the exit code to its caller', PATIENT, async () => {
  const config = await configForSmall();
  const listeners = (): unknown[] => SIGNALS.flatMap((name) => process.listeners(name));
  const before = listeners();
  const exitCode = process.exitCode;
  const during: unknown[][] = [];

  const end = await run(
    config,
    {
      result({ verdict }) {
        if (verdict !== 'skip') during.push(listeners());
      },
    },
    new AbortController().signal,
  );

  expect(end).toMatchObject({ ended: undefined });
  expect(during.length).toBeGreaterThan(0);
  expect(during.filter((one) => one.some((listener) => !before.includes(listener)))).toEqual([]);
  expect(listeners()).toEqual(before);
  expect(process.exitCode).toBe(exitCode);
});

it('sends no request if it is interrupted before its first check', PATIENT, async () => {
  const results: string[] = [];

  const end = await run(
    await configForSmall(),
    { result: ({ verdict }) => void results.push(verdict) },
    AbortSignal.abort(),
  );

  expect(end).toEqual({ requests: 0, retries: 0, ended: 'interrupted' });
  expect(results.filter((verdict) => verdict !== 'skip')).toEqual([]);
});

it('makes a short tour, none if only some checks are selected, and any that is requested', () => {
  const left = plan(allChecks(loadContract({ deployment: 'core', vocabulary: 'neutral' })).slice(0, 1), {
    ...{ mode: 'read' as const, only: [], skip: ['**'], hasUser: false },
  });
  const levels = [
    DEFAULTS,
    { ...DEFAULTS, only: ['index/**'] },
    { ...DEFAULTS, plan: left },
    { ...DEFAULTS, again: ['index/name'] },
    { ...DEFAULTS, fuzz: { ...DEFAULTS.fuzz, replay: true as const } },
    { ...DEFAULTS, only: ['index/**'], tour: 'full' as const },
    { ...DEFAULTS, tour: 'none' as const },
  ].map(tourOf);

  expect(levels).toEqual(['short', 'none', 'none', 'none', 'none', 'full', 'none']);
});
