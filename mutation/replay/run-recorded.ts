import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../client/client.ts';
import type { RunMode } from '../../client/mode.ts';
import { STANDARD_FUZZ } from '../../engine/fuzz-options.ts';
import { plan } from '../../engine/plan.ts';
import type { CheckResult } from '../../engine/result.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { beginJournal } from '../../suites/records/clean-up/census.ts';
import { cleanUp } from '../../suites/records/clean-up/clean-up.ts';
import { mostRecords } from '../../suites/records/own/most-records.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { noteUnknown } from './note-unknown.ts';

/** A run that is recorded and replayed. */
export interface RecordedRun {
  /** As in the name of its file. */
  readonly name: string;
  readonly mode: RunMode;
  /** Whether it has credentials. */
  readonly withUser: boolean;
}

/** All of them, in the order in which they are recorded: what writes comes last. */
export const RECORDED_RUNS: readonly RecordedRun[] = [
  { name: 'anonymous', mode: 'read', withUser: false },
  { name: 'read', mode: 'read', withUser: true },
  { name: 'write', mode: 'write', withUser: true },
];

/** The seed of every recorded run. */
export const SEED = 1;

/** What own records carry: the same in every recording, because a replay has to ask for the same. */
const TAG = 'sc-7e9a11';

/** What a run told. */
export interface Told {
  readonly results: ReadonlyMap<string, CheckResult>;
  /** Checks that asked a replay for what it does not know. */
  readonly untold: ReadonlySet<string>;
}

/**
 * Runs every check of `core` in the words of WordPress, one request after the other, so that the same site is asked the
 * same in the same order.
 * @param site address and, for a run that has them, credentials
 * @param options `beforeCleanUp` is called when all checks have run; then what was written is removed, and without it
 * nothing is, because a replay holds nothing. `only` are globs of the checks; all of them without
 * @throws TargetError when the site has no index
 */
export async function runRecorded(
  { mode, withUser }: RecordedRun,
  site: { readonly url: string; readonly user: string; readonly password: string },
  { beforeCleanUp, only = [] }: { beforeCleanUp?: () => void; only?: readonly string[] } = {},
): Promise<Told> {
  const contract = loadContract({ deployment: 'core', vocabulary: 'wordpress' });
  const noted = noteUnknown(allChecks(contract));
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  const own = new Client({
    base: new URL(site.url),
    mode,
    concurrency: 1,
    timeout: 60,
    ...(withUser && { user: site.user, password: site.password }),
  });
  try {
    const client = noted.client(own);
    const path = join(folder, 'journal.ndjson');
    const selected = plan(noted.checks, { only, skip: [], mode, hasUser: withUser });
    const { examples } = STANDARD_FUZZ;
    // The number that an owner is told holds there too.
    const most = mostRecords(contract, { plan: selected, stage: 'auto', examples });
    const journal = mode === 'write' ? { path, tag: TAG, most } : undefined;
    if (journal !== undefined) {
      await beginJournal(client, contract, journal, { target: site.url, user: site.user });
    }
    const { results } = await runChecks({
      client,
      contract,
      checks: noted.checks,
      only,
      seed: SEED,
      journal,
      parallel: 1,
      nextSlug: () => `${TAG}-${noted.nextWord()}`,
    });
    beforeCleanUp?.();
    if (journal !== undefined && beforeCleanUp !== undefined) await cleanUp(client, contract, path);
    return { results, untold: noted.untold };
  } finally {
    await own.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Verdicts by check id, without what was skipped. */
export function verdictsOf({ results }: Told): Record<string, string> {
  return Object.fromEntries(
    [...results.values()].filter(({ verdict }) => verdict !== 'skip').map(({ id, verdict }) => [id, verdict]),
  );
}
