import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TargetError } from '../client/target-error.ts';
import { type Alteration, altered } from '../sites/alterations/alteration.ts';
import { type Served, type ServeOptions, serve } from '../sites/reference/serve.ts';
import { type InProcessResults, type InProcessRun, runInProcess } from '../suites/run-checks.ts';

/** What is run against a site. */
interface SiteRun extends Omit<InProcessRun, 'url' | 'user' | 'journal'> {
  /** Without credentials, and so without a journal. */
  readonly anonymous?: boolean;
}

let runs = 0;

/**
 * Runs checks against a site that is up, as its user and with a journal of its own, which is removed.
 * @throws TargetError when the site has no index
 */
export async function runAgainst(
  { url, user, password }: Pick<Served, 'url' | 'user' | 'password'>,
  { anonymous = false, ...run }: SiteRun,
): Promise<InProcessResults> {
  runs += 1;
  const folder = mkdtempSync(join(tmpdir(), 'prove-'));
  const journal = { path: join(folder, 'journal.ndjson'), tag: `sc-prove-${process.pid}-${runs}` };
  try {
    return await runInProcess({ ...run, url, ...(!anonymous && { user: { user, password }, journal }) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run against a reference deployment of its own. */
interface ReferenceRun extends SiteRun, Pick<ServeOptions, 'deployment'> {
  /** In what it differs from the healthy one; in nothing without. */
  readonly alterations?: readonly Pick<Alteration, 'behaviour'>[];
}

/** Runs checks against a reference deployment with some alterations. @throws TargetError when it has no index */
export async function runOnReference({
  deployment,
  alterations = [],
  ...run
}: ReferenceRun): Promise<InProcessResults> {
  const site = await serve({ deployment, behaviour: altered(alterations) });
  try {
    return await runAgainst(site, run);
  } finally {
    await site.close();
  }
}

/** The ids of the checks of a run that report something; `index` alone when the site has no index. */
export async function noticedBy(running: Promise<Pick<InProcessResults, 'results'>>): Promise<string[]> {
  try {
    const { results } = await running;
    return [...results.values()]
      .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
      .map(({ id }) => id);
  } catch (error) {
    if (error instanceof TargetError) return ['index'];
    throw error;
  }
}
