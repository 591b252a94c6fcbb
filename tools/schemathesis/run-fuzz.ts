import { join } from 'node:path';
import type { Contract } from '../../specs/model.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runInProcess } from '../../suites/run-checks.ts';
import type { CountedSite } from './counted-site.ts';

/** One run of the fuzz checks. */
interface FuzzRun {
  readonly folder: string;
  readonly site: CountedSite;
  readonly contract: Contract;
  /** Globs of check ids. */
  readonly only: readonly string[];
  readonly examples: number;
  readonly seed: number;
  readonly writes: boolean;
  readonly user: { readonly user: string; readonly password: string } | undefined;
}

let runs = 0;

/** Runs fuzz checks against a site. @returns the ids of those that report something */
export async function runFuzz(run: FuzzRun): Promise<string[]> {
  const { folder, site, contract, only, examples, seed, writes, user } = run;
  runs += 1;
  const tag = `sc-compare-${process.pid}-${runs}`;
  const { results } = await runInProcess({
    url: site.url,
    contract,
    checks: allChecks(contract),
    mode: writes ? 'write' : 'read',
    only,
    seed,
    fuzz: { examples, kept: [] },
    ...(user !== undefined && { user }),
    ...(writes && { journal: { path: join(folder, `${tag}.ndjson`), tag } }),
  });
  return [...results.values()]
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id }) => id);
}
