import { Client, type Traffic } from '../client/client.ts';
import { fetchIndex } from '../client/fetch-index.ts';
import { Journal } from '../client/journal.ts';
import type { RunMode } from '../client/mode.ts';
import type { Check } from '../engine/check.ts';
import { createSession } from '../engine/create-session.ts';
import { Engine } from '../engine/engine.ts';
import type { FuzzOptions } from '../engine/fuzz-options.ts';
import { plan } from '../engine/plan.ts';
import type { CheckResult } from '../engine/result.ts';
import type { OwnerHints } from '../engine/session.ts';
import type { Contract } from '../specs/model.ts';
import { takeCensus } from './records/clean-up/census.ts';
import { cleanUp } from './records/clean-up/clean-up.ts';

/** What is run against which site, without a test runner. */
export interface InProcessRun {
  readonly url: string;
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly mode: RunMode;
  /** Credentials; anonymous without. */
  readonly user?: { readonly user: string; readonly password: string };
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly fuzz?: FuzzOptions;
  readonly hints?: OwnerHints;
  /** Where writes are noted; without it the run writes no records of its own. */
  readonly journal?: { readonly path: string; readonly tag: string };
}

/** The results by check id, and what they cost. */
export interface InProcessResults {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly traffic: Traffic;
}

/**
 * Runs checks against a site as a run of the product does, but in this process, and removes what it wrote.
 * @throws TargetError when the site has no index.
 */
export async function runInProcess(run: InProcessRun): Promise<InProcessResults> {
  const { url, contract, mode, user, journal, seed = 1 } = run;
  const client = new Client({ base: new URL(url), mode, concurrency: 4, timeout: 30, ...user });
  try {
    if (journal !== undefined) {
      const head = {
        run: journal.tag,
        tag: journal.tag,
        target: url,
        deployment: contract.deployment,
        vocabulary: contract.vocabulary,
        user: user?.user ?? '',
        started: new Date().toISOString(),
        pid: process.pid,
      };
      new Journal(journal.path).begin(head, await takeCensus(client, contract));
    }
    const { index } = await fetchIndex(client);
    const session = createSession({
      contract,
      index,
      client,
      seed,
      fuzz: run.fuzz,
      hints: run.hints,
      journal,
    });
    const selection = { only: run.only ?? [], skip: [], mode, hasUser: user !== undefined };
    const results = await new Engine(session, plan(run.checks, selection)).all();
    if (journal !== undefined) await cleanUp(client, contract, journal.path);
    return { results: new Map(results.map((result) => [result.id, result])), traffic: client.traffic };
  } finally {
    await client.close();
  }
}
