import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, present } from '../../engine/text.ts';
import { jsonText, type ReportFile, writeAtomically } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import type { ProgressStream } from '../../reports/show-line.ts';
import type { View } from '../../reports/views/blocks.ts';
import { UsageError } from '../../specs/validators.ts';

/** Writes a file that the caller named with an option, atomically. @throws UsageError if it cannot be written */
export function writeOutput(path: string, text: string, option: string = '--out: '): void {
  try {
    writeAtomically(path, text);
  } catch (error) {
    throw new UsageError(`${option}${path} cannot be written (${messageOf(error)})`);
  }
}

/** @throws UsageError for a file of `--out` that is there, unless it is to be replaced */
export function guardFree(path: string, force: boolean | undefined): void {
  if (force === true || !existsSync(path)) return;
  throw new UsageError(`--out ${path}: is there already; name another, or add --force to replace it`);
}

const USUAL_WIDTH = 120;

/** Prints a view, in the width of the terminal, or in the given one. @param reports written files, named at the end */
export function printView(
  view: View,
  reports: readonly ReportFile[] = [],
  options: { brief?: boolean | undefined; stream?: ProgressStream; width?: number } = {},
): void {
  const { brief = false, stream = process.stdout, width = USUAL_WIDTH } = options;
  const text = renderTerminal(view, { stream, width: process.stdout.columns ?? width, reports, brief });
  // Long texts are already bounded, except for commands to paste.
  print(stream, text, Number.POSITIVE_INFINITY);
}

/** Prints a document as JSON, whatever the length of its lines. */
export function printJson(document: unknown): void {
  print(process.stdout, jsonText(document), Number.POSITIVE_INFINITY);
}

/** Ignores broken pipes, as of `head`: a run still writes its reports and removes its records. */
export function ignoreBrokenPipes(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    if (stream.listeners('error').includes(ignoreClosed)) continue;
    stream.on('error', ignoreClosed);
  }
}

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** The program of each platform that opens a file, its last argument, with the user's default application. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const USUAL: readonly [string, ...string[]] = ['xdg-open'];

const LONGEST_MS = 5000;

/** Opens a page like a double click, without a shell. @throws UsageError if there is no opener, or it fails */
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

/** How a document is shown: as text by default. */
export interface GivenOut {
  readonly json?: boolean | undefined;
  readonly markdown?: boolean;
  readonly out?: string;
  readonly html?: string | undefined;
}

/** Writes a document as JSON, Markdown and page into a folder, or only the page into a file. @throws UsageError */
export function writeDocument(
  name: string,
  document: unknown,
  view: View,
  { out, html }: GivenOut,
): ReportFile[] {
  const files = present([
    out !== undefined && [
      { label: name, path: join(out, `${name}.json`), text: jsonText(document) },
      { label: 'Markdown', path: join(out, `${name}.md`), text: renderMarkdown(view) },
      { label: 'page', path: join(out, `${name}.html`), text: renderPage(view) },
    ],
    html !== undefined && { label: 'page', path: html, text: renderPage(view) },
  ]);
  for (const { path, text } of files) writeOutput(path, text, path === html ? '--html: ' : '--out: ');
  return files.map(({ label, path }) => ({ label, path }));
}

/** Prints a document as JSON, Markdown or text. @param files written files, named below the text @returns 0 */
export function showDocument(
  document: unknown,
  view: View,
  { json, markdown }: GivenOut,
  files: readonly ReportFile[] = [],
): 0 {
  if (json === true) printJson(document);
  else if (markdown === true) print(process.stdout, renderMarkdown(view));
  else printView(view, files);
  return 0;
}
