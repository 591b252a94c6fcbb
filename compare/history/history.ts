import { byText, defined } from '../../client/json.ts';
import type { RunMode } from '../../client/mode.ts';
import {
  type CheckResult,
  isUnstableCheck,
  type RunResult,
  type Verdict,
  type Waived,
} from '../../engine/result.ts';
import { isUnasked } from '../../engine/skip.ts';
import { groupsBy, present } from '../../engine/text.ts';
import { productTool } from '../../engine/version.ts';
import type { DocumentHead } from '../change.ts';
import { isAskedAgain, isFoundOnly, type Searched, searchedOf } from '../checks/searched.ts';

/** One run of a series. */
export interface HistoryRun
  extends Pick<RunResult, 'conclusion' | 'counts' | 'partial'>,
    Pick<RunResult['tool'], 'version' | 'contract'>,
    Pick<RunResult['target'], 'index'>,
    Pick<RunResult['run'], 'started' | 'requests' | 'seconds' | 'ended'> {
  readonly run: string;
  readonly complete: boolean;
  readonly new: readonly string[];
  readonly found?: readonly string[];
  readonly unwaived?: readonly string[];
  readonly fixed: readonly string[];
  readonly vanished: readonly string[];
  readonly untold: readonly string[];
}

/** Facts about a check that are the same in every run. */
type KnownCheck = Readonly<Pick<CheckResult, 'id' | 'title' | 'section' | 'operation'>>;

/** A check that failed when last evaluated, with the length of the failure. */
export interface FailingCheck extends KnownCheck {
  readonly since: string;
  readonly run: string;
  readonly fromStart?: true;
  readonly found?: true;
  readonly nights: number;
  readonly days: number;
  readonly lastTold?: string;
  readonly unstable?: true;
  readonly waived?: Pick<Waived, 'reason' | 'owner' | 'expires'>;
  /** One letter for each run (`VERDICT_LETTERS`). */
  readonly verdicts: string;
}

/** A check that fails, passes and fails again, or that a run found unstable. */
export interface UnstableCheck extends KnownCheck {
  readonly verdict: Verdict;
  readonly episodes: number;
  readonly turns: number;
  readonly told: number;
  readonly verdicts: string;
}

/** The runs of one deployment, target and mode, the earliest first. */
export interface Series {
  readonly target: { readonly url: string; readonly deployment: string };
  readonly mode: RunMode;
  readonly nights: readonly HistoryRun[];
  readonly failing: readonly FailingCheck[];
  readonly waived: readonly FailingCheck[];
  readonly unstable: readonly UnstableCheck[];
}

/** The document `history.json`, format 1; `specs/schemas/history.schema.json` describes its members. */
export interface History extends DocumentHead<'history'> {
  readonly runs: { readonly read: number; readonly repeated: number; readonly earlier: number };
  readonly notes: readonly string[];
  readonly series: readonly Series[];
}

/** Options for a history. */
export interface HistoryOptions {
  /** How many of the latest runs of each series are listed; default: all. */
  readonly last?: number | undefined;
  /** Whether all runs of a deployment and mode are of one site, whatever their address. */
  readonly oneSite?: boolean | undefined;
  readonly repeated: number;
  readonly notes: readonly string[];
}

const DAY_MS = 86_400_000;

/** The history of all runs, with one series for each target, deployment and mode. */
export function historyOf(roll: Roll, options: HistoryOptions): History {
  // Runs that ended at their arguments have no deployment.
  const kept = roll.runs
    .filter(({ deployment }) => deployment !== '')
    .sort((one, other) => byText(one.head.started, other.head.started));
  const nameless = roll.runs.length - kept.length;
  const { last = Number.POSITIVE_INFINITY, oneSite = false } = options;
  const series = groupsBy(kept, ({ url, deployment, mode }) =>
    JSON.stringify([oneSite ? '' : url.replace(/\/+$/, ''), deployment, mode]),
  ).map((runs) => seriesOf(roll.checks, runs, last));
  const shown = series.reduce((sum, { nights }) => sum + nights.length, 0);
  return {
    format: 1,
    kind: 'history',
    tool: productTool(),
    runs: { read: roll.runs.length, repeated: options.repeated, earlier: kept.length - shown },
    notes: present([
      options.notes,
      nameless > 0 &&
        `runs that ended before it was known what they were about, and are not listed: ${nameless}`,
    ]),
    series: series.toSorted((one, other) => failuresOf(other) - failuresOf(one)),
  };
}

function failuresOf({ nights }: Series): number {
  return nights.at(-1)?.counts.fail ?? 0;
}

