import type { RunMode } from '../client/mode.ts';
import { blockersIn, endOf } from './plan.ts';
import type { CheckResult, Verdict } from './result.ts';
import { groupsBy, plural, share, shorten } from './text.ts';

/** The verdicts that say something about the site. */
export const EVALUATED: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn']);

/** How many checks of what the site does came to a verdict, of those that the run was for. */
interface RunExtent {
  readonly evaluated: number;
  readonly wanted: number;
  /** Whether it is too few for a conclusion about the whole. */
  readonly isLow: boolean;
}

/** Below this share, the conclusion comes second. A public site without a user is well above it. */
const ENOUGH = 0.8;

/** How much of what the site does a run evaluated. What it declares does not count: the index alone shows that. */
export function extentOf(checks: readonly CheckResult[], mode: RunMode): RunExtent {
  const all = wantedIn(checks, mode);
  const evaluated = all.length - openIn(all).length;
  return { evaluated, wanted: all.length, isLow: evaluated < ENOUGH * all.length };
}

function wantedIn(checks: readonly CheckResult[], mode: RunMode): CheckResult[] {
  return checks.filter(({ about, skip }) => {
    if (about !== undefined) return false;
    // A run that may write was meant to have a user.
    return skip === undefined || skip.kind === 'blocked' || (skip.kind === 'credentials' && mode !== 'read');
  });
}

function openIn(checks: readonly CheckResult[]): CheckResult[] {
  return checks.filter(({ verdict }) => !EVALUATED.has(verdict));
}

const LONGEST = 160;

/** What was evaluated, if it is little, and the most frequent reason why not more; otherwise empty. */
export function extentInWords(checks: readonly CheckResult[], mode: RunMode): string {
  const { evaluated, wanted, isLow } = extentOf(checks, mode);
  const [most] = byReason(openIn(wantedIn(checks, mode)), checks);
  if (!isLow || most === undefined) return '';
  const why = `the most frequent reason (${plural(most.checks.length, 'check')}): ${shorten(most.why, LONGEST)}`;
  // That none was is said before.
  if (evaluated === 0) return why;
  return `only ${share(evaluated, wanted, 'checks of what the site does')} could be evaluated; ${why}`;
}

interface Reason {
  readonly why: string;
  readonly checks: readonly CheckResult[];
  readonly root: CheckResult | undefined;
}

/** Checks without a verdict by reason, the most frequent one first. One root cause is one reason. @param all of the run */
export function byReason(open: readonly CheckResult[], all: readonly CheckResult[]): Reason[] {
  const known = new Map(all.map((check) => [check.id, check]));
  const blockers = blockersIn(all);
  const rootOf = ({ id }: CheckResult): CheckResult | undefined =>
    blockers.has(id) ? known.get(endOf(id, blockers)) : undefined;
  const whyOf = (check: CheckResult): string => whyOpen(rootOf(check) ?? check);
  return groupsBy(open, whyOf)
    .map((checks): Reason => ({ why: whyOf(checks[0]), checks, root: rootOf(checks[0]) }))
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/** @param check one without a verdict, or what it waits for */
function whyOpen({ controls, verdict, skip, message = 'no reason given' }: CheckResult): string {
  if ((controls?.wanted.length ?? 0) > 0) return 'the site refused every valid call that was tried';
  const reports = EVALUATED.has(verdict) || verdict === 'error' || skip?.kind === 'blocked';
  return reports ? 'blocked by what another check reports' : message.replace(MORE, '');
}

/** The end of the message of a check that found more. */
const MORE = / \(and \d+ more like it\)$/;
