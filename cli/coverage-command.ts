import { listMutants } from '../mutation/serve-mutant.ts';
import { writeAtomically } from '../reports/files.ts';
import { print } from '../reports/print.ts';
import { type PlannedOperation, plannedValues } from '../suites/arguments/fuzz/planned-values.ts';
import { type Coverage, coverageOf } from '../suites/coverage/coverage.ts';
import type { ChosenTarget } from './choose-targets.ts';
import { coveragePage, type PageCoverage } from './coverage-page.ts';
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
    return {
      ...coverageOf(contract, checks, { mutants: listMutants(target.deployment) }),
      fuzz: plannedValues(contract),
    };
  });
  if (html !== undefined) writePage(html, coverages);
  if (json === true)
    print(process.stdout, `${JSON.stringify(coverages, null, 2)}\n`, Number.POSITIVE_INFINITY);
  else if (html === undefined)
    print(process.stdout, coverages.map((one) => `${renderCoverage(one)}${renderFuzz(one.fuzz)}`).join('\n'));
  return coverages.every(isWhole) ? 0 : 4;
}

/** What the fuzz checks would try, in two lines and a row for each operation. */
function renderFuzz(planned: readonly PlannedOperation[]): string {
  const rows = planned.map(({ operation, parameters, pairs }) => {
    const edges = parameters.flatMap(({ accepted, refused }) => [...accepted, ...refused]).length;
    const open = parameters.filter(({ reason }) => reason !== undefined).length;
    const counts = [parameters.length, edges, pairs, open].map((count) => String(count).padStart(10));
    return `    ${operation.padEnd(44)}${counts.join('')}`;
  });
  const head = ['parameters', 'edges', 'pairs', 'none sure'].map((word) => word.padStart(10)).join('');
  return [`  fuzz checks would try`, `    ${'operation'.padEnd(44)}${head}`, ...rows, '', ''].join('\n');
}

function isWhole({ requirements, unclaimed }: Coverage): boolean {
  return (
    unclaimed.length === 0 &&
    requirements.every(({ checks, reason }) => checks.length > 0 || reason !== undefined)
  );
}

function writePage(path: string, coverages: readonly PageCoverage[]): void {
  try {
    writeAtomically(path, coveragePage(coverages));
  } catch (error) {
    throw new UsageError(`--html ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
