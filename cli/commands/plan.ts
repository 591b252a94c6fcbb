import type { Check } from '../../engine/check.ts';
import { isDeselected } from '../../engine/plan.ts';
import { describeSkip } from '../../engine/result-parts.ts';
import { plural, visibleLine } from '../../engine/text.ts';
import { describeMost, mostRecords } from '../../probing/records/own/most-records.ts';
import { print } from '../../reports/print.ts';
import { hintsWanted } from '../../suites/arguments/control.ts';
import { coverageOf, mutantsByCheck, requirementsByCheck } from '../../suites/coverage/coverage.ts';
import { type ChosenTarget, chooseTargets } from '../choose-targets.ts';
import { loadConfig, type Settings } from '../config.ts';
import { mutantsOf } from '../coverage-view.ts';
import { UsageError } from '../errors.ts';
import { tellLeftovers } from '../leftovers.ts';
import { DEFAULT_OUT, resolveTargets } from '../resolve-targets.ts';
import { settleTargets } from '../settle-targets.ts';
import { isWriting } from '../writing-run.ts';
import { type CoverageOutput, coverageCommand } from './coverage.ts';

/** The options of `plan` beside the ones that choose. */
interface PlanOptions extends Settings, CoverageOutput {
  readonly config?: string;
  readonly coverage?: boolean;
  readonly hintsWanted?: boolean;
}

/**
 * The command `plan`: lists the checks of a selection, or what all checks cover, and sends nothing, unless
 * the deployment is composed from the index of a site.
 * @returns the exit code
 * @throws UsageError for options that contradict each other
 */
export async function planCommand(given: PlanOptions): Promise<number> {
  const { config, json = false, coverage = false, hintsWanted: wanted = false, ...more } = given;
  const { html, results, ...settings } = more;
  if (!coverage && html !== undefined)
    throw new UsageError('--html is the page of --coverage: add --coverage');
  if (!coverage && results !== undefined) {
    throw new UsageError('--results adds to --coverage what a run has tried: add --coverage');
  }
  if (coverage && (settings.only !== undefined || settings.skip !== undefined)) {
    throw new UsageError('--coverage is about all checks: leave out --only and --skip');
  }
  // What is covered are requirements of the contract.
  const about = coverage ? { ...settings, checks: [] } : settings;
  // What is listed is the same in all vocabularies: only what a caller leaves to the site is asked for.
  const resolved = resolveTargets(about, loadConfig(config), process.env).map((target) => ({
    ...target,
    vocabularyOpen: false,
  }));
  const chosen = chooseTargets(await settleTargets(resolved, process.env, tell), process.env);
  if (wanted && coverage) throw new UsageError('--coverage and --hints-wanted are two lists: choose one');
  if (wanted) return listWanted(chosen, json);
  if (coverage) return coverageCommand(chosen, { json, html, results });

  tellLeftovers(chosen[0]?.target.out ?? DEFAULT_OUT);
  const rows = chosen.flatMap(plannedRows);
  if (json) {
    const requirements = new Map(chosen.map((one) => [one.contract.deployment, requirementsOf(one)]));
    const mutants = new Map(chosen.map((one) => [one.contract.deployment, mutantIds(one)]));
    const traced = rows.map((row) => ({
      ...row,
      requirements: requirements.get(row.deployment)?.get(row.id) ?? [],
      mutants: mutants.get(row.deployment)?.get(row.id) ?? [],
    }));
    print(process.stdout, `${JSON.stringify(traced, null, 2)}\n`, Number.POSITIVE_INFINITY);
    return rows.length === 0 ? 3 : 0;
  }
  for (const row of rows) {
    print(
      process.stdout,
      `${row.deployment}  ${row.id}  §${row.section}  ${row.title}${row.skip === undefined ? '' : `  (skipped: ${row.skip})`}\n`,
    );
  }
  const skipped = rows.filter(({ skip }) => skip !== undefined).length;
  print(
    process.stdout,
    `${plural(rows.length, 'check')}, ${rows.length - skipped} to run, ${skipped} skipped with a reason\n`,
  );
  for (const one of chosen) tellWriting(one);
  return rows.length === 0 ? 3 : 0;
}

/** Says what a run of the plan would write. */
function tellWriting({ target, contract, plan }: ChosenTarget): void {
  const writing = plan.filter(isWriting).length;
  if (writing === 0) return;
  const most = mostRecords(contract, { plan, stage: target.stage, examples: target.fuzz.examples });
  print(
    process.stdout,
    `${contract.deployment}: ${plural(writing, 'check')} write, ${describeMost(contract, most)}\n`,
  );
}

function tell(line: string): void {
  print(process.stderr, `${visibleLine(line)}\n`);
}

/** Lists what a hints file could say: a table, or JSON. @returns the exit code */
function listWanted(chosen: readonly ChosenTarget[], json: boolean): number {
  const rows = chosen.flatMap((one) => {
    const running = plannedRows(one).filter(({ skip }) => skip === undefined);
    return hintsWanted(one.contract, running, (id, name) => one.hinted[id]?.[name] !== undefined).map(
      (row) => ({ deployment: one.contract.deployment, ...row }),
    );
  });
  if (json) {
    print(process.stdout, `${JSON.stringify(rows, null, 2)}\n`, Number.POSITIVE_INFINITY);
    return 0;
  }
  for (const { deployment, operation, parameters, checks } of rows) {
    print(
      process.stdout,
      `${deployment}  ${operation}  ${parameters.join(', ')}  (${checks} ${checks === 1 ? 'check relies' : 'checks rely'} on a valid call)\n`,
    );
  }
  print(process.stdout, `${plural(rows.length, 'operation')} for which a hints file could name values\n`);
  return 0;
}

type PlannedRow = Omit<Check, 'run'> & { deployment: string; skip?: string };

function plannedRows({ contract, plan }: ChosenTarget): PlannedRow[] {
  return plan
    .filter((planned) => !isDeselected(planned))
    .map(({ check: { run: _, ...check }, skip }) => ({
      deployment: contract.deployment,
      ...check,
      ...(skip !== undefined && { skip: describeSkip(skip) }),
    }));
}

function requirementsOf({ contract, plan }: ChosenTarget): ReadonlyMap<string, readonly string[]> {
  const checks = plan.map(({ check }) => check);
  return requirementsByCheck(coverageOf(contract, checks));
}

function mutantIds({ target, plan }: ChosenTarget): ReadonlyMap<string, readonly string[]> {
  const ids = plan.map(({ check }) => check.id);
  return mutantsByCheck(ids, mutantsOf(target));
}
