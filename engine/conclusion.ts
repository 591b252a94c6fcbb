import { defined } from '../client/json.ts';
import type { RunMode } from '../client/mode.ts';
import { EVALUATED, extentInWords } from './extent.ts';
import type { Counterexample, Extent, FuzzCoverage } from './fuzz-options.ts';
import type {
  BaselineReport,
  CheckResult,
  Conclusion,
  Counts,
  FailOn,
  FuzzingReport,
  News,
  Notice,
  PartialRun,
  RunResult,
  WaiversReport,
  WritingReport,
} from './result.ts';
import { isUnasked } from './skip.ts';
import { grouped, plural, present, share } from './text.ts';

export interface ConcludeOptions {
  strict: boolean;
  /** Why the run ended early, if it did. */
  ended?: string;
  /** The result of the waivers, and how many of the caller's own are stale; in strict mode these fail the run. */
  waivers?: { report: WaiversReport; stale: number } | undefined;
  /** How many checks were planned; some may have no result if the run ended early. */
  planned?: number;
  baseline?: BaselineReport | undefined;
  /** What fails the run besides new failures. */
  failOn?: readonly FailOn[];
  /** What was noted before the first check. A notice that explains failures is part of the reason for them. */
  notices?: readonly Notice[];
  /** Default: `read`. */
  mode?: RunMode;
}

/** A notice that is a likely cause of most failures, if there are any. */
export const LOST_HEADERS = 'index/headers';

/** Reasons of checks that the caller left out, or that did not run because the run ended. */
const LEFT_OUT: ReadonlySet<string | undefined> = new Set(['selection', 'ended', 'over-budget']);

/**
 * Draws the conclusion of a run from its checks. A failure makes it nonconformant. Otherwise anything that prevented an
 * evaluation makes it inconclusive, so a run that tested nothing is never green: an early end, no check, a fault of the
 * suite, an unstable violation, a site without any evaluated behaviour, or in strict mode an inconclusive check. Every
 * reason gives the inconclusive share, and the share of the plan if only a part ran.
 */
export function conclude(
  checks: readonly CheckResult[],
  options: ConcludeOptions,
): Pick<RunResult, 'conclusion' | 'reason' | 'counts' | 'baseline' | 'news' | 'waivers' | 'partial'> {
  const counts = countVerdicts(checks);
  const asked = askedOf(counts);
  const { baseline, strict, failOn = [], planned } = options;
  const unstable = unstableReasons(checks);
  const obstacles = obstaclesOf(checks, counts, options, unstable.length > 0);
  const stale = strict ? (options.waivers?.stale ?? 0) : 0;
  const withoutFailures = obstacles.length + unstable.length > 0 ? 'inconclusive' : 'conformant';
  const conclusion: Conclusion = counts.fail + stale > 0 ? 'nonconformant' : withoutFailures;
  const cut = checks.filter(({ skip, cut }) => cut === true || skip?.kind === 'over-budget').length;
  const partial = partOf(checks, planned);
  const reason = present([
    baseline !== undefined && newsInWords(baseline, failOn),
    counts.fail > 0 && `${grouped(counts.fail)} of ${counted(asked, 'check')} failed`,
    counts.fail > 0 && options.notices?.find(({ id }) => id === LOST_HEADERS)?.message,
    stale > 0 && `${plural(stale, 'waiver')} no longer needed, which strict mode does not accept`,
    ...obstacles,
    ...unstable,
    extentInWords(checks, options.mode ?? 'read'),
    cut > 0 && `${plural(cut, 'check')} did not run: over budget`,
    tally(counts, conclusion),
    partial !== undefined && `PARTIAL: ${share(partial.asked, partial.planned, 'planned checks')} were run`,
  ])
    .filter(Boolean)
    .join('; ');
  const waivers = options.waivers && { ...options.waivers.report, ...(stale > 0 && { refused: stale }) };
  const hasGaps = obstacles.length > 0 || ranOf(counts) === 0;
  const news = baseline && newsOf(baseline, failOn, hasGaps);
  return { conclusion, reason, counts, ...defined({ baseline, news, waivers, partial }) };
}

function obstaclesOf(
  checks: readonly CheckResult[],
  counts: Counts,
  { ended, planned, strict }: ConcludeOptions,
  hasUnstable: boolean,
): string[] {
  return present([
    ended !== undefined && earlyEnd(ended, askedOf(counts), planned),
    ...(hasUnstable ? [] : ranOf(counts) === 0 ? ['no check ran'] : nothingChecked(checks)),
    counts.error > 0 && `${plural(counts.error, 'check')} stopped at a fault of the suite itself`,
    strict &&
      counts.inconclusive > 0 &&
      `${plural(counts.inconclusive, 'check')} inconclusive, which strict mode does not accept`,
  ]);
}

