import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Client, NamedCaller } from '../../client/client.ts';
import { testClient } from '../../client/server.fixture.ts';
import type { Check } from '../../engine/check.ts';
import type { CheckResult, Verdict } from '../../engine/result.ts';
import { beginJournal, compareCensus, takeCensus } from '../../probing/records/clean-up/census.ts';
import { cleanUp } from '../../probing/records/clean-up/clean-up.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { Contract } from '../../specs/model.ts';
import { runChecks } from '../run-checks.ts';
import type { Mutant } from './writing.fixture.ts';
import { recordChecks } from './writing-checks.ts';

/** The contract of a deployment with its checks of records. */
function partsOf(deployment: string): { readonly contract: Contract; readonly checks: readonly Check[] } {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  return { contract, checks: recordChecks(contract) };
}

const CORE = partsOf('core');

/** How to run the checks of records against a faulty site. */
export interface RecordRunOptions {
  readonly mutant?: Mutant;
  readonly deployment?: string;
  /** Content of the site before the run. */
  readonly seed?: 'full' | 'empty';
  /** Globs of the checks; default: all. */
  readonly only?: readonly string[];
  /** The timeout of an exchange in seconds. */
  readonly timeout?: number;
  /** Further callers besides the user of the run. */
  readonly callers?: readonly NamedCaller[];
  /** Starts a proxy between the suite and the site, and returns its address. */
  readonly through?: (site: Served) => Promise<string>;
}

/** The results of a run, and what it left on the site. */
export interface RecordRun {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly cleaned: Awaited<ReturnType<typeof cleanUp>>;
  readonly difference: ReturnType<typeof compareCensus>;
  readonly requests: number;
  /** Why the run ended early. */
  readonly ended: string | undefined;
}

/** Runs the checks of own records in mode write, cleans up, and counts the records before and after. */
export async function recordRun(options: RecordRunOptions = {}): Promise<RecordRun> {
  const {
    mutant = {},
    deployment = 'core',
    seed = 'full',
    only = [],
    timeout = 10,
    through,
    callers,
  } = options;
  const { contract, checks } = deployment === 'core' ? CORE : partsOf(deployment);
  const handlers = { ...STANDARD_BEHAVIOUR.handlers, ...mutant.handlers };
  const site = await serve({ deployment, seed, behaviour: { ...mutant, handlers } });
  const { user, password } = site;
  const open = (url: string, seconds: number): Client =>
    testClient(url, { mode: 'write', user, password, callers, timeout: seconds });
  const client = open((await through?.(site)) ?? site.url, timeout);
  const counting = open(site.url, 10);
  onTestFinished(() => site.close());
  const tag = `sc-${randomUUID().slice(0, 8)}`;
  const journal = { path: join(testFolder(), 'journal.ndjson'), tag };
  const before = await beginJournal(counting, contract, journal, { target: site.url, user });
  const { results, ended } = await runChecks({
    client,
    contract,
    checks,
    only,
    journal,
  });
  const { requests } = client.traffic;
  const cleaned = await cleanUp(counting, contract, journal.path);
  return {
    results,
    cleaned,
    difference: compareCensus(before, await takeCensus(counting, contract)),
    requests,
    ended,
  };
}

/** The sorted ids of the checks with one of the verdicts. */
export function idsOf({ results }: RecordRun, ...verdicts: Verdict[]): string[] {
  return [...results.values()]
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ id }) => id)
    .sort();
}
