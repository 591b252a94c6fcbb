import { Client, type Traffic } from '../client/client.ts';
import type { RunMode } from '../client/mode.ts';
import { beginJournal } from './records/clean-up/begin-journal.ts';
import { cleanUp } from './records/clean-up/clean-up.ts';
import { type ChecksRan, type ChecksRun, runChecks } from './run-checks.ts';

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
export async function runInProcess({ url, mode, user, ...run }: InProcessRun): Promise<InProcessResults> {
  const { contract, journal } = run;
  const client = new Client({ base: new URL(url), mode, concurrency: 4, timeout: 30, ...user });
  try {
    if (journal !== undefined) {
      await beginJournal(client, contract, journal, { target: url, user: user?.user });
    }
    const { results, stage } = await runChecks({ ...run, client });
    if (journal !== undefined) await cleanUp(client, contract, journal.path);
    return { results, stage, traffic: client.traffic };
  } finally {
    await client.close();
  }
}
