import { blockerOf } from '../../engine/plan.ts';
import type { CheckResult } from '../../engine/result.ts';
import type { Release } from '../../specs/releases.ts';
import type { CertificateOutcome, CertificatePlan, Unmet } from './documents.ts';

/** How a required check stands: met, with a remark or without, or not. */
type Standing = 'met' | Remark | Unmet['verdict'];

/** Why a check is met that did not pass. */
type Remark = (typeof REMARKS)[number];

const REMARKS = ['warned', 'notApplicable', 'doubtful', 'untold', 'otherwise'] as const;

/** What a certificate requires, as its plan says it. */
type Asked = Pick<CertificatePlan, 'required' | 'changed'>;

/**
 * Evaluates the required checks of a level. Conformant only where each of them ran and what is required held: no failure, no
 * inconclusive one but what a conforming site may leave so, none that was skipped. A warning contradicts nothing that is required; where the contract itself asks
 * nothing there is nothing to meet; an inconclusive, blocked or waived check is met where its requirement is doubtful. What
 * the tool asks otherwise than the release did, and what depends on that, contradicts nothing that the release requires.
 * @param release says which checks a conforming site may leave inconclusive
 */
export function evaluateRequired(
  { required, changed }: Asked,
  checks: readonly CheckResult[],
  release: Release,
): CertificateOutcome {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const standingOf = standings({ required, changed }, byId, release);
  const rows = required.map((id) => ({ id, standing: standingOf(id), check: byId.get(id) }));
  const idsOf = (standing: Standing): string[] =>
    rows.filter((row) => row.standing === standing).map(({ id }) => id);
  const unmet = rows.flatMap(({ id, standing, check }): Unmet[] =>
    isMet(standing)
      ? []
      : [{ id, verdict: standing, ...(check?.waived !== undefined && { waived: true as const }) }],
  );
  const otherwise = idsOf('otherwise');
  return {
    conclusion: required.length > 0 && unmet.length === 0 ? 'conformant' : 'partial',
    required: required.length,
    met: required.length - unmet.length,
    unmet,
    warned: idsOf('warned'),
    notApplicable: idsOf('notApplicable'),
    doubtful: idsOf('doubtful'),
    untold: idsOf('untold'),
    ...(otherwise.length > 0 && { otherwise }),
  };
}

/** Reports of each required check, by its id, whether what it requires was seen to hold. */
export function meeting(
  asked: Asked,
  checks: readonly CheckResult[],
  release: Release,
): (id: string) => boolean {
  const standingOf = standings(asked, new Map(checks.map((check) => [check.id, check])), release);
  return (id) => isMet(standingOf(id));
}

function isMet(standing: Standing): standing is 'met' | Remark {
  return standing === 'met' || REMARKS.some((remark) => remark === standing);
}

function standings(
  asked: Asked,
  byId: ReadonlyMap<string, CheckResult>,
  release: Release,
): (id: string) => Standing {
  const changed = new Set(asked.changed);
  /** Whether a check says nothing of the release, because it is asked otherwise, or depends on one that is. */
  const isOtherwise = (check: CheckResult | undefined, seen: ReadonlySet<string> = new Set()): boolean => {
    if (check === undefined || seen.has(check.id)) return false;
    const { id, verdict } = check;
    const by = blockerOf(check);
    if (by !== undefined) return changed.has(id) || isOtherwise(byId.get(by), new Set([...seen, id]));
    return changed.has(id) && (verdict === 'fail' || verdict === 'inconclusive');
  };
  return (id) => {
    const check = byId.get(id);
    if (check === undefined) return 'absent';
    const { verdict, skip } = check;
    if (verdict === 'pass') return 'met';
    if (verdict === 'warn') return 'warned';
    if (skip?.kind === 'not-applicable') return 'notApplicable';
    if (isExcused(check)) return 'doubtful';
    if (mayBeInconclusive(check, release)) return 'untold';
    return isOtherwise(check) ? 'otherwise' : verdict;
  };
}

/** Nobody is held to a doubtful requirement, as long as it was asked. */
function isExcused({ basis, verdict, skip, waived }: CheckResult): boolean {
  if (basis !== 'doubtful') return false;
  return (
    verdict === 'inconclusive' || skip?.kind === 'blocked' || (verdict === 'fail' && waived !== undefined)
  );
}

/** What shows only sometimes has been reported once. */
function mayBeInconclusive({ id, verdict, unstable, replay }: CheckResult, release: Release): boolean {
  if (verdict !== 'inconclusive' || unstable !== undefined || replay !== undefined) return false;
  return release.checks.get(id)?.untold === true;
}
