import { Client } from '../client/client.ts';
import type { RunMode } from '../client/mode.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { Check } from '../engine/check.ts';
import { plan } from '../engine/plan.ts';
import type { CheckResult } from '../engine/result.ts';
import { beginJournal } from '../probing/records/clean-up/census.ts';
import { cleanUp } from '../probing/records/clean-up/clean-up.ts';
import type { Contract } from '../specs/model.ts';
import { type RunEnd, run as runConfig } from './run.ts';
import { DEFAULTS, type RunConfig } from './run-config.ts';

type Given = Partial<Pick<RunConfig, 'only' | 'seed' | 'fuzz' | 'journal' | 'knownFailures' | 'stage'>> & {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  readonly hints?: RunConfig['hinted'];
};

/** How a run of checks ended, and its results by check id. */
export interface ChecksRan extends RunEnd {
  readonly results: ReadonlyMap<string, CheckResult>;
}

/**
 * Runs checks through a client that stays open; its mode and user decide which of them run. Own records stay until they
 * are cleaned up.
 * @throws TargetError if the site has no index
 */
export async function runChecks({
  client,
  checks,
  hints,
  ...given
}: Given & { readonly client: Client } & Pick<
    RunConfig,
    'index' | 'parallel' | 'nextSlug'
  >): Promise<ChecksRan> {
  const { base, mode, hasUser } = client;
  const settings = {
    ...DEFAULTS,
    seed: 1,
    stage: 'never' as const,
    tour: 'none' as const,
    ...given,
    base,
    mode,
    client,
  };
  const config = {
    ...settings,
    ...(hints !== undefined && { hinted: hints }),
    plan: plan(checks, { ...settings, hasUser }),
  };
  const results = new Map<string, CheckResult>();
  const listener = { result: (result: CheckResult): void => void results.set(result.id, result) };
  const end = await runConfig(config, listener, new AbortController().signal);
  // In the order of the plan instead of the order in which they finished.
  const ordered = config.plan.flatMap(({ check: { id } }) => results.get(id) ?? []);
  return { ...end, results: new Map(ordered.map((one) => [one.id, one])) };
}

/** Which checks to run, and the site. */
export interface InProcessRun extends Given {
  readonly url: string;
  readonly mode: RunMode;
  readonly user?: { readonly user: string; readonly password: string };
}

/** Runs checks against a site like the command does, and removes what it wrote. */
export async function runInProcess({ url, mode, user, ...given }: InProcessRun): Promise<ChecksRan> {
  const { contract, journal } = given;
  const site = { ...DEFAULTS, base: new URL(url), mode, ...user };
  await using client = new Client(site);
  if (journal !== undefined) {
    await beginJournal(client, contract, journal, { target: url, user: user?.user });
  }
  // A client of their own, because checks also look at the requests that failed.
  await using asking = new Client(site);
  const ran = await runChecks({ client: asking, ...given });
  if (journal !== undefined) await cleanUp(client, contract, journal.path);
  return ran;
}

/** Runs the checks of an index that is at hand, and sends nothing. @returns undefined if the URL is invalid */
export async function checkDeclarations(
  contract: Contract,
  checks: readonly Check[],
  index: SiteIndex,
  { url, seed }: { readonly url: string; readonly seed: number },
): Promise<ReadonlyMap<string, CheckResult> | undefined> {
  if (!URL.canParse(url)) return undefined;
  // A client past its deadline sends nothing.
  const past = { concurrency: 1, timeout: 1, deadline: Date.now() - 1 };
  await using client = new Client({ base: new URL(url), mode: 'read', ...past });
  return (await runChecks({ client, contract, checks, index, seed })).results;
}
