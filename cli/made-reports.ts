import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redactor } from '../client/redact.ts';
import type { RunResult } from '../engine/result.ts';
import { visibleLine } from '../engine/text.ts';
import type { ReportFile } from '../reports/files.ts';
import { print, printCommands } from '../reports/print.ts';
import type { ChosenReporter, Reporter } from '../reports/reporters/reporter.ts';
import { writeReports } from '../reports/reporters/write-reports.ts';

/** The reports that a run or `report` has made. */
interface MadeReports {
  readonly files: readonly ReportFile[];
  /** Whether every reporter made its report. */
  readonly complete: boolean;
}

/**
 * Makes the reports of one run; a reporter that fails is told on standard error in one line.
 * @param source the folder of the run, where its reports go elsewhere
 * @throws the error of the file system where `results.json` cannot be written
 */
export async function makeReports(
  folder: string,
  result: RunResult,
  chosen: readonly ChosenReporter[],
  hide: Redactor,
  source: string = folder,
): Promise<MadeReports> {
  const { files, failed } = await writeReports(folder, result, chosen, printReport, source);
  for (const { given, error } of failed) tellFailed(given, error, hide);
  return { files, complete: failed.length === 0 };
}

/** Keeps what was printed of one target among several; it is worth less than the run: a full disk is told by the reports. */
export function keepTerminal(folder: string, text: string): void {
  try {
    writeFileSync(join(folder, 'terminal.txt'), text);
  } catch {}
}

/** Writes a report to standard output, whole, for programs to read. */
export function printReport(report: string, { commands }: Reporter): void {
  if (commands === true) printCommands(process.stdout, report);
  else print(process.stdout, report, Number.POSITIVE_INFINITY);
}

/** Says in one line that a reporter failed. */
export function tellFailed(given: string, error: unknown, hide: Redactor): void {
  const why = error instanceof Error ? error.message : String(error);
  print(
    process.stderr,
    `site-conformance: ${visibleLine(hide(`the reporter ${given} failed, the other reports are made (${why})`))}\n`,
  );
}
