import { join } from 'node:path';
import { type Comparison, compare } from '../compare/comparison.ts';
import { readSide } from '../compare/side.ts';
import { renderMarkdown } from '../reports/comparison/markdown.ts';
import { renderComparison } from '../reports/comparison/terminal.ts';
import { renderComparisonPage } from '../reports/page/comparison/comparison-page.ts';
import { print } from '../reports/print.ts';
import { wantsColour } from '../reports/terminal/paint.ts';
import { productVersion } from './version.ts';
import { writeOutput } from './write-output.ts';

/** The options of `diff`. */
export interface DiffOptions {
  readonly failOn: 'breaking' | 'any' | 'none';
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly out?: string;
}

const LEAST_WIDTH = 60;
const MOST_WIDTH = 120;

/**
 * The command `diff`: what changed from one run or snapshot to another. Writes `comparison.json`, `comparison.md` and the page
 * `comparison.html`.
 * @returns the exit code: 1 when there is a change that it is told to fail on
 * @throws UnreadableSide for what is neither a run nor a snapshot, with nothing written
 */
export function diffCommand(before: string, after: string, options: DiffOptions): number {
  const comparison = compare(readSide(before), readSide(after), productVersion());
  const json = `${JSON.stringify(comparison, undefined, 2)}\n`;
  const markdown = renderMarkdown(comparison);
  if (options.out !== undefined) {
    writeOutput(join(options.out, 'comparison.json'), json);
    writeOutput(join(options.out, 'comparison.md'), markdown);
    writeOutput(join(options.out, 'comparison.html'), renderComparisonPage(comparison));
  }
  if (options.json === true) print(process.stdout, json, Number.POSITIVE_INFINITY);
  else if (options.markdown === true) print(process.stdout, markdown);
  else
    print(
      process.stdout,
      renderComparison(comparison, { colour: wantsColour(process.stdout, process.env), width: width() }),
    );
  return isFailing(comparison, options.failOn) ? 1 : 0;
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
