import type { RunResult } from '../../engine/result.ts';
import type { RunEvent } from '../../engine/run-event.ts';

/** The name of a file that stands for standard output. */
export const STANDARD_OUTPUT = '-';

/** A report in memory, or in parts where it may be large. */
export type Rendered = string | Uint8Array | Iterable<string>;

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