/** @param runs of one series, the earliest first @param most how many of them are listed */
function seriesOf(
  checks: readonly KnownCheck[],
  runs: readonly [KeptRun, ...KeptRun[]],
  most: number,
): Series {
  const latest = runs.at(-1) ?? runs[0];
  const turns = runs.map((): Partial<Record<Turn, string[]>> => ({}));
  const failing: FailingCheck[] = [];
  const unstable: UnstableCheck[] = [];
  for (const [number, check] of checks.entries()) {
    const { failure, letters } = follow(runs, number, (at, turn) => {
      const all = turns[at];
      if (all !== undefined) all[turn] = [...(all[turn] ?? []), check.id];
    });
    const listed = letters.slice(-most);
    const rest = instabilityOf(listed);
    const verdicts = listed.join('').replaceAll(' ', '.');
    const restless = rest.episodes > 1 || rest.told > 0;
    const verdict = VERDICTS[letters.findLast((letter) => letter !== ' ') ?? '.'];
    if (restless) unstable.push({ ...check, verdict, ...rest, verdicts });
    if (failure !== undefined) {
      const facts = lengthOf(failure, runs, latest);
      failing.push({ ...check, ...facts, ...(restless && { unstable: true }), verdicts });
    }
  }
  const longest = failing.toSorted(
    (one, other) => byText(one.since, other.since) || byText(one.id, other.id),
  );
  const listed = runs.map(({ head }, at): HistoryRun => ({ ...head, ...NO_TURNS, ...turns[at] }));
  return {
    target: { url: latest.url, deployment: latest.deployment },
    mode: latest.mode,
    nights: listed.slice(-most),
    failing: longest.filter((one) => one.waived === undefined),
    waived: longest.filter((one) => one.waived !== undefined),
    unstable: unstable.toSorted(
      (one, other) => other.turns + other.told - (one.turns + one.told) || byText(one.id, other.id),
    ),
  };
}

const NO_TURNS = { new: [], fixed: [], vanished: [], untold: [] };

function lengthOf(
  { since, found, runs: count, last, waived }: Failure,
  runs: readonly KeptRun[],
  latest: KeptRun,
): Omit<FailingCheck, keyof KnownCheck | 'verdicts'> {
  const { started = '', run = '' } = runs[since]?.head ?? {};
  const reported = runs[last]?.head.started;
  const passed = (Date.parse(latest.head.started) - Date.parse(started)) / DAY_MS;
  return {
    since: started,
    run,
    ...(since === 0 && { fromStart: true }),
    ...(found && { found: true }),
    nights: count,
    days: Math.max(0, Math.floor(passed)),
    ...(last < runs.length - 1 && reported !== undefined && { lastTold: reported }),
    ...defined({ waived: waived && { reason: waived.reason, owner: waived.owner, expires: waived.expires } }),
  };
}

type Turn = 'new' | 'found' | 'unwaived' | 'fixed' | 'vanished' | 'untold';

interface Failure {
  readonly since: number;
  /** Whether it began on sets of arguments that were not sent before. */
  readonly found: boolean;
  readonly runs: number;
  readonly last: number;
  readonly waived: Waived | undefined;
}

/** Letters of verdicts without a failure. */
const GOOD: ReadonlySet<Letter> = new Set(['p', 'w']);
const BAD: ReadonlySet<Letter> = new Set(['f', 'a']);
/** Of those that decide nothing, although the check ran. */
const OPEN: ReadonlySet<Letter> = new Set(['i', 'u', 'e']);

/**
 * Follows one check from run to run. The rules are those of a baseline (`compare/checks/baseline.ts`), except that its last
 * evaluation counts, not the previous run. A run in which it was inconclusive or did not run changes nothing; nor does
 * one that passed without sending the failed sets.
 * @param check its number
 * @param report receives what the check did in which run
 */
function follow(
  runs: readonly KeptRun[],
  check: number,
  report: (at: number, turn: Turn) => void,
): { readonly failure: Failure | undefined; readonly letters: readonly Letter[] } {
  let failure: Failure | undefined;
  let before: Letter = ' ';
  let lastReported: KeptRun | undefined;
  const letterIn = (run: KeptRun): Letter => {
    const letter = run.letter(check);
    if (failure === undefined || !GOOD.has(letter)) return letter;
    return isAskedAgain(lastReported?.searched(check), run.searched(check)) ? letter : '.';
  };
  const letters = runs.map((run, at): Letter => {
    const letter = letterIn(run);
    const end = failure && endOf(letter, run);
    if (BAD.has(letter)) {
      const found = at > 0 && isFoundOnly(lastReported?.searched(check), run.searched(check));
      // A new failure, whose first run is not counted yet.
      const known = failure ?? { since: at, found, runs: 0, waived: undefined };
      const turn = turnOf(known, letter);
      if (turn !== undefined) report(at, turn);
      failure = { ...known, runs: known.runs + 1, last: at, waived: run.waived.get(check) };
    } else if (end !== undefined) {
      report(at, end);
      failure = undefined;
    } else if (OPEN.has(letter) && isReported(before)) report(at, 'untold');
    before = letter;
    if (isReported(letter)) lastReported = run;
    return letter;
  });
  return { failure, letters };
}

