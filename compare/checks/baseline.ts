import { isLoopback } from '../../client/address.ts';
import { EVALUATED } from '../../engine/extent.ts';
import type { AnswerChange, BaselineReport, CheckResult, RunResult, Verdict } from '../../engine/result.ts';
import { isUnstableCheck } from '../../engine/result.ts';
import { isReportedElsewhere } from '../../engine/skip.ts';
import { grouped, plural, present } from '../../engine/text.ts';
import { clientsAffectedBy } from '../clients/affected-calls.ts';
import type { NamedClient } from '../clients/uses.ts';
import { groupsOf } from '../groups/groups.ts';
import { compareAnswers } from '../observed/compare-answers.ts';
import { compareFields } from './compare-fields.ts';
import { isAskedAgain, isFoundOnly, searchedOf } from './searched.ts';

/** The parts of a run that are compared with an earlier one before the run ends. */
interface PresentRun extends Pick<RunResult, 'tool' | 'target' | 'checks' | 'observed'> {
  readonly run: Pick<RunResult['run'], 'mode' | 'seed' | 'searches'>;
}

/** More than anybody reads; a comparison of both runs has all of them. */
const MOST_ANSWERS = 100;

/** A check in both runs; one of them is undefined if only one run has it. */
interface Pair {
  readonly id: string;
  readonly was: CheckResult | undefined;
  readonly is: CheckResult | undefined;
  /** Whether it fails only on sets that the baseline did not send, and whether the earlier failures were sent again. */
  readonly isFoundOnly: boolean;
  readonly isAskedAgain: boolean;
}

/**
 * Compares a run with an earlier one. Only current failures are new, found, still or unwaived. Only what was sent again
 * is fixed. Checks that the caller left out are none of these, and a failure with a waiver is never new.
 * @param isExpired whether a failure has only an expired waiver
 * @param clients if there are any, only changes in answers that affect them are listed
 */
export function againstBaseline(
  before: RunResult,
  now: PresentRun,
  isExpired: (check: CheckResult) => boolean = () => false,
  clients: readonly NamedClient[] = [],
): BaselineReport {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const current = new Set(now.checks.map(({ id }) => id));
  const pairOf = (id: string, was: CheckResult | undefined, is: CheckResult | undefined): Pair => {
    const then = was && searchedOf(was);
    const asked = is && searchedOf(is);
    const known = isEvaluated(was) ? then : undefined;
    return { id, was, is, isFoundOnly: isFoundOnly(known, asked), isAskedAgain: isAskedAgain(then, asked) };
  };
  const pairs: Pair[] = [
    ...now.checks.map((check) => pairOf(check.id, earlier.get(check.id), check)),
    ...before.checks.filter(({ id }) => !current.has(id)).map((check) => pairOf(check.id, check, undefined)),
  ];
  const idsOf = (holds: (pair: Pair) => boolean): string[] => pairs.filter(holds).map(({ id }) => id);
  const isUnwaived = ({ was, is }: Pair): boolean =>
    is !== undefined && is.waived === undefined && (was?.waived !== undefined || isExpired(is));
  const found = idsOf((pair) => failsNow(pair) && pair.isFoundOnly);
  const unwaived = idsOf((pair) => isStill(pair) && isUnwaived(pair));
  const { answers, folded } = answersSince(before, now, clients);
  const others = `${plural(folded, 'further change')} in answers concern none of the clients`;
  return {
    run: before.run.id,
    started: before.run.started,
    notes: [...notesOf(before, now, pairs), ...(folded === 0 ? [] : [others])],
    new: idsOf(isNew),
    ...(found.length > 0 && { found }),
    still: idsOf(isStill),
    ...(unwaived.length > 0 && { unwaived }),
    fixed: idsOf((pair) => hasPassed(pair) && pair.isAskedAgain),
    untold: idsOf(isInconclusive),
    vanished: idsOf((pair) => fails(pair.was) && hasVanished(pair.is)),
    unstable: idsOf((pair) => pair.is !== undefined && isUnstableCheck(pair.is)),
    ...(answers.length > 0 && { answers }),
  };
}

/** Changes in answers by cause. Those that nobody notices are left out, those that affect no client counted. */
function answersSince(
  before: RunResult,
  now: PresentRun,
  clients: readonly NamedClient[],
): { readonly answers: AnswerChange[]; readonly folded: number } {
  const fields = compareFields(before, now, { ...before.target.operations, ...now.target.operations });
  const { changes } = compareAnswers(before, now, fields.changes);
  const all = [...fields.changes, ...changes];
  const groups = groupsOf(all).filter((group) => group.class !== 'compatible');
  const answers = groups.flatMap(
    ({ digest: id, class: found, headline, advice, changes: ids }): AnswerChange[] => {
      if (found === 'compatible') return [];
      const own = all.filter((one) => ids.includes(one.id));
      const affected = clientsAffectedBy(own, clients);
      if (clients.length > 0 && affected.length === 0) return [];
      return [{ id, class: found, headline, advice, ...(affected.length > 0 && { clients: affected }) }];
    },
  );
  return { answers: answers.slice(0, MOST_ANSWERS), folded: groups.length - answers.length };
}