/** Unstable violations, in words: they are neither new nor green. */
function unstableReasons(checks: readonly CheckResult[]): string[] {
  const unstable = checks.flatMap(({ replay }) => replay?.sets ?? []).filter(isUnstable).length;
  const unstableChecks = checks.filter(({ unstable: again }) => again !== undefined).length;
  return present([
    unstable > 0 && `${plural(unstable, 'violation')} showed, but not each time (unstable)`,
    unstableChecks > 0 && `${plural(unstableChecks, 'check')} failed, but not each time (unstable)`,
  ]);
}

function ranOf(counts: Counts): number {
  return askedOf(counts) - counts.inconclusive - counts.error;
}

/** Whether anything is new. @param hasGaps whether a part of the checks could not be evaluated */
function newsOf(baseline: BaselineReport, failOn: readonly FailOn[], hasGaps: boolean): News {
  const { new: failures, unwaived = [] } = baseline;
  if (failures.length + unwaived.length + countedIn(baseline, failOn).length > 0) return 'new';
  return hasGaps ? 'untold' : 'none';
}

function countedIn(
  { found = [], answers = [] }: BaselineReport,
  failOn: readonly FailOn[],
): readonly FailOn[] {
  return present([
    failOn.includes('found') && found.length > 0 && 'found',
    failOn.includes('changes') && answers.some((one) => one.class !== 'unknown') && 'changes',
  ]);
}

/** What is new, in a few words: `against run 2025…: 1 new failure, 3 still failing, 2 fixed`. */
function newsInWords(baseline: BaselineReport, failOn: readonly FailOn[]): string {
  const { run, new: failures, found = [], still, unwaived = [], fixed, vanished, answers = [] } = baseline;
  const counting = countedIn(baseline, failOn);
  const counts = (what: FailOn): string => (counting.includes(what) ? ' (counts, by --fail-on)' : '');
  const nothing = counting.length > 0 ? 'no new failure' : 'nothing new';
  const parts = present([
    failures.length === 0 ? nothing : plural(failures.length, 'new failure'),
    found.length > 0 && `${found.length} found, since when is unknown${counts('found')}`,
    still.length > 0 && `${still.length} still failing`,
    unwaived.length > 0 && `${unwaived.length} of them no longer waived`,
    fixed.length > 0 && `${fixed.length} fixed`,
    vanished.length > 0 && `${vanished.length} vanished`,
    answers.length > 0 && `${plural(answers.length, 'change')} in answers${counts('changes')}`,
  ]);
  return `against run ${run}: ${parts.join(', ')}`;
}

/** Whether some retries did not show a violation. It is no failure, and never green. */
function isUnstable({ shows }: Counterexample): boolean {
  return shows === 'sometimes' || shows === 'once';
}

/** How many checks ran: all verdicts except skips. Shares of a run refer to this number. */
export function askedOf(counts: Counts): number {
  const { skip: _, ...others } = counts;
  return Object.values(others).reduce((sum, number) => sum + number, 0);
}

function partOf(checks: readonly CheckResult[], planned = 0): PartialRun | undefined {
  const isWhole = planned <= checks.length && !checks.some(({ skip }) => LEFT_OUT.has(skip?.kind));
  if (isWhole) return undefined;
  const whole = Math.max(planned, checks.length);
  const asked = askedOf(countVerdicts(checks));
  return { planned: whole, asked, share: asked / whole };
}

function earlyEnd(ended: string, done: number, planned: number | undefined): string {
  const extent =
    planned === undefined ? '' : ` after ${grouped(done)} of ${counted(planned, 'planned check')}`;
  return `the run ended early${extent} (${ended})`;
}

function tally(counts: Counts, conclusion: Conclusion): string {
  const waived = counts.waived ?? 0;
  const asked = askedOf(counts);
  return present([
    (counts.pass > 0 || conclusion === 'conformant') && `${counted(counts.pass, 'check')} passed`,
    waived > 0 && `${plural(waived, 'failure')} waived`,
    counts.warn > 0 && plural(counts.warn, 'warning'),
    asked > 0 && `${share(counts.inconclusive, asked)} inconclusive`,
    counts.skip > 0 && `${grouped(counts.skip)} skipped`,
  ]).join(', ');
}