/** What is new about a failure that is not waived; undefined for nothing. @param known how it was until then */
function turnOf({ since, runs, found, waived }: Omit<Failure, 'last'>, letter: Letter): Turn | undefined {
  if (letter !== 'f') return undefined;
  if (waived !== undefined) return 'unwaived';
  if (runs > 0 || since === 0) return undefined;
  return found ? 'found' : 'new';
}

/** How a failure ends in a run; undefined if it may go on. */
function endOf(letter: Letter, { head }: KeptRun): Turn | undefined {
  if (GOOD.has(letter)) return 'fixed';
  return letter === ' ' && head.complete ? 'vanished' : undefined;
}

function isReported(letter: Letter): boolean {
  return GOOD.has(letter) || BAD.has(letter);
}

/** Counts changes between failed and not failed. Inconclusive runs are ignored. */
function instabilityOf(letters: readonly Letter[]): Pick<UnstableCheck, 'episodes' | 'turns' | 'told'> {
  const seen = letters.filter(isReported).map((letter) => BAD.has(letter));
  const isTurn = (failed: boolean, at: number): boolean => at > 0 && seen[at - 1] !== failed;
  return {
    episodes: seen.filter((failed, at) => failed && (at === 0 || isTurn(failed, at))).length,
    turns: seen.filter(isTurn).length,
    told: letters.filter((letter) => letter === 'u').length,
  };
}

/** The verdicts of letters (`VERDICT_LETTERS`): a blank if not in the plan, `a` accepted, `u` unstable. */
const VERDICTS = {
  ' ': 'skip',
  p: 'pass',
  f: 'fail',
  a: 'fail',
  w: 'warn',
  i: 'inconclusive',
  u: 'inconclusive',
  e: 'error',
  '.': 'skip',
} as const;

type Letter = keyof typeof VERDICTS;

const LETTERS: readonly Letter[] = [' ', 'p', 'f', 'a', 'w', 'i', 'u', 'e', '.'];

interface KeptRun {
  readonly head: Omit<HistoryRun, Turn>;
  readonly url: string;
  readonly deployment: string;
  readonly mode: RunResult['run']['mode'];
  /** Accepted failures, by the number of the check. */
  readonly waived: ReadonlyMap<number, Waived>;
  letter(check: number): Letter;
  /** Its search; undefined if it draws no arguments. */
  searched(check: number): Searched | undefined;
}

/** Runs reduced to what a history needs: a byte for each check and run, so that a year of them fits into memory. */
export class Roll {
  readonly #numbers = new Map<string, number>();
  readonly checks: KnownCheck[] = [];
  readonly runs: KeptRun[] = [];

  /** Adds a run, which can then be forgotten. */
  add({ checks, run, target, tool, ...result }: RunResult): void {
    const codes = new Uint8Array(this.checks.length + checks.length);
    const waived = new Map<number, Waived>();
    const searched = new Map<number, Searched>();
    for (const check of checks) {
      const number = this.#numberOf(check);
      codes[number] = LETTERS.indexOf(letterOf(check));
      if (check.waived !== undefined) waived.set(number, check.waived);
      const search = searchedOf(check);
      if (search !== undefined) searched.set(number, search);
    }
    const { conclusion, counts, partial } = result;
    const { id, started, requests, seconds, ended, mode } = run;
    const { version, contract } = tool;
    const { index, url, deployment } = target;
    const complete = ended === undefined && partial === undefined;
    const sums = { run: id, started, conclusion, counts, requests, seconds, version, contract, index };
    this.runs.push({
      head: { ...sums, ...defined({ ended, partial }), complete },
      url,
      deployment,
      mode,
      waived,
      letter: (number) => LETTERS[codes[number] ?? 0] ?? ' ',
      searched: (number) => searched.get(number),
    });
  }

  #numberOf({ id, title, section, operation }: CheckResult): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.checks.length;
    this.#numbers.set(id, number);
    this.checks.push({ id, title, section, ...(operation !== undefined && { operation }) });
    return number;
  }
}

/** A blocked check counts as inconclusive. A check that the run did not reach counts as not run. */
function letterOf(check: CheckResult): Letter {
  if (isUnstableCheck(check)) return 'u';
  const { verdict, skip, waived } = check;
  if (verdict === 'fail' && waived !== undefined) return 'a';
  if (verdict !== 'skip') return LETTERS.find((letter) => VERDICTS[letter] === verdict) ?? '.';
  const isLeft =
    skip === undefined || isUnasked(skip) || skip.kind === 'ended' || skip.kind === 'over-budget';
  return isLeft ? '.' : 'i';
}
