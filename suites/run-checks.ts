import { Client, type Traffic } from '../client/client.ts';
import type { RunMode } from '../client/mode.ts';
import { fetchIndex, type SiteIndex } from '../client/site-index.ts';
import type { Check } from '../engine/check.ts';
import { Engine } from '../engine/engine.ts';
import type { FuzzOptions } from '../engine/fuzz-options.ts';
import { plan } from '../engine/plan.ts';
import type { CheckResult, FixtureReport } from '../engine/result.ts';
import type { FixtureMode } from '../engine/run-options.ts';
import { createSession, type JournalPlace, type OwnerHints } from '../engine/session.ts';
import { beginJournal } from '../probing/records/clean-up/census.ts';
import { cleanUp } from '../probing/records/clean-up/clean-up.ts';
import { fixtureOptions } from '../probing/records/fixtures/create-fixtures.ts';
import { ownRecordsOf } from '../probing/records/own/own-check.ts';
import type { Contract } from '../specs/model.ts';
import { DEFAULTS, type RunConfig, run as runConfig } from './run.ts';

/** Checks, and the client through which they reach a site. */
interface ChecksRun {
  /** Its mode and its user decide which checks run. It stays open. */
  readonly client: Client;
  readonly contract: Contract;
  readonly checks: readonly Check[];
  /** Globs of check ids; all without. */
  readonly only?: readonly string[] | undefined;
  /** The index of the site, which is asked for it unless it is given. */
  readonly index?: SiteIndex;
  readonly seed?: number | undefined;
  readonly fuzz?: FuzzOptions | undefined;
  readonly hints?: OwnerHints | undefined;
  /** A journal that has begun; without one no records are written. */
  readonly journal?: JournalPlace | undefined;
  /** Checks under way at once, where that is not left to the engine. */
  readonly parallel?: number;
  /** Ids of the checks that failed earlier; with it, what else fails is asked again. */
  readonly knownFailures?: readonly string[] | undefined;
  /** Whether the run makes what its checks need and the site does not have; it does not unless told. */
  readonly stage?: FixtureMode | undefined;
  /** Gives each own record its slug. */
  readonly nextSlug?: () => string;
}

/** What came of the checks. */
interface ChecksRan {
  /** By check id, in the order of the checks. */
  readonly results: ReadonlyMap<string, CheckResult>;
  /** Why the run ended early. */
  readonly ended: string | undefined;
  /** What was made for the checks; undefined where nothing was. */
  readonly stage: FixtureReport | undefined;
}

/**
 * Runs checks in this process, without a test runner. What they wrote stays until it is cleaned up.
 * @throws TargetError when the site has no index
 */
export async function runChecks(run: ChecksRun): Promise<ChecksRan> {
  const { client, contract, checks, only = [], seed = 1, fuzz, hints, journal, parallel, nextSlug } = run;
  const { knownFailures, stage = 'never' } = run;
  const index = run.index ?? (await fetchIndex(client)).index;
  const session = createSession({ contract, index, client, seed, fuzz, hints, journal });
  const records = nextSlug === undefined ? undefined : ownRecordsOf(session);
  if (records !== undefined && nextSlug !== undefined) records.nextSlug = nextSlug;
  const planned = plan(checks, { only, skip: [], mode: client.mode, hasUser: client.hasUser });
  const engine = new Engine(session, planned, {
    knownFailures,
    fixtures: fixtureOptions(stage),
    ...(parallel !== undefined && { parallel }),
  });
  const results = await engine.all();
  return {
    results: new Map(results.map((result) => [result.id, result])),
    ended: engine.ended,
    stage: engine.stage,
  };
}

/** What is run against which site, without a test runner. */
export interface InProcessRun
  extends Pick<
    ChecksRun,
    'contract' | 'checks' | 'only' | 'seed' | 'fuzz' | 'hints' | 'journal' | 'knownFailures' | 'stage'
  > {
  readonly url: string;
  readonly mode: RunMode;
  /** Credentials; anonymous without. */
  readonly user?: { readonly user: string; readonly password: string };
}

/** The results by check id, and what they cost. */
export interface InProcessResults extends Pick<ChecksRan, 'results' | 'stage'> {
  readonly traffic: Traffic;
}

/**
 * Runs checks against a site as a run of the product does, but in this process, and removes what it wrote.
 * @throws TargetError when the site has no index.
 */
export async function runInProcess({ url, mode, user, ...given }: InProcessRun): Promise<InProcessResults> {
  const { contract, checks, only = [], seed = 1, fuzz, hints, journal, knownFailures, stage } = given;
  const selection = { only, skip: [], mode };
  const config: RunConfig = {
    ...{ ...DEFAULTS, ...selection, ...user, base: new URL(url), seed, contract, journal, knownFailures },
    ...{ plan: plan(checks, { ...selection, hasUser: user !== undefined }), stage: stage ?? 'never' },
    ...(fuzz !== undefined && { fuzz }),
    ...(hints !== undefined && { hinted: hints }),
  };
  const results = new Map<string, CheckResult>();
  const about = { target: url, user: user?.user };
  const client = new Client(config);
  try {
    if (journal !== undefined) await beginJournal(client, contract, journal, about);
    const listener = { result: (result: CheckResult): void => void results.set(result.id, result) };
    const end = await runConfig(config, listener, new AbortController().signal);
    if (journal !== undefined) await cleanUp(client, contract, journal.path);
    const { requests, retries } = client.traffic;
    return {
      // In the order of the plan, whatever came first.
      results: new Map(
        config.plan.flatMap(({ check: { id } }) => results.get(id) ?? []).map((one) => [one.id, one]),
      ),
      stage: end.stage,
      traffic: { requests: requests + end.requests, retries: retries + end.retries },
    };
  } finally {
    await client.close();
  }
}
