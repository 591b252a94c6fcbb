import type { CheckResult } from '../engine/result.ts';
import type { Release } from '../specs/releases.ts';
import type { Judgement, Unmet } from './documents.ts';

/** How a required check stands: met, with a remark or without, or not. */
type Standing = 'met' | Remark | Unmet['verdict'];

/** Why a check is met that did not pass. */
type Remark = 'warned' | 'notApplicable' | 'doubtful' | 'untold';

/**
 * Judges the required checks of a level. Conformant only where each of them ran and what is required held: no failure, no
 * inconclusive one but what a conforming site may leave so, none that was skipped. A warning contradicts nothing that is required; where the contract itself asks
 * nothing there is nothing to meet; an inconclusive, blocked or waived check is met where its requirement is doubtful.
 * @param required ids of checks; @param release says which of them a conforming site may leave inconclusive
 */
export function judgeRequired(
  required: readonly string[],
  checks: readonly CheckResult[],
  release: Release,
): Judgement {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const rows = required.map((id) => ({
    id,
    standing: standingOf(byId.get(id), release),
    check: byId.get(id),
  }));
  const idsOf = (standing: Standing): string[] =>
    rows.filter((row) => row.standing === standing).map(({ id }) => id);
  const unmet = rows.flatMap(({ id, standing, check }): Unmet[] =>
    isMet(standing)
      ? []
      : [{ id, verdict: standing, ...(check?.waived !== undefined && { waived: true as const }) }],
  );
  return {
    conclusion: required.length > 0 && unmet.length === 0 ? 'conformant' : 'partial',
    required: required.length,
    met: required.length - unmet.length,
    unmet,
    warned: idsOf('warned'),
    notApplicable: idsOf('notApplicable'),
    doubtful: idsOf('doubtful'),
    untold: idsOf('untold'),
  };
}

/** Whether what a check requires was seen to hold. */
export function meets(check: CheckResult | undefined, release: Release): boolean {
  return isMet(standingOf(check, release));
}

function isMet(standing: Standing): standing is 'met' | Remark {
  return ['met', 'warned', 'notApplicable', 'doubtful', 'untold'].includes(standing);
}

function standingOf(check: CheckResult | undefined, release: Release): Standing {
  if (check === undefined) return 'absent';
  const { verdict, skip } = check;
  if (verdict === 'pass') return 'met';
  if (verdict === 'warn') return 'warned';
  if (skip?.kind === 'not-applicable') return 'notApplicable';
  if (isExcused(check)) return 'doubtful';
  return isUntold(check, release) ? 'untold' : verdict;
}

/** Nobody is held to a doubtful requirement, as long as it was asked. */
function isExcused({ basis, verdict, skip, waived }: CheckResult): boolean {
  if (basis !== 'doubtful') return false;
  return (
    verdict === 'inconclusive' || skip?.kind === 'blocked' || (verdict === 'fail' && waived !== undefined)
  );
}

/** What shows only sometimes has been told once. */
function isUntold({ id, verdict, unstable, replay }: CheckResult, release: Release): boolean {
  if (verdict !== 'inconclusive' || unstable !== undefined || replay !== undefined) return false;
  return release.checks.get(id)?.untold === true;
}
