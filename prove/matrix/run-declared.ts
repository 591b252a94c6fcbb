import { readBase } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { looksLikeIndex, readIndex } from '../../client/site-index.ts';
import type { Check } from '../../engine/check.ts';
import type { Contract } from '../../specs/model.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { reported } from './outcome.ts';

/** Runs checks against index documents, without any request. */
export interface DeclaredRuns {
  /** The ids of the checks that report something about an index document; `index` alone when it is none. */
  failed(document: unknown): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Prepares runs of the checks that an index decides alone.
 * @param checks those of them that send requests are left out by the caller
 */
export function declaredRuns(contract: Contract, checks: readonly Check[]): DeclaredRuns {
  const base = readBase('http://127.0.0.1:9');
  const client = new Client({ base, mode: 'read', concurrency: 1, timeout: 1 });
  return {
    async failed(document) {
      if (!looksLikeIndex(document)) return ['index'];
      const { results } = await runChecks({ client, contract, checks, index: readIndex(document, '') });
      return reported(results.values());
    },
    close: () => client.close(),
  };
}
