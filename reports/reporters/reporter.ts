import { join } from 'node:path';
import type { RunResult } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';
import { jsonText, type ReportFile, writeAtomically } from '../files.ts';

/** The name of a file that stands for standard output. */
export const STANDARD_OUTPUT = '-';

/** A report in memory, or in parts where it may be large. */
type Rendered = string | Uint8Array | Iterable<string>;

/** What a reporter may know beside the result. */
interface ReportContext {
  /** The folder with the events of the run, and what else it has left there. */
  readonly folder: string;
}

/** The recording of the exchanges in the folder for reports: an entry of HAR 1.2 a line, where a reporter wants it. */
export const EXCHANGES = 'exchanges.ndjson';

interface NamedReporter {
  /** The name that `--reporter` takes; of a module of the user, its path will do. */
  readonly name?: string;
  /** What the list of reports at the end calls it; its name unless given. */
  readonly label?: string;
  /** Its file in the folder for reports, unless the caller names one; `-` for standard output. */
  readonly file: string;
  /** Whether the exchanges are to be recorded, in `exchanges.ndjson` of the folder: an entry of HAR a line. */
  readonly exchanges?: boolean;
  /** Whether its lines are commands to a CI server, which are disarmed on standard output in any other report. */
  readonly commands?: boolean;
  /** A package that it needs, which people install who want this report. */
  readonly needs?: string;
  /** Takes each event of the run as it comes, in order, before the report is made. */
  onEvent?(event: RunEvent): void;
}

/** A report that is one text or one file of bytes. */
interface TextReporter extends NamedReporter {
  render(result: RunResult, context: ReportContext): Rendered | Promise<Rendered>;
}

/** A report that is a folder, or that another program writes. */
interface FolderReporter extends NamedReporter {
  /** @param place the path that `file` or the caller names */
  write(result: RunResult, place: string, context: ReportContext): void | Promise<void>;
}

/**
 * What makes a report of a run. The same result gives the same report, so that a run's reports can be made again from
 * its events; a module of a user exports one as its default.
 */
export type Reporter = TextReporter | FolderReporter;

/** A reporter that a run was asked for, and the file for it where the caller named one. */
export interface ChosenReporter {
  /** As the caller gave it, for messages. */
  readonly given: string;
  readonly reporter: Reporter;
  readonly file?: string;
}

/** What came of the reports of a run. */
interface WrittenReports {
  readonly files: ReportFile[];
  /** A reporter that failed, with why. */
  readonly failed: { readonly given: string; readonly error: unknown }[];
}

/** The path of a report; `-` for standard output. */
export function placeOf({ reporter, file }: ChosenReporter, folder: string): string {
  if (file !== undefined) return file;
  return reporter.file === STANDARD_OUTPUT ? STANDARD_OUTPUT : join(folder, reporter.file);
}

/**
 * Writes `results.json` and the chosen reports of one run, each file whole or not at all. A reporter that fails is reported,
 * and keeps no other from being made. What needs no waiting is written before this returns.
 * @param print writes a report to standard output
 * @param source the folder with what the run has left, where that is another one
 * @throws the error of the file system where `results.json` cannot be written
 */
export async function writeReports(
  folder: string,
  result: RunResult,
  chosen: readonly ChosenReporter[],
  print: (report: string, reporter: Reporter) => void,
  source: string = folder,
): Promise<WrittenReports> {
  const written: WrittenReports = { files: [], failed: [] };
  const context = { folder: source };
  const results = join(folder, 'results.json');
  writeAtomically(results, jsonText(result));
  written.files.push({ label: 'results', path: results });
  for (const one of chosen) {
    const { reporter, given } = one;
    const path = placeOf(one, folder);
    if (path === results) continue;
    try {
      if ('write' in reporter) {
        await reporter.write(result, path, context);
      } else {
        const made = reporter.render(result, context);
        const rendered = checked(made instanceof Promise ? await made : made);
        if (path === STANDARD_OUTPUT) print(textOf(rendered), reporter);
        else writeAtomically(path, rendered);
      }
      if (path !== STANDARD_OUTPUT) written.files.push({ label: reporter.label ?? given, path });
    } catch (error) {
      written.failed.push({ given, error });
    }
  }
  return written;
}

/** Hands an event to the reporters that want it; one that fails is reported once, and hears no more. */
export function eventSink(
  chosen: readonly ChosenReporter[],
  failed: (given: string, error: unknown) => void,
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

/** A module of a user may return anything. */
function checked(rendered: Rendered): Rendered {
  const given: unknown = rendered;
  if (
    typeof given === 'string' ||
    (typeof given === 'object' && given !== null && Symbol.iterator in given)
  ) {
    return rendered;
  }
  throw new Error('render returned neither a text nor bytes nor parts of a text');
}

function textOf(rendered: Rendered): string {
  if (typeof rendered === 'string') return rendered;
  return rendered instanceof Uint8Array ? Buffer.from(rendered).toString() : [...rendered].join('');
}
