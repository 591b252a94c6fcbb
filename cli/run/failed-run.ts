import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resultDocument } from '../../engine/finish.ts';
import type { RunResult } from '../../engine/result.ts';
import { productTool } from '../../engine/version.ts';
import { writeSummary } from '../../reports/files.ts';
import { EventLog, eventsOf } from '../../reports/read-events.ts';
import { REPORTERS, USUAL } from '../../reports/reporters/registry.ts';
import { type ChosenReporter, writeReports } from '../../reports/reporters/reporter.ts';
import { lockFolder } from '../shell/lock-folder.ts';
import { openOutFolder } from '../shell/out-folder.ts';
import { printReport } from './reporters.ts';

/** A run that ended without a result of its own, as far as it is known what it was about. */
export interface FailedRun {
  /** The exit code. */
  readonly code: number;
  /** What was printed: one line. */
  readonly reason: string;
  readonly target?: Partial<RunResult['target']>;
  readonly mode?: RunResult['run']['mode'];
  /** The reports that were asked for; the usual ones where that is not known. */
  readonly reporters?: readonly ChosenReporter[] | undefined;
}

/**
 * Replaces the reports of an earlier run by one that concludes nothing. After wrong usage it does so only in a folder that
 * holds such reports or is empty: a misspelt name makes no folder. It touches nothing while another run writes there, or where
 * it would replace a file that no run wrote. What cannot be written is left out, because the reason was printed.
 */
export async function recordFailure(out: string, failed: FailedRun): Promise<void> {
  const path = resolve(out);
  if (out === '' || (failed.code === 2 && !existsSync(path))) return;
  try {
    const folder = openOutFolder(out, []);
    if (failed.code === 2 && !folder.isEmpty && !folder.holdsReports) return;
    const release = lockFolder(folder.path);
    try {
      const hadSummary = existsSync(join(path, 'summary.json'));
      folder.clear();
      if (hadSummary && !existsSync(join(path, 'summary.json'))) {
        writeSummary(path, { format: 1, conclusion: 'inconclusive', deployments: [] });
      }
      await writeFailure(path, failed);
    } finally {
      release();
      folder.abandon();
    }
  } catch {}
}

/** Says the same of a run that had begun, beside its events; what cannot be written is left out. */
export async function recordFailureOf(folder: string, failed: FailedRun): Promise<void> {
  try {
    await writeFailure(folder, failed);
  } catch {}
}

async function writeFailure(folder: string, failed: FailedRun): Promise<void> {
  const result = resultOfFailure(failed);
  const events = join(folder, 'events.ndjson');
  if (!existsSync(events)) {
    const log = new EventLog(events);
    for (const event of eventsOf(result)) log.append(event);
    log.close();
  }
  await writeReports(folder, result, failed.reporters ?? usual(), printReport);
}

function usual(): ChosenReporter[] {
  return USUAL.flatMap((given) => {
    const reporter = REPORTERS[given];
    return reporter === undefined ? [] : [{ given, reporter }];
  });
}

/** The result of a run that ended before its first check. */
export function resultOfFailure({ reason, target, mode }: Omit<FailedRun, 'code'>): RunResult {
  const started = new Date().toISOString();
  const tool = { ...productTool(), contract: '' };
  const run = { id: started.replaceAll(/[-:.TZ]/g, ''), started, mode: mode ?? 'read', seed: 0 };
  return resultDocument(
    { tool, target: { url: '', deployment: '', vocabulary: '', index: '', ...target }, run },
    { checks: [], notices: [], fields: [] },
    {
      ...{ seconds: 0, requests: 0, retries: 0, ended: 'before the first check' },
      conclusion: 'inconclusive',
      reason,
    },
  );
}
