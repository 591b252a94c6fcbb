import { spawn } from 'node:child_process';
import { messageOf } from '../../engine/text.ts';
import { jsonText, type ReportFile, writeAtomically } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { renderTerminal, wantsColour } from '../../reports/renderers/terminal.ts';
import type { View } from '../../reports/views/blocks.ts';
import { UsageError } from '../../specs/validators.ts';

/**
 * Writes a file that the caller has named, whole or not at all.
 * @param option how the caller named it, before its path
 * @throws UsageError where it cannot be written; what stood there before stays
 */
export function writeOutput(path: string, text: string, option: string = '--out: '): void {
  try {
    writeAtomically(path, text);
  } catch (error) {
    throw new UsageError(`${option}${path} cannot be written (${messageOf(error)})`);
  }
}

/** Of a terminal whose width is unknown. */
const USUAL_WIDTH = 120;

/**
 * Prints a view to standard output, as wide as the terminal is.
 * @param reports files that were written, named at the end
 * @param brief whether the conclusion is all that is shown
 */
export function printView(view: View, reports: readonly ReportFile[] = [], brief: boolean = false): void {
  const { columns = USUAL_WIDTH } = process.stdout;
  const colour = wantsColour(process.stdout, process.env);
  const text = renderTerminal(view, { colour, width: columns, reports, brief });
  // What is long is bounded already, but for what is there to be pasted.
  print(process.stdout, text, Number.POSITIVE_INFINITY);
}

/** Prints a document as JSON, whatever the length of its lines. */
export function printJson(document: unknown): void {
  print(process.stdout, jsonText(document), Number.POSITIVE_INFINITY);
}

/**
 * Lets a command go on quietly where nobody reads its output any longer, as in `plan | head`: a run still writes its
 * reports and removes its records, and the exit code is the one it has anyway. Other errors of a stream stay errors.
 * @param streams standard output and standard error
 */
export function outliveReaders(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    if (stream.listeners('error').includes(ignoreClosed)) continue;
    stream.on('error', ignoreClosed);
  }
}

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** The program of each platform that opens a file with whatever its user has for it; the file is its last argument. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const USUAL: readonly [string, ...string[]] = ['xdg-open'];

/** An opener that has not ended by then has become the browser, which goes on without us. */
const LONGEST_MS = 5000;

/**
 * Opens a page as a double click would, without a shell.
 * @param path where the page is
 * @param longest milliseconds after which an opener that has not ended counts as the browser
 * @throws UsageError where there is no opener, or it cannot open the page
 */
export async function openPage(
  path: string,
  platform: NodeJS.Platform = process.platform,
  longest: number = LONGEST_MS,
): Promise<void> {
  const [program, ...args] = OPENERS[platform] ?? USUAL;
  const opener = spawn(program, [...args, path], { stdio: 'ignore', detached: true });
  const why = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(resolve, longest, undefined);
    const end = (reason?: string): void => {
      clearTimeout(timer);
      resolve(reason);
    };
    opener.once('error', () => end(`there is no ${program} on this machine`));
    opener.once('exit', (code) => end(code === 0 ? undefined : `${program} ended with code ${code}`));
  });
  opener.unref();
  if (why !== undefined) throw new UsageError(`--open: ${why}; the page is ${path}`);
}
