import { parseJson } from '../client/answer.ts';
import { looksLikeIndex, readIndex } from '../client/site-index.ts';
import type { CheckResult } from '../engine/result.ts';
import { type Contents, FILES } from '../reports/certificate/documents.ts';
import { type Problem, problem } from '../reports/certificate/read.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { judgeDeclarations } from './judge-declarations.ts';

const MOST_NAMED = 10;
const MOST_VALUES = 3_000_000;
/** What contradicts another verdict; the rest says that something could not be told. */
const TOLD: ReadonlySet<string | undefined> = new Set(['pass', 'fail', 'warn']);

/** What came of judging an index again. */
export interface JudgedAgain {
  /** How many verdicts about the index could be compared. */
  readonly compared: number;
  readonly problems: readonly Problem[];
}

/**
 * Judges again, without a network, what the index of a certificate declares: its verdicts must be those of the results.
 * What could only be told with a request is left as it is.
 * @param index the bytes of `index.json`, as the site gave them
 */
export async function judgeIndexAgain({ results }: Contents, index: Uint8Array): Promise<JudgedAgain> {
  const { text, json, problem: why } = parseJson(Buffer.from(index), MOST_VALUES);
  if (why !== undefined || !looksLikeIndex(json)) {
    return { compared: 0, problems: [problem(FILES.index, why ?? 'is no index')] };
  }
  const { deployment, vocabulary, url } = results.target;
  const contract = loadContract({ deployment, vocabulary });
  const checks = allChecks(contract).filter(({ about }) => about === 'declaration');
  const { seed } = results.run;
  const again = await judgeDeclarations(contract, checks, readIndex(json, text), { url, seed });
  if (again === undefined) return { compared: 0, problems: [problem(FILES.results, 'is of no address')] };
  return compare(results.checks, again);
}

function compare(checks: readonly CheckResult[], again: ReadonlyMap<string, CheckResult>): JudgedAgain {
  const told = checks.filter(({ id, verdict }) => TOLD.has(verdict) && TOLD.has(again.get(id)?.verdict));
  const other = told.filter(({ id, verdict }) => again.get(id)?.verdict !== verdict);
  const named = other
    .slice(0, MOST_NAMED)
    .map(({ id, verdict }) => `${id} (${verdict}, by ${FILES.index} ${again.get(id)?.verdict})`);
  const more = other.length > MOST_NAMED ? ` and ${other.length - MOST_NAMED} more` : '';
  return {
    compared: told.length,
    problems:
      other.length === 0
        ? []
        : [problem(FILES.results, `says otherwise than its index: ${named.join(', ')}${more}`)],
  };
}
