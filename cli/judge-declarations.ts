import { readShownBase } from '../client/address.ts';
import { Client } from '../client/client.ts';
import type { SiteIndex } from '../client/site-index.ts';
import type { Check } from '../engine/check.ts';
import type { CheckResult } from '../engine/result.ts';
import type { Contract } from '../specs/model.ts';
import { runChecks } from '../suites/run-checks.ts';

/**
 * Evaluates checks against an index that is at hand: nothing is sent, so what needs a request stays inconclusive.
 * @param url where the index was found
 * @returns the results by check id; undefined for what is no address
 */
export async function judgeDeclarations(
  contract: Contract,
  checks: readonly Check[],
  index: SiteIndex,
  { url, seed }: { readonly url: string; readonly seed: number },
): Promise<ReadonlyMap<string, CheckResult> | undefined> {
  if (!URL.canParse(url)) return undefined;
  // A client whose time is over sends nothing.
  const deadline = Date.now() - 1;
  const client = new Client({ base: readShownBase(url), mode: 'read', concurrency: 1, timeout: 1, deadline });
  try {
    return (await runChecks({ client, contract, checks, index, seed })).results;
  } finally {
    await client.close();
  }
}
