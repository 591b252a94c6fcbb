import { loadContract } from '../specs/contract.ts';
import { namesIn } from '../specs/deployment.ts';
import type { Contract } from '../specs/model.ts';
import { allChecks } from '../suites/all-checks.ts';
import { unmatchedGlobs } from '../suites/plan.ts';
import { Client } from '../target/client.ts';
import { type FetchedIndex, fetchIndex } from '../target/fetch-index.ts';
import type { SiteIndex } from '../target/site-index.ts';
import { UsageError } from './usage-error.ts';

/**
 * Asks a target for its index before anything else happens, so that bad input ends in one line with nothing written.
 * @throws TargetError when nothing can be concluded; UsageError when the site speaks another vocabulary.
 */
export async function preflight(
  options: ConstructorParameters<typeof Client>[0],
  contract: Contract,
): Promise<FetchedIndex> {
  const client = new Client(options);
  try {
    const fetched = await fetchIndex(client);
    guardVocabulary(fetched.index, contract);
    return fetched;
  } finally {
    await client.close();
  }
}

/** A contract in the wrong words would fail everywhere and say nothing: better one line that names the right ones. */
function guardVocabulary(index: SiteIndex, contract: Contract): void {
  if (namespacesServed(index, contract) > 0) return;
  for (const vocabulary of namesIn('vocabularies').filter((name) => name !== contract.vocabulary)) {
    const other = loadContract({ deployment: 'core', vocabulary });
    if (namespacesServed(index, other) > 1) {
      throw new UsageError(
        `the site serves no namespace under the names of the vocabulary "${contract.vocabulary}", but it does under those of "${vocabulary}": use --vocabulary ${vocabulary}`,
      );
    }
  }
}

function namespacesServed(index: SiteIndex, contract: Contract): number {
  return contract.namespaces.filter(
    ({ name, wire }) => name.startsWith('cms') && index.namespaces.includes(wire),
  ).length;
}

/** @throws UsageError naming the globs of --only and --skip that match no check of the contract. */
export function guardGlobs(contract: Contract, only: readonly string[], skip: readonly string[]): void {
  const unmatched = unmatchedGlobs(allChecks(contract), [...only, ...skip]);
  if (unmatched.length > 0) {
    throw new UsageError(
      `${unmatched.map((glob) => `"${glob}"`).join(', ')} matches no check of this deployment: "plan" lists the ids (a glob's * stays within one part, ** crosses /)`,
    );
  }
}
