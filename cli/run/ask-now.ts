import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redactor } from '../../client/redact.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import type { RunSettings } from '../options.ts';
import { UsageError } from '../shell/errors.ts';
import { runCommand } from './run-targets.ts';

/** What came of one check that was asked for alone. */
interface AskedNow {
  readonly check: CheckResult;
  readonly target: RunResult['target'];
  /** Sent for it, those before the first check among them. */
  readonly requests: number;
  /** As `run` ends. */
  readonly code: number;
}

/** What a check is run against, as `run` takes it. */
export type AskedTarget = Pick<
  RunSettings,
  'target' | 'user' | 'mode' | 'confirmHost' | 'deployment' | 'vocabulary' | 'checks'
>;

/**
 * Runs one check alone against a target, and keeps no report: what it depends on is not asked.
 * @param known the deployment that has it: the embedded one is asked where no target is named
 * @throws UsageError, TargetError as `run` does
 */
export async function askNow(
  id: string,
  known: string,
  { target, user, mode, confirmHost, deployment, vocabulary, checks }: AskedTarget,
  hide: Redactor,
): Promise<AskedNow> {
  const out = mkdtempSync(join(tmpdir(), 'site-conformance-now-'));
  const settings: RunSettings = {
    ...(target !== undefined && { target }),
    ...(user !== undefined && { user }),
    ...(mode !== undefined && { mode }),
    ...(confirmHost !== undefined && { confirmHost }),
    ...((deployment !== undefined || target === undefined) && { deployment: deployment ?? known }),
    ...(vocabulary !== undefined && { vocabulary }),
    ...(checks !== undefined && { checks }),
    only: [id],
    reporter: [],
    out,
  };
  let result: RunResult | undefined;
  const finished = (one: RunResult): void => {
    result = one;
  };
  try {
    const code = await runCommand(settings, hide, { quiet: true, finished });
    const check = result?.checks.find((one) => one.id === id);
    if (result === undefined || check === undefined) throw new UsageError(`${id} was not asked`);
    return { check, target: result.target, requests: result.run.requests, code };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
