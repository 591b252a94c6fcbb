import { afterAll, beforeAll } from 'vitest';
import type { Check } from '../../../engine/check.ts';
import type { CheckResult, Verdict } from '../../../engine/result.ts';
import type { Listening } from '../../../sites/listen.ts';
import {
  forward,
  jsonOf,
  type ProxyAnswer,
  type ProxyRequest,
  startProxy,
  withJson,
} from '../../../sites/proxy.ts';
import { loadContract } from '../../../specs/contract.ts';
import type { Contract } from '../../../specs/model.ts';
import { runInProcess } from '../../../suites/run-checks.ts';

/** What a faulty site makes of a healthy one: other arguments, or another answer. */
export interface Mutant {
  /** The parameters of a read as the healthy site gets them; the route stands in `rest_route`. */
  readonly asks?: (query: URLSearchParams) => void;
  /** The answer to a read as the caller gets it. */
  readonly answers?: (json: unknown, query: URLSearchParams) => unknown;
  /** The status of the answer to a read, when it is not the healthy one. */
  readonly status?: (query: URLSearchParams) => number | undefined;
}

/** Drops a parameter, or a member of one, such as `tags[operator]`. */
export const ignoring = (name: string): Mutant => ({
  asks: (query) => {
    for (const key of [...query.keys()]) if (key === name || key.startsWith(`${name}[`)) query.delete(key);
  },
});

/** The site that a faulty one stands in front of. */
export interface HealthySite {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Results of checks by id. */
export type Results = ReadonlyMap<string, CheckResult>;

/** A site in front of a healthy one. */
export interface FaultySite {
  /** Runs checks against it while it has a mutant, as the user of the healthy site unless given otherwise. */
  results(
    mutant: Mutant,
    checks: (contract: Contract) => readonly Check[],
    as?: 'anonymous',
  ): Promise<Results>;
}

/**
 * Starts a faulty site before the tests of a file and stops it after them.
 * @param healthy the site behind it, asked for when it is needed; @param deployment what that one serves
 */
export function faultySite(healthy: () => HealthySite | undefined, deployment: string): FaultySite {
  let mutant: Mutant = {};
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  let proxy: Listening | undefined;
  beforeAll(async () => {
    proxy = await startProxy(
      () => healthy()?.url ?? '',
      (asked) => answer(asked, mutant),
    );
  });
  afterAll(() => proxy?.close());
  return {
    async results(next, checks, as) {
      mutant = next;
      const user = as === 'anonymous' ? undefined : healthy();
      const run = { url: proxy?.url ?? '', contract, checks: checks(contract), mode: 'read' } as const;
      return (await runInProcess({ ...run, ...(user !== undefined && { user }) })).results;
    },
  };
}

async function answer(asked: ProxyRequest, mutant: Mutant): Promise<ProxyAnswer> {
  const url = new URL(asked.url);
  mutant.asks?.(url.searchParams);
  const query = asked.url.searchParams;
  const healthy = await forward({ ...asked, url });
  const status = mutant.status?.(query) ?? healthy.status;
  if (mutant.answers === undefined) return { ...healthy, status };
  return withJson({ ...healthy, status }, mutant.answers(jsonOf(healthy.body), query));
}

/** The ids of the checks that ended in one of the verdicts. */
export function idsWith(results: Results, ...verdicts: Verdict[]): string[] {
  return [...results.values()].filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
