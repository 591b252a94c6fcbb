import { writeAtomically } from '../reports/files.ts';
import { print } from '../reports/print.ts';
import { visibleLine } from '../reports/text.ts';
import { type PlannedOperation, plannedValues } from '../suites/arguments/fuzz/planned-values.ts';
import { type Coverage, coverageOf } from '../suites/coverage/coverage.ts';
import type { ChosenTarget } from './choose-targets.ts';
import { coveragePage, type PageCoverage } from './coverage-page.ts';
import { mutantsOf } from './mutants-of.ts';
import { readTried, type TriedInRun } from './read-tried.ts';
import { renderCoverage } from './render-coverage.ts';
import { UsageError } from './usage-error.ts';

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
  chosen: readonly ChosenTarget[],
  { json, html, results }: CoverageOutput,
): number {
  const names = chosen.map(({ contract }) => contract.deployment);
  const tried = results === undefined ? undefined : readTried(results, names);
  const coverages = chosen.map(({ target, contract, plan }) => {
    const checks = plan.map(({ check }) => check);
    return {
      ...coverageOf(contract, checks, { mutants: mutantsOf(target) }),
      fuzz: plannedValues(contract),
      ...(tried?.deployment === contract.deployment && { tried }),
    };
  });
  if (html !== undefined) writePage(html, coverages);
  if (json === true)
    print(process.stdout, `${JSON.stringify(coverages, null, 2)}\n`, Number.POSITIVE_INFINITY);
  else if (html === undefined)
    print(
      process.stdout,
      coverages
        .map((one) => `${renderCoverage(one)}${renderFuzz(one.fuzz)}${renderTried(one.tried)}`)
        .join('\n'),
    );
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

/** What the fuzz checks of a run did try, a row for each operation. */
function renderTried(tried: TriedInRun | undefined): string {
  if (tried === undefined) return '';
  const rows = tried.operations.map(({ operation, parameters, pairs }) => {
    const keywords = parameters.flatMap((one) => one.keywords);
    const counts = [
      keywords.filter(({ accepted }) => accepted > 0).length,
      keywords.filter(({ refused }) => refused > 0).length,
      parameters.flatMap(({ untried }) => untried).length,
      Math.max(0, ...pairs.map((one) => one.tried)),
    ].map((count) => String(count).padStart(10));
    return `    ${operation.padEnd(44)}${counts.join('')}`;
  });
  const head = ['accepted', 'refused', 'never', 'pairs'].map((word) => word.padStart(10)).join('');
  return [
    `  fuzz checks of run ${visibleLine(tried.run)} tried keywords of parameters that were`,
    `    ${'operation'.padEnd(44)}${head}`,
    ...rows,
    '',
    '',
  ].join('\n');
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
