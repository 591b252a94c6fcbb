import type { Command } from 'commander';
import type { RunMode } from '../../client/mode.ts';
import { isAmong } from '../../compare/clients/affected-calls.ts';
import { describeUse, type NamedClient, readClients } from '../../compare/clients/uses.ts';
import { type Check, MODE_OF_EFFECT } from '../../engine/check.ts';
import { wholeCheck } from '../../engine/family.ts';
import { isDeselected, isWriting, type PlannedCheck } from '../../engine/plan.ts';
import { describeSkip } from '../../engine/skip.ts';
import { plural } from '../../engine/text.ts';
import { describeMost, mostRecords } from '../../probing/records/own/most-records.ts';
import { mostRequests, rightRequests } from '../../probing/tour/tour.ts';
import { note, print, say } from '../../reports/print.ts';
import type { Contract } from '../../specs/model.ts';
import { UsageError } from '../../specs/validators.ts';
import { hintsWanted } from '../../suites/arguments/calls/control.ts';
import { callersOf, contractOf, DEFAULTS, type RunConfig, tourOf } from '../../suites/run-config.ts';
import { loadConfig } from '../config.ts';
import type { Settings } from '../options.ts';
import { addOptions, type CommandContext } from '../read-options.ts';
import { chooseTargets, resolveTargets, settleTargets } from '../run/configure.ts';
import { reportLeftovers } from '../shell/leftovers.ts';
import { type GivenOut, printJson } from '../shell/output.ts';

/** Adds the command `plan`. */
export default function definePlan(program: Command, { ends }: CommandContext): void {
  addOptions(program.command('plan'), ['shared'])
    .optionsGroup('Output:')
    .description('list the checks of a selection; sends nothing, except the requests of auto')
    .option('--json', 'as JSON')
    .option('--coverage', 'what all checks cover, by requirement')
    .option('--hints-wanted', 'what a hints file could say, operation by operation')
    .option('--html <file>', 'with --coverage: write it as a page')
    .option('--results <file>', 'with --coverage: the results.json of a run, for what it tried')
    .action(async (options) => ends(await planCommand(options)));
}

interface PlanOptions extends Settings, Pick<GivenOut, 'json' | 'html'> {
  readonly results?: string;
  readonly config?: string;
  readonly coverage?: boolean;
  readonly hintsWanted?: boolean;
}

/** It sends nothing, unless the deployment is composed from the index of a site. @returns the exit code */
async function planCommand(given: PlanOptions): Promise<number> {
  guardLists(given);
  const { config, json = false, coverage = false, hintsWanted = false, html, results, ...settings } = given;
  // Coverage is about requirements of the contract, so own checks are left out.
  const about = coverage ? { ...settings, checks: [] } : settings;
  // The list is the same in all vocabularies, so a request is only needed if the caller wants detection.
  const resolved = resolveTargets(about, loadConfig(config), process.env).map((target) => ({
    ...target,
    vocabularyOpen: false,
  }));
  const chosen = chooseTargets(await settleTargets(resolved, note), process.env);
  if (hintsWanted) return listWanted(chosen, json);
  if (coverage) {
    const { coverageCommand } = await import('./coverage.ts');
    return coverageCommand(chosen, { json, html, results });
  }

  reportLeftovers(chosen[0]?.out ?? DEFAULTS.out);
  if (json) {
    const traced = await withTraces(chosen);
    printJson(traced);
    return traced.length === 0 ? 3 : 0;
  }
  const total = chosen.reduce((sum, target) => sum + listPlan(target), 0);
  const isSkipped = (planned: PlannedCheck): boolean => planned.skip !== undefined && !isDeselected(planned);
  const skipped = chosen.flatMap(({ plan }) => plan).filter(isSkipped).length;
  say(`${plural(total, 'check')}, ${total - skipped} to run, ${skipped} skipped with a reason`);
  for (const target of chosen) {
    for (const client of readClients(target.asClient)) {
      for (const line of coverageLines(client, contractOf(target))) say(line);
    }
    reportWriting(target);
    reportTour(target);
  }
  return total === 0 ? 3 : 0;
}

function guardLists({ coverage = false, hintsWanted = false, html, results, only, skip }: PlanOptions): void {
  const problem = coverage
    ? ((only ?? skip) !== undefined && '--coverage is about all checks: leave out --only and --skip') ||
      (hintsWanted && '--coverage and --hints-wanted are two lists: choose one')
    : (html !== undefined && '--html is the page of --coverage: add --coverage') ||
      (results !== undefined && '--results adds to --coverage what a run has tried: add --coverage');
  if (problem !== false) throw new UsageError(problem);
}