function counted(number: number, noun: string): string {
  return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** How many checks ended with each verdict. Every verdict is present. Waived failures are counted separately. */
export function countVerdicts(checks: readonly CheckResult[]): Counts {
  const counts: Counts = { pass: 0, fail: 0, warn: 0, inconclusive: 0, skip: 0, error: 0 };
  for (const { verdict, waived } of checks) {
    if (verdict === 'fail' && waived !== undefined) counts.waived = (counts.waived ?? 0) + 1;
    else counts[verdict] += 1;
  }
  return counts;
}

/** Exit codes of results. Code 2 (wrong usage) is decided before there is a result. */
type ResultExitCode = 0 | 1 | 3 | 4;

/**
 * The exit code of a run of one or several deployments: 4 after a fault of the suite itself, otherwise 1 after a
 * failure, 3 without a conclusion or a deployment, and 0. With a baseline, only new failures count. Records that remain
 * on a site are a fault of the suite, but a failure outranks it.
 * @param decide changes the code that the checks give
 */
export function exitCodeOf(
  results: readonly RunResult[],
  decide: (code: ResultExitCode) => number = (code) => code,
): number {
  const code = decide(codeOfChecks(results));
  const stays = results.some(({ writing }) => writing !== undefined && !isRemoved(writing));
  return stays && code !== 1 ? 4 : code;
}

/** Whether everything that a run wrote is known to be removed. */
export function isRemoved({ left, doubts }: WritingReport): boolean {
  return left.length + doubts.length === 0;
}

function codeOfChecks(results: readonly RunResult[]): ResultExitCode {
  if (results.some((result) => result.counts.error > 0)) return 4;
  const codes = new Set(results.map(codeOfRun));
  if (codes.has(1)) return 1;
  return results.length === 0 || codes.has(3) ? 3 : 0;
}

const CODE_OF_NEWS: Readonly<Record<News, ResultExitCode>> = { new: 1, untold: 3, none: 0 };

function codeOfRun({ conclusion, counts, waivers, news }: RunResult): ResultExitCode {
  if (waivers?.refused !== undefined) return 1;
  if (news !== undefined) return CODE_OF_NEWS[news];
  if (counts.fail > 0 || conclusion === 'nonconformant') return 1;
  return conclusion === 'inconclusive' ? 3 : 0;
}

/** The document `summary.json`, format 1: a run of several deployments. */
export interface Summary {
  format: 1;
  conclusion: Conclusion;
  deployments: ({ deployment: string; folder: string } & Pick<
    RunResult,
    'conclusion' | 'reason' | 'counts'
  >)[];
}

/** The first one that occurs is the conclusion of the whole. */
const WORST_FIRST: readonly Conclusion[] = ['nonconformant', 'inconclusive', 'conformant'];

/** Sums up a run of several deployments: as bad as its worst part, and inconclusive without any. */
export function summarise(runs: readonly { readonly folder: string; readonly result: RunResult }[]): Summary {
  const deployments = runs.map(({ folder, result: { target, conclusion, reason, counts } }) => {
    const { deployment } = target;
    return { deployment, folder, conclusion, reason, counts };
  });
  const conclusion = WORST_FIRST.find((candidate) => deployments.some((row) => row.conclusion === candidate));
  return { format: 1, conclusion: conclusion ?? 'inconclusive', deployments };
}

/** Sums up the fuzz checks of a run; undefined without any, and for a replay, which does not search. */
export function fuzzingOf(checks: readonly CheckResult[]): FuzzingReport | undefined {
  const searching = checks.filter(({ tried: own }) => own?.replayed === undefined || own.sets !== undefined);
  const tried = searching.flatMap((check) => check.tried ?? []);
  const untried = searching.flatMap(unfinishedOf);
  if (tried.length + untried.length === 0) return undefined;
  const sets = searching.flatMap((one) => (one.tried === undefined ? [] : (one.replay?.sets ?? [])));
  const sum = (count: (one: FuzzCoverage) => number): number =>
    tried.reduce((total, one) => total + count(one), 0);
  return {
    searches: tried.length,
    judged: sum(({ judged }) => judged),
    planned: sum(({ planned }) => planned),
    violations: sets.length,
    unstable: sets.filter(isUnstable).length,
    keywords: {
      tried: sum(({ parameters }) => Object.values(parameters).flatMap(Object.keys).length),
      untried: sum((one) => one.untried.length),
    },
    pairs: { tried: sum(({ pairs }) => pairs.tried), possible: sum(({ pairs }) => pairs.possible) },
    untried,
  };
}

function unfinishedOf({ id, operation, fuzz, skip, cut, tried }: CheckResult): FuzzingReport['untried'] {
  const about = { check: id, ...defined({ operation }) };
  if (fuzz === true && skip?.kind === 'ended') return [{ ...about, reason: skip.why }];
  if (fuzz === true && (skip?.kind === 'over-budget' || (cut === true && tried === undefined)))
    return [{ ...about, reason: 'over budget' }];
  if (tried === undefined || tried.judged === tried.planned) return [];
  const phases = Object.fromEntries(
    Object.entries(tried.phases).filter(([, { judged, planned }]) => judged < planned),
  );
  return [{ ...about, phases, reason: tried.ended ?? 'the check ended before' }];
}

/** The sets that a search did not try, by phase: `17 of 20 pairs, 60 of 60 random`; all of them if it did not start. */
export function describePhases({ phases }: FuzzingReport['untried'][number]): string {
  if (phases === undefined) return 'all phases';
  return Object.entries(phases)
    .map(([phase, { judged, planned }]: [string, Extent]) => `${planned - judged} of ${planned} ${phase}`)
    .join(', ');
}

/** Why nothing can be concluded: the site denies all but its index, or the budget ended too early. */
function nothingChecked(checks: readonly CheckResult[]): string[] {
  const asked = checks.filter(
    ({ about, skip }) => about === undefined && (skip === undefined || !isUnasked(skip)),
  );
  if (asked.length === 0 || asked.some(({ verdict }) => EVALUATED.has(verdict))) return [];
  return [`none of ${plural(asked.length, 'check')} of what the site does could be evaluated`];
}
