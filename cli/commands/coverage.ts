import { writeAtomically } from '../../reports/files.ts';
import { print } from '../../reports/print.ts';
import { renderPage } from '../../reports/renderers/page.ts';
import { wantsColour } from '../../reports/renderers/paint.ts';
import { renderTerminal } from '../../reports/renderers/terminal.ts';
import { plannedValues } from '../../suites/arguments/fuzz/planned-values.ts';
import { coverageOf } from '../../suites/coverage/coverage.ts';
import { contractOf, type RunConfig } from '../../suites/run.ts';
import { UsageError } from '../shell/errors.ts';
import { coverageView, isWhole, mutantsOf, readTried } from './coverage-view.ts';

const LEAST_WIDTH = 80;
const MOST_WIDTH = 120;

/** How the coverage is given out: as text, unless one of these asks otherwise. */
export interface CoverageOutput {
  readonly json?: boolean;
  /** The file for a page. */
  readonly html?: string | undefined;
  /** The file with the results of a run. */
  readonly results?: string | undefined;
}

/**
 * Gives out what the checks of each target's contract cover.
 * @returns the exit code: 4 when a requirement has neither a check nor a reason, or a check no requirement
 * @throws UsageError when the page cannot be written
 */
export function coverageCommand(
  chosen: readonly RunConfig[],
  { json, html, results }: CoverageOutput,
): number {
  const names = chosen.map((target) => contractOf(target).deployment);
  const tried = results === undefined ? undefined : readTried(results, names);
  const coverages = chosen.map((target) => {
    const { plan } = target;
    const contract = contractOf(target);
    const checks = plan.map(({ check }) => check);
    return {
      ...coverageOf(contract, checks, { mutants: mutantsOf(target) }),
      fuzz: plannedValues(contract),
      ...(tried?.deployment === contract.deployment && { tried }),
    };
  });
  const view = coverageView(coverages);
  if (html !== undefined) writePage(html, renderPage(view));
  if (json === true)
    print(
      process.stdout,
      `${JSON.stringify(coverages, null, 2)}
`,
      Number.POSITIVE_INFINITY,
    );
  else if (html === undefined) {
    const width = Math.max(LEAST_WIDTH, Math.min(process.stdout.columns ?? MOST_WIDTH, MOST_WIDTH));
    print(process.stdout, renderTerminal(view, { colour: wantsColour(process.stdout, process.env), width }));
  }
  return coverages.every(isWhole) ? 0 : 4;
}

function writePage(path: string, page: string): void {
  try {
    writeAtomically(path, page);
  } catch (error) {
    throw new UsageError(`--html ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
