import { readShownBase } from '../../client/address.ts';
import { parseJson } from '../../client/answer.ts';
import { Client } from '../../client/client.ts';
import { looksLikeIndex, readIndex, type SiteIndex } from '../../client/site-index.ts';
import type { Check } from '../../engine/check.ts';
import type { CheckResult } from '../../engine/result.ts';
import { listed } from '../../engine/text.ts';
import { type Contents, FILES } from '../../reports/certificate/documents.ts';
import { type Problem, problem } from '../../reports/certificate/read.ts';
import { loadContract } from '../../specs/contract.ts';
import type { Contract } from '../../specs/model.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runChecks } from '../../suites/run-checks.ts';

/**
 * Evaluates checks against an index that is at hand: nothing is sent, so what needs a request stays inconclusive.
 * @param url where the index was found
 * @returns the results by check id; undefined for what is no address
 */
export async function checkDeclarations(
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

const MOST_NAMED = 10;
const MOST_VALUES = 3_000_000;
/** What contradicts another verdict; the rest says that something was inconclusive. */
const CONCLUSIVE: ReadonlySet<string | undefined> = new Set(['pass', 'fail', 'warn']);

/** What came of evaluating an index again. */
interface IndexChecked {
  /** How many verdicts about the index could be compared. */
  readonly compared: number;
  readonly problems: readonly Problem[];
}

/**
 * Evaluates again, without a network, what the index of a certificate declares: its verdicts must be those of the results.
 * What only a request could show is left as it is.
 * @param index the bytes of `index.json`, as the site gave them
 */
export async function checkIndexAgain({ results }: Contents, index: Uint8Array): Promise<IndexChecked> {
  const { text, json, problem: why } = parseJson(Buffer.from(index), MOST_VALUES);
  if (why !== undefined || !looksLikeIndex(json)) {
    return { compared: 0, problems: [problem(FILES.index, why ?? 'is no index')] };
  }
  const { deployment, vocabulary, url } = results.target;
  const contract = loadContract({ deployment, vocabulary });
  const checks = allChecks(contract).filter(({ about }) => about === 'declaration');
  const { seed } = results.run;
  const again = await checkDeclarations(contract, checks, readIndex(json, text), { url, seed });
  if (again === undefined) return { compared: 0, problems: [problem(FILES.results, 'is of no address')] };
  return compare(results.checks, again);
}

function compare(checks: readonly CheckResult[], again: ReadonlyMap<string, CheckResult>): IndexChecked {
  const conclusive = checks.filter(
    ({ id, verdict }) => CONCLUSIVE.has(verdict) && CONCLUSIVE.has(again.get(id)?.verdict),
  );
  const other = conclusive.filter(({ id, verdict }) => again.get(id)?.verdict !== verdict);
  const names = other.map(
    ({ id, verdict }) => `${id} (${verdict}, by ${FILES.index} ${again.get(id)?.verdict})`,
  );
  return {
    compared: conclusive.length,
    problems:
      other.length === 0
        ? []
        : [problem(FILES.results, `says otherwise than its index: ${listed(names, MOST_NAMED)}`)],
  };
}
