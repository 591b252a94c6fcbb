import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resultDocument } from '../../engine/finish.ts';
import type { RunResult } from '../../engine/result.ts';
import { productTool } from '../../engine/version.ts';
import { writeSummary } from '../../reports/files.ts';
import { EventLog } from '../../reports/read-events.ts';
import { REPORTERS, USUAL } from '../../reports/reporters/registry.ts';
import { type ChosenReporter, writeReports } from '../../reports/reporters/reporter.ts';
import { DEFAULTS } from '../../suites/run-config.ts';
import { lockFolder } from '../shell/lock-folder.ts';
import { type OutFolder, openOutFolder } from '../shell/out-folder.ts';
import { standsIn } from './repeat.ts';

/** A run that ended without a result, with what is known about it. */
export interface FailedRun {
  readonly code: number;
  readonly reason: string;
  readonly target?: Partial<RunResult['target']>;
  readonly mode?: RunResult['run']['mode'];
  /** The requested reports; the usual ones if unknown. */
  readonly reporters?: readonly ChosenReporter[] | undefined;
}

/** Replaces the reports of an earlier run by an inconclusive one, where `replaceReports` allows it. */
export function recordFailure(out: string, failed: FailedRun): Promise<void> {
  return replaceReports(out, failed.code, async (folder) => {
    const summary = join(folder.path, 'summary.json');
    const hadSummary = existsSync(summary);
    folder.clear();
    if (hadSummary && !existsSync(summary)) {
      writeSummary(folder.path, { format: 1, conclusion: 'inconclusive', deployments: [] });
    }
    await writeFailure(folder.path, failed);
  });
}

/** The same after wrong usage of the command line, unless the folder holds the results to compare with. */
export async function recordMisuse(args: readonly string[], failed: FailedRun): Promise<void> {
  const out = valueIn(args, '--out') ?? DEFAULTS.out;
  if (!standsIn(out, valueIn(args, '--baseline'))) await recordFailure(out, failed);
}

function valueIn(args: readonly string[], option: string): string | undefined {
  const joined = args.findLast((arg) => arg.startsWith(`${option}=`))?.slice(option.length + 1);
  const at = args.lastIndexOf(option);
  return at === -1 ? joined : args[at + 1];
}

/**
 * Replaces the reports in a folder, unless another run writes there. After wrong usage the name may be misspelt, so the
 * folder must be empty or have such reports. Errors of writing are ignored, because the reason was printed.
 */
export async function replaceReports(
  out: string,
  code: number,
  write: (folder: OutFolder) => void | Promise<void>,
): Promise<void> {
  if (out === '' || (code === 2 && !existsSync(resolve(out)))) return;
  try {
    using folder = openOutFolder(out, []);
    if (code === 2 && !folder.isFree) return;
    using _lock = lockFolder(folder.path);
    await write(folder);
  } catch {}
}

/** Writes the same next to the events of a run that had begun. Errors of writing are ignored. */
export async function recordFailureOf(folder: string, failed: FailedRun): Promise<void> {
  try {
    await writeFailure(folder, failed);
  } catch {}
}

async function writeFailure(folder: string, failed: FailedRun): Promise<void> {
  const result = resultOfFailure(failed);
  const events = join(folder, 'events.ndjson');
  if (!existsSync(events)) {
    const { tool, target, run, conclusion, reason } = result;
    const { ended = '', seconds, requests, retries, ...head } = run;
    const log = new EventLog(events);
    log.append({ event: 'start', tool, target, run: head, planned: 0 });
    log.append({ event: 'end', conclusion, reason, seconds, requests, retries, ended });
    log.close();
  }
  const usual = USUAL.flatMap((given) => {
    const reporter = REPORTERS[given];
    return reporter === undefined ? [] : [{ given, reporter }];
  });
  await writeReports(folder, result, failed.reporters ?? usual, () => undefined);
}

const NOTHING_DONE = { seconds: 0, requests: 0, retries: 0 };

/** The result of a run that ended before its first check. */
export function resultOfFailure({ reason, target, mode }: Omit<FailedRun, 'code'>): RunResult {
  const started = new Date().toISOString();
  const tool = { ...productTool(), contract: '' };
  const run = { id: started.replaceAll(/[-:.TZ]/g, ''), started, mode: mode ?? 'read', seed: 0 };
  return resultDocument(
    { tool, target: { url: '', deployment: '', vocabulary: '', index: '', ...target }, run },
    { checks: [], notices: [], fields: [] },
    { ...NOTHING_DONE, ended: 'before the first check', conclusion: 'inconclusive', reason },
  );
}