function coverageLines({ name, uses }: NamedClient, { operations }: Contract): string[] {
  const beyond: string[] = [];
  const undocumented: string[] = [];
  const absent: string[] = [];
  for (const use of uses) {
    const own = operations.filter(({ methods, route }) => isAmong(use, { route: route.wire, methods }));
    if (own.length === 0) beyond.push(describeUse(use));
    for (const sent of Object.keys(use.parameters)) {
      // Names with an underscore apply to every route.
      if (own.length === 0 || sent.startsWith('_')) continue;
      const place = `${sent} of ${use.method} ${use.route}`;
      if (own.some((operation) => operation.absent.some(({ wire }) => wire === sent))) absent.push(place);
      else if (!own.some((operation) => operation.parameters.some(({ wire }) => wire === sent)))
        undocumented.push(place);
    }
  }
  const line = (what: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`${name}: ${what}: ${[...new Set(all)].join(', ')}`];
  return [
    `${name}: the contract covers ${uses.length - beyond.length} of ${uses.length} calls`,
    ...line('beyond it', beyond),
    ...line('sent, and undocumented', undocumented),
    ...line('sent, and not supported by the contract', absent),
  ];
}

function listPlan(config: RunConfig): number {
  const { deployment } = contractOf(config);
  const selected = config.plan.filter((planned) => !isDeselected(planned));
  const lines = selected.map(({ check: { id, section, title }, skip }) => {
    const why = skip === undefined ? '' : `  (skipped: ${describeSkip(skip)})`;
    return `${deployment}  ${id}  §${section}  ${title}${why}\n`;
  });
  print(process.stdout, lines.join(''));
  return selected.length;
}

function reportWriting(config: RunConfig): void {
  const { plan, stage, fuzz } = config;
  const contract = contractOf(config);
  const writing = plan.filter(isWriting).length;
  if (writing === 0) return;
  const most = mostRecords(contract, { plan, stage, examples: fuzz.examples });
  say(
    `${contract.deployment}: ${plural(writing, 'check writes', 'checks write')}, ${describeMost(contract, most)}`,
  );
}

function reportTour(config: RunConfig): void {
  const level = tourOf(config);
  if (level === 'none') return;
  const { deployment, operations } = contractOf(config);
  const listing = operations.filter(
    ({ methods, effect, route }) =>
      methods.includes('GET') && effect === 'reads' && route.pathParameters.length === 0,
  );
  const lists = new Set(listing.map(({ route }) => route.wire)).size;
  const own = config.user === undefined && !config.embedded ? 1 : 2;
  const callers = callersOf(config);
  const most =
    level === 'short'
      ? 'a tenth of the requests of the checks at most'
      : `${plural(mostRequests(level, 1, own, callers), 'request')} for each list at most, ${mostRequests(level, lists, own, callers)} for the ${plural(lists, 'list')} of the contract, and those that the index has beside them`;
  const rights =
    callers.length === 0
      ? ''
      : `, and notes the rights of ${callers.join(', ')}: ${plural(rightRequests(callers), 'request')} of these for each list`;
  say(`${deployment}: the tour (${level}) reads ${most}${rights}`);
}

function listWanted(chosen: readonly RunConfig[], json: boolean): number {
  const rows = chosen.flatMap((target) => {
    const running = plannedRows(target).filter(({ skip }) => skip === undefined);
    return hintsWanted(
      contractOf(target),
      running,
      (id, name) => target.hinted[id]?.[name] !== undefined,
    ).map((row) => ({ deployment: contractOf(target).deployment, ...row }));
  });
  if (json) {
    printJson(rows);
    return 0;
  }
  for (const { deployment, operation, parameters, checks } of rows) {
    say(
      `${deployment}  ${operation}  ${parameters.join(', ')}  (${plural(checks, 'check relies', 'checks rely')} on a valid call)`,
    );
  }
  say(`${plural(rows.length, 'operation')} for which a hints file could name values`);
  return 0;
}

type PlannedRow = Omit<Check, 'run'> & { deployment: string; mode: RunMode; skip?: string };

function plannedRows(config: RunConfig): PlannedRow[] {
  const { deployment } = contractOf(config);
  return config.plan
    .filter((planned) => !isDeselected(planned))
    .map(({ check, skip }) => {
      const { run: _, ...facts } = wholeCheck(check);
      return {
        deployment,
        ...facts,
        mode: MODE_OF_EFFECT[facts.effect],
        ...(skip !== undefined && { skip: describeSkip(skip) }),
      };
    });
}

/** The rows with the requirements and mutants of each check. Their modules are only loaded here. */
async function withTraces(chosen: readonly RunConfig[]): Promise<readonly PlannedRow[]> {
  const { coverageOf, mutantsByCheck, requirementsByCheck } = await import(
    '../../suites/coverage/coverage.ts'
  );
  const { provingMutants } = await import('./coverage.ts');
  return chosen.flatMap((config) => {
    const checks = config.plan.map(({ check }) => check);
    const requirements = requirementsByCheck(coverageOf(contractOf(config), checks));
    const mutants = mutantsByCheck(
      checks.map(({ id }) => id),
      provingMutants(config),
    );
    return plannedRows(config).map((row) => ({
      ...row,
      requirements: requirements.get(row.id) ?? [],
      mutants: mutants.get(row.id) ?? [],
    }));
  });
}