/** The ids of the failed checks of a run, with waived ones. Other failures are retried. */
export function failuresOf({ checks }: Pick<RunResult, 'checks'>): string[] {
  return checks.filter(failed).map(({ id }) => id);
}

const fails = (check: CheckResult | undefined): boolean => check?.verdict === 'fail';
const failed = (check: CheckResult | undefined): boolean => fails(check) || isReportedElsewhere(check?.skip);
const isEvaluated = (check: CheckResult | undefined): boolean =>
  check !== undefined && EVALUATED.has(check.verdict);
const failsNow = ({ was, is }: Pair): boolean => fails(is) && !failed(was) && is?.waived === undefined;
const isNew = (pair: Pair): boolean => failsNow(pair) && !pair.isFoundOnly;
const hasPassed = ({ was, is }: Pair): boolean => fails(was) && isEvaluated(is) && !fails(is);
const isStill = ({ was, is }: Pair): boolean => fails(is) && failed(was);

/** Unstable checks have a list of their own. Checks that do not apply, or were left out, need no verdict. */
function isInconclusive(pair: Pair): boolean {
  const { was, is } = pair;
  if (hasPassed(pair)) return !pair.isAskedAgain;
  if (is === undefined || !isEvaluated(was) || isEvaluated(is) || isUnstableCheck(is)) return false;
  return is.skip === undefined || ['blocked', 'ended', 'over-budget'].includes(is.skip.kind);
}

function hasVanished(now: CheckResult | undefined): boolean {
  return now === undefined || ['mode', 'credentials', 'not-applicable'].includes(now.skip?.kind ?? '');
}

const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were');

/** An address without its port on loopback, which differs from run to run. */
function placeOf(address: string): string {
  const url = URL.parse(address);
  return url !== null && isLoopback(url) ? `${url.protocol}//${url.hostname}` : address;
}

/** Limits of the comparison: only shared parts are compared, and a new failure may only be newly noticed. */
function notesOf(before: RunResult, now: PresentRun, pairs: readonly Pair[]): string[] {
  const facts: [string, string, string][] = [
    ['contract', before.tool.contract, now.tool.contract],
    ['site address', placeOf(before.target.url), placeOf(now.target.url)],
    ['mode', before.run.mode, now.run.mode],
    ['caller', before.target.as ?? 'not recorded', now.target.as ?? 'not recorded'],
    ['vocabulary', before.target.vocabulary, now.target.vocabulary],
  ];
  const { partial, run } = before;
  const fresh = pairs.filter(isNew);
  const those = (...verdicts: (Verdict | undefined)[]): number =>
    fresh.filter(({ was }) => verdicts.includes(was?.verdict)).length;
  const unknown: [number, string][] = [
    [those(undefined), 'not there in the baseline'],
    [those('skip'), 'not asked in the baseline'],
    [those('inconclusive', 'error'), 'inconclusive in the baseline'],
  ];
  const { searches: then } = run;
  const examples = now.run.searches?.examples ?? 0;
  const unasked = pairs.filter((pair) => hasPassed(pair) && !pair.isAskedAgain).length;
  const left = pairs.filter(({ was, is }) => fails(was) && is?.skip?.kind === 'selection').length;
  return present([
    facts.map(([name, was, is]) => was !== is && `the ${name} is another: ${was} in the baseline, ${is} now`),
    run.ended !== undefined && `the baseline ended early: ${run.ended}`,
    partial && `the baseline asked only ${grouped(partial.asked)} of ${grouped(partial.planned)} checks`,
    unknown.map(
      ([number, what]) =>
        number > 0 && `${number} of what is new ${wasOrWere(number)} ${what}, and may have failed before`,
    ),
    then === undefined &&
      pairs.some(({ is }) => is?.tried !== undefined) &&
      'the baseline does not say which sets of arguments it asked: what searches find now may be older',
    then !== undefined &&
      examples < then.examples &&
      `searches ask ${examples} sets each, and ${then.examples} in the baseline: these are other sets`,
    unasked > 0 &&
      `${unasked} of what failed in the baseline passed, but was not asked for what it failed of`,
    left > 0 && `${left} of what failed in the baseline ${wasOrWere(left)} left out of this run`,
  ]);
}
