import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from '../engine/result.ts';
import { type ServeOptions, serve } from '../reference/serve.ts';
import { type InProcessRun, runInProcess } from '../suites/run-checks.ts';

/** What is run, and on which site. */
export interface ReferenceRun
  extends Pick<InProcessRun, 'contract' | 'checks' | 'mode' | 'only'>,
    Pick<ServeOptions, 'deployment' | 'behaviour'> {}

/** Runs checks on a reference deployment of their own, as its user and with a journal. @returns the results by check id */
export async function runOnReference({
  deployment,
  behaviour = {},
  ...run
}: ReferenceRun): Promise<ReadonlyMap<string, CheckResult>> {
  const folder = mkdtempSync(join(tmpdir(), 'run-on-reference-'));
  const site = await serve({ deployment, behaviour });
  try {
    const { results } = await runInProcess({
      ...run,
      url: site.url,
      user: { user: site.user, password: site.password },
      journal: { path: join(folder, 'journal.ndjson'), tag: `sc-reference-${process.pid}` },
    });
    return results;
  } finally {
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
