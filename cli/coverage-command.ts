import { listFaults } from '../mutation/serve-mutant.ts';
import { writeAtomically } from '../reports/files.ts';
import { print } from '../reports/print.ts';
import { type Coverage, coverageOf } from '../suites/coverage/coverage.ts';
import type { ChosenTarget } from './choose-targets.ts';
import { coveragePage } from './coverage-page.ts';
import { renderCoverage } from './render-coverage.ts';
import { UsageError } from './usage-error.ts';

/** How the coverage is given out: as text, unless one of these asks otherwise. */
export interface CoverageOutput {
  readonly json?: boolean;
  /** The file for a page. */
  readonly html?: string;
}

/**
 * Gives out what the checks of each target's contract cover.
 * @returns the exit code: 4 when a requirement has neither a check nor a reason, or a check no requirement
 * @throws UsageError when the page cannot be written
 */
export function coverageCommand(chosen: readonly ChosenTarget[], { json, html }: CoverageOutput): number {
  const coverages = chosen.map(({ target, contract, plan }) => {
    const checks = plan.map(({ check }) => check);
    return coverageOf(contract, checks, { faults: listFaults(target.deployment) });
  });
  if (html !== undefined) writePage(html, coverages);
  if (json === true)
    print(process.stdout, `${JSON.stringify(coverages, null, 2)}\n`, Number.POSITIVE_INFINITY);
  else if (html === undefined) print(process.stdout, coverages.map(renderCoverage).join('\n'));
  return coverages.every(isWhole) ? 0 : 4;
}

function isWhole({ requirements, unclaimed }: Coverage): boolean {
  return (
    unclaimed.length === 0 &&
    requirements.every(({ checks, reason }) => checks.length > 0 || reason !== undefined)
  );
}

function writePage(path: string, coverages: readonly Coverage[]): void {
  try {
    writeAtomically(path, coveragePage(coverages));
  } catch (error) {
    throw new UsageError(`--html ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
