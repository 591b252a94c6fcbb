import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TargetError } from '../../client/target-error.ts';
import type { Check } from '../../engine/check.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import type { Contract as RawContract } from '../../reference/contract.ts';
import type { Contract } from '../../specs/model.ts';
import type { KnownMutant } from '../../suites/coverage/coverage.ts';
import { runInProcess } from '../../suites/run-checks.ts';
import { reported } from './outcome.ts';

/** A site that is up and has a mutant. */
export interface MutatedSite {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** What every run of a mutant has in common. */
export interface BehaviourRuns {
  readonly contract: Contract;
  readonly checks: readonly Check[];
  /** Folder for the journals of the runs, each removed after its run. */
  readonly folder: string;
  readonly seed: number;
}

let runs = 0;

/**
 * Runs the checks that a glob selects against a site, in mode full as its user.
 * @param examples how many the fuzz checks try; as many as a run without options unless given
 * @returns the ids of those that report something; `index` alone when the site has no index
 */
export async function runBehaviour(
  { contract, checks, folder, seed }: BehaviourRuns,
  { url, user, password }: MutatedSite,
  only: readonly string[],
  examples?: number,
): Promise<string[]> {
  runs += 1;
  const path = join(folder, `${process.pid}-${runs}.ndjson`);
  try {
    const { results } = await runInProcess({
      url,
      contract,
      checks,
      mode: 'full',
      user: { user, password },
      only,
      seed,
      ...(examples !== undefined && { fuzz: { examples, kept: [] } }),
      journal: { path, tag: `sc-mutant-${process.pid}-${runs}` },
    });
    return reported(results.values());
  } catch (error) {
    if (error instanceof TargetError) return ['index'];
    throw error;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Checks that run beside those of the broken operation: what fails there as well is no root cause. */
const BESIDE = ['posts.read/answers/**', 'pages.list/per_page/**', 'slugs/pages/**'];

/** What only sets of arguments or sequences show takes more of them than a run without options tries. */
export function examplesFor({ breaks }: KnownMutant): number | undefined {
  if (breaks.endsWith('/fuzz/robust') || breaks.startsWith('lifecycle/')) return PROFILES.deep;
  return breaks.includes('/fuzz/') ? PROFILES.nightly : undefined;
}

/** The globs of the checks that a mutant is run against: those of its operation or topic, and a few others. */
export function globsFor({ breaks }: KnownMutant, { operations }: RawContract): string[] {
  const [first = '', second] = breaks.split('/');
  const topic = first.includes('.') || second === undefined ? first : `${first}/${second}`;
  const { resource, role } = operations.find(({ id }) => id === first) ?? {};
  const own = resource?.kind === 'revisions' && role === 'list' ? [`revisions/${resource.parent?.id}`] : [];
  return [...new Set([breaks, topic, ...own, ...BESIDE])];
}
