import type { Verdict } from '../../engine/result.ts';
import type { FailingCheck, History, Night, Series, UnstableCheck } from './document.ts';
import { type Failure, follow, isUnstable, restOf, type Turn } from './follow.ts';
import type { KeptCheck, KeptNight, Letter, Roll } from './roll.ts';

/** How a history is made. */
export interface HistoryOptions {
  /** How many nights of each series are listed, the latest; all of them unless given. */
  readonly last?: number | undefined;
  /** Whether all runs of a deployment in a mode are of one site, whatever their address. */
  readonly oneSite?: boolean | undefined;
  readonly version: string;
  /** Results that repeat a run. */
  readonly repeated: number;
  readonly notes: readonly string[];
}

const DAY_MS = 86_400_000;

const VERDICTS: Readonly<Partial<Record<Letter, Verdict>>> = {
  p: 'pass',
  f: 'fail',
  a: 'fail',
  w: 'warn',
  e: 'error',
  '.': 'skip',
};

/** What came of the runs of a roll, one series for each target, deployment and mode. */
export function historyOf(roll: Roll, options: HistoryOptions): History {
  const [kept, nameless] = splitNameless(
    roll.nights.toSorted((one, other) => order(one.head.started, other.head.started)),
  );
  const { last = Number.POSITIVE_INFINITY, oneSite = false } = options;
  const groups = Map.groupBy(kept, ({ url, deployment, mode }) =>
    JSON.stringify([oneSite ? '' : url.replace(/\/+$/, ''), deployment, mode]),
  );
  const series = [...groups.values()].flatMap((nights) => seriesOf(roll.checks, nights, last));
  const shown = series.reduce((sum, { nights }) => sum + nights.length, 0);
  return {
    format: 1,
    kind: 'history',
    tool: { name: 'site-conformance', version: options.version },
    runs: { read: roll.nights.length, repeated: options.repeated, earlier: kept.length - shown },
    notes: [
      ...options.notes,
      ...(nameless === 0
        ? []
        : [`runs that ended before it was known what they were about, and are not listed: ${nameless}`]),
    ],
    series: series.toSorted((one, other) => failuresOf(other) - failuresOf(one)),
  };
}

/** Those of a known deployment, and how many others there are: runs that ended at their arguments. */
function splitNameless(nights: readonly KeptNight[]): [KeptNight[], number] {
  const named = nights.filter(({ deployment }) => deployment !== '');
  return [named, nights.length - named.length];
}

function failuresOf({ nights }: Series): number {
  return nights.at(-1)?.counts.fail ?? 0;
}

/** @param nights the runs of one series, the earliest first; @param most how many of them are listed */
function seriesOf(checks: readonly KeptCheck[], nights: readonly KeptNight[], most: number): Series[] {
  const latest = nights.at(-1);
  if (latest === undefined) return [];
  const turns = nights.map(noTurns);
  const failing: FailingCheck[] = [];
  const unstable: UnstableCheck[] = [];
  for (const [number, check] of checks.entries()) {
    const { failure, letters } = follow(nights, number, (night, turn) => turns[night]?.[turn].push(check.id));
    const listed = letters.slice(-most);
    const rest = restOf(listed);
    const verdicts = listed.join('').replaceAll(' ', '.');
    const restless = isUnstable(rest);
    if (restless) unstable.push({ ...check, verdict: lastVerdict(letters), ...rest, verdicts });
    if (failure !== undefined) {
      const facts = lengthOf(failure, nights, latest);
      failing.push({ ...check, ...facts, ...(restless && { unstable: true }), verdicts });
    }
  }
  const longest = failing.toSorted((one, other) => order(one.since, other.since) || order(one.id, other.id));
  const listed = nights.map((night, at) => withTurns(night, turns[at]));
  return [
    {
      target: { url: latest.url, deployment: latest.deployment },
      mode: latest.mode,
      nights: listed.slice(-most),
      failing: longest.filter(({ waived }) => waived === undefined),
      waived: longest.filter(({ waived }) => waived !== undefined),
      unstable: unstable.toSorted(
        (one, other) => other.turns + other.told - (one.turns + one.told) || order(one.id, other.id),
      ),
    },
  ];
}

function noTurns(): Record<Turn, string[]> {
  return { new: [], found: [], unwaived: [], fixed: [], vanished: [], untold: [] };
}

function withTurns(
  { head }: KeptNight,
  { found, unwaived, ...turns }: Record<Turn, string[]> = noTurns(),
): Night {
  return {
    ...head,
    ...turns,
    ...(found.length > 0 && { found }),
    ...(unwaived.length > 0 && { unwaived }),
  };
}

/** How long a check has failed, up to the last night of its series. */
function lengthOf(
  { since, fromStart, found, nights: count, last, waived }: Failure,
  nights: readonly KeptNight[],
  latest: KeptNight,
): Omit<FailingCheck, keyof KeptCheck | 'verdicts'> {
  const { started = '', run = '' } = nights[since]?.head ?? {};
  const told = nights[last]?.head.started;
  const passed = (Date.parse(latest.head.started) - Date.parse(started)) / DAY_MS;
  return {
    since: started,
    run,
    ...(fromStart && { fromStart: true }),
    ...(found && { found: true }),
    nights: count,
    days: Math.max(0, Math.floor(passed)),
    ...(last < nights.length - 1 && told !== undefined && { lastTold: told }),
    ...(waived !== undefined && {
      waived: { reason: waived.reason, owner: waived.owner, expires: waived.expires },
    }),
  };
}

/** The verdict of the last night on which the plan held the check. */
function lastVerdict(letters: readonly Letter[]): Verdict {
  const last = letters.findLast((letter) => letter !== ' ') ?? '.';
  return VERDICTS[last] ?? 'inconclusive';
}

function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
