import type { CheckResult } from '../engine/result.ts';
import type { Judgement, Unmet } from './documents.ts';

/** How a required check stands: met, with a remark or without, or not. */
type Standing = 'met' | 'warned' | 'notApplicable' | 'waived' | Unmet['verdict'];

/**
 * Judges the required checks of a level. Conformant only where each of them ran and what is required held: no failure, no
 * inconclusive one, none that was skipped. A warning contradicts nothing that is required; where the contract itself asks
 * nothing there is nothing to meet; a waiver counts for a doubtful requirement alone.
 * @param required ids of checks
 */
export function judgeRequired(required: readonly string[], checks: readonly CheckResult[]): Judgement {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const rows = required.map((id) => ({ id, standing: standingOf(byId.get(id)), check: byId.get(id) }));
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
    waived: idsOf('waived'),
  };
}

/** Whether what a check requires was seen to hold. */
export function meets(check: CheckResult | undefined): boolean {
  return isMet(standingOf(check));
}

function isMet(standing: Standing): standing is 'met' | 'warned' | 'notApplicable' | 'waived' {
  return ['met', 'warned', 'notApplicable', 'waived'].includes(standing);
}

function standingOf(check: CheckResult | undefined): Standing {
  if (check === undefined) return 'absent';
  const { verdict, skip, waived, basis } = check;
  if (verdict === 'pass') return 'met';
  if (verdict === 'warn') return 'warned';
  if (verdict === 'skip' && skip?.kind === 'not-applicable') return 'notApplicable';
  return verdict === 'fail' && waived !== undefined && basis === 'doubtful' ? 'waived' : verdict;
}
