import { join } from 'node:path';
import { present } from '../../engine/text.ts';
import { jsonText, type ReportFile } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import type { View } from '../../reports/views/blocks.ts';
import { printJson, printView, writeOutput } from './output.ts';

/** How a document is shown: as text by default. */
export interface GivenOut {
  readonly json?: boolean;
  readonly markdown?: boolean;
  /** The folder for all of its forms. */
  readonly out?: string;
  /** The file for the page alone. */
  readonly html?: string | undefined;
}

/**
 * Writes a document as JSON, Markdown and HTML page into a folder, or only the page into a file.
 * @param name of the files, and of the document
 * @throws UsageError if one cannot be written
 */
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

/** Prints a document as JSON, Markdown or text. @param files written files, named below the text */
export function showDocument(
  document: unknown,
  view: View,
  { json, markdown }: GivenOut,
  files: readonly ReportFile[] = [],
): void {
  if (json === true) printJson(document);
  else if (markdown === true) print(process.stdout, renderMarkdown(view));
  else printView(view, files);
}
