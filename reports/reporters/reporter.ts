import { join } from 'node:path';
import type { RunResult } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import { jsonText, type ReportFile, writeAtomically } from '../files.ts';
import { print, printCommands } from '../print.ts';

/** The file name for standard output. */
export const STANDARD_OUTPUT = '-';

type Rendered = string | Uint8Array | Iterable<string>;

/** The folder with the events and other files of the run. */
type ReportContext = { readonly folder: string };

/** The recording of the exchanges in the reports folder: HAR 1.2 entries, one in each line, if a reporter wants it. */
export const EXCHANGES = 'exchanges.ndjson';

interface NamedReporter {
  /** Its label in the list of reports; default: its name, or the path of its module. */
  readonly label?: string;
  /** The default file in the reports folder; `-` for standard output. */
  readonly file: string;
  /** Whether to record exchanges to `exchanges.ndjson` in the folder, one HAR entry in each line. */
  readonly exchanges?: boolean;
  /** Whether its lines are intended commands to a CI server. In other reports these are escaped. */
  readonly commands?: boolean;
  /** A package that users must install for this report. */
  readonly needs?: string;
  /** Receives each event of the run in order, before the report is made. */
  onEvent?(event: RunEvent): void;
}

/**
 * A reporter renders one text or one file of bytes, or writes a folder itself, at the path from `file` or the caller.
 * The same result gives the same report, so that reports can be made again from events. A user's module exports one as
 * its default.
 */
export type Reporter = NamedReporter &
  (
    | { render(result: RunResult, context: ReportContext): Rendered | Promise<Rendered> }
    | { write(result: RunResult, place: string, context: ReportContext): void | Promise<void> }
  );

/** A selected reporter, with its file if the caller named one. */
export interface ChosenReporter {
  readonly given: string;
  readonly reporter: Reporter;
  readonly file?: string;
}

/** Hears which reporter failed, by the name that the caller gave. */
type ReporterFailed = (given: string, error: unknown) => void;

/** The path of a report; `-` for standard output. */
export function reportPlace({ reporter, file }: ChosenReporter, folder: string): string {
  if (file !== undefined) return file;
  return reporter.file === STANDARD_OUTPUT ? STANDARD_OUTPUT : join(folder, reporter.file);
}

/**
 * Writes `results.json` and the chosen reports of a run, each file completely or not at all. A failing reporter does
 * not affect the others. Synchronous reports are written before this returns.
 * @param source the folder with the run's files, if it is another one
 * @returns the written files
 * @throws the error of the file system if `results.json` cannot be written
 */
export async function writeReports(
  folder: string,
  result: RunResult,
  chosen: readonly ChosenReporter[],
  failed: ReporterFailed,
  source: string = folder,
): Promise<ReportFile[]> {
  const context = { folder: source };
  const results = join(folder, 'results.json');
  writeAtomically(results, jsonText(result));
  const files: ReportFile[] = [{ label: 'results', path: results }];
  for (const one of chosen) {
    const { reporter, given } = one;
    const path = reportPlace(one, folder);
    if (path === results) continue;
    try {
      if ('write' in reporter) await reporter.write(result, path, context);
      else {
        const made = reporter.render(result, context);
        put(checked(made instanceof Promise ? await made : made), path, reporter);
      }
      if (path !== STANDARD_OUTPUT) files.push({ label: reporter.label ?? given, path });
    } catch (error) {
      failed(given, error);
    }
  }
  return files;
}

function put(rendered: Rendered, path: string, { commands }: NamedReporter): void {
  if (path !== STANDARD_OUTPUT) {
    writeAtomically(path, rendered);
    return;
  }
  const isBytes = rendered instanceof Uint8Array;
  const text = isBytes ? Buffer.from(rendered).toString() : [...rendered].join('');
  if (commands === true) printCommands(process.stdout, text);
  else print(process.stdout, text, Number.POSITIVE_INFINITY);
}

/** Passes an event to the reporters that want it. A failing one is reported once and gets no more events. */
export function eventSink(
  chosen: readonly ChosenReporter[],
  failed: ReporterFailed,
): (event: RunEvent) => void {
  const listening = new Set(chosen.filter(({ reporter }) => reporter.onEvent !== undefined));
  return (event) => {
    for (const one of listening) {
      try {
        one.reporter.onEvent?.(event);
      } catch (error) {
        listening.delete(one);
        failed(one.given, error);
      }
    }
  };
}

function checked(rendered: Rendered): Rendered {
  const given: unknown = rendered;
  const isParts = typeof given === 'object' && given !== null && Symbol.iterator in given;
  if (typeof given === 'string' || isParts) return rendered;
  throw new Error('render returned neither a text nor bytes nor parts of a text');
}
