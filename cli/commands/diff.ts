import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { type Comparison, compareSides } from '../../compare/comparison.ts';
import { readSide } from '../../compare/side.ts';
import { print } from '../../reports/print.ts';
import { renderMarkdown } from '../../reports/renderers/markdown.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { wantsColour } from '../../reports/renderers/paint.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import { comparisonView } from '../../reports/views/comparison.ts';
import { reportLeftovers } from '../shell/leftovers.ts';
import { writeOutput } from '../shell/output.ts';
import { productVersion } from '../shell/version.ts';
import type { CommandContext } from './context.ts';

/** Adds the command `diff` */
export function defineDiff(program: Command, { ends }: CommandContext): void {
  program
    .command('diff')
    .description('what changed from one run or snapshot to another, and whether it breaks callers')
    .argument('<before>', 'results.json, snapshot.json, or a folder that holds one')
    .argument('<after>', 'the same for the later one')
    .addOption(
      new Option('--fail-on <what>', 'the changes that end with exit code 1')
        .choices(['breaking', 'any', 'none'])
        .default('breaking'),
    )
    .addOption(new Option('--json', 'print comparison.json').conflicts('markdown'))
    .option('--markdown', 'print Markdown')
    .option('--html <file>', 'write the page into this file')
    .option(
      '--out <dir>',
      'write comparison.json, comparison.md and the page comparison.html into this folder',
    )
    .action((before, after, options) => {
      ends(diffCommand(before, after, options));
    });
}

/** The options of `diff`. */
interface DiffOptions {
  readonly failOn: 'breaking' | 'any' | 'none';
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly html?: string;
  readonly out?: string;
}

const LEAST_WIDTH = 60;
const MOST_WIDTH = 120;

/**
 * The command `diff`: what changed from one run or snapshot to another. Writes `comparison.json`, `comparison.md` and the page
 * `comparison.html`, or the page alone, and says where they are.
 * @returns the exit code: 3 when nothing can be concluded, 1 when there is a change that it is told to fail on
 * @throws UnreadableSide for what is neither a run nor a snapshot, with nothing written
 */
function diffCommand(before: string, after: string, options: DiffOptions): number {
  const comparison = compareSides(readSide(before), readSide(after), productVersion());
  const json = `${JSON.stringify(comparison, undefined, 2)}\n`;
  const document = options.out === undefined ? undefined : join(options.out, 'comparison.json');
  const view = comparisonView(comparison, document);
  const markdown = renderMarkdown(view);
  const page = renderPage(view);
  const files = filesOf(options, { json, markdown, page });
  for (const { option, path, text } of files) writeOutput(path, text, option);
  if (options.json === true) print(process.stdout, json, Number.POSITIVE_INFINITY);
  else if (options.markdown === true) print(process.stdout, markdown);
  else {
    const colour = wantsColour(process.stdout, process.env);
    print(process.stdout, renderTerminal(view, { colour, width: width(), reports: files }));
  }
  for (const side of new Set([before, after])) reportLeftovers(folderOf(side));
  if (comparison.inconclusive !== undefined) return 3;
  return isFailing(comparison, options.failOn) ? 1 : 0;
}

/** The folder for reports that a side is, or stands in. */
function folderOf(side: string): string {
  return statSync(side, { throwIfNoEntry: false })?.isDirectory() === true ? side : dirname(side);
}

/** A file to write, and how it was asked for. */
interface OutputFile {
  readonly option: string;
  readonly label: string;
  readonly path: string;
  readonly text: string;
}

function filesOf(
  { out, html }: DiffOptions,
  { json, markdown, page }: Readonly<Record<'json' | 'markdown' | 'page', string>>,
): OutputFile[] {
  const below = (label: string, name: string, text: string): OutputFile[] =>
    out === undefined ? [] : [{ option: '--out: ', label, path: join(out, name), text }];
  return [
    ...below('comparison', 'comparison.json', json),
    ...below('Markdown', 'comparison.md', markdown),
    ...below('page', 'comparison.html', page),
    ...(html === undefined ? [] : [{ option: '--html: ', label: 'page', path: html, text: page }]),
  ];
}

function isFailing({ counts }: Comparison, failOn: DiffOptions['failOn']): boolean {
  if (failOn === 'none') return false;
  return failOn === 'breaking'
    ? counts.breaking > 0
    : counts.breaking + counts.unknown + counts.compatible > 0;
}

function width(): number {
  return Math.max(LEAST_WIDTH, Math.min(process.stdout.columns ?? MOST_WIDTH, MOST_WIDTH));
}
