import { blockerOf } from '../../engine/plan.ts';
import type { CheckResult } from '../../engine/result.ts';
import type { Basis } from '../../specs/operation-file.ts';
import { contractKey, includesLevel, type Level, type Release } from '../../specs/releases.ts';
import { UsageError } from '../../specs/validators.ts';
import type { CertificateOutcome, CertificatePlan, Unmet } from './documents.ts';

/** The release with a version. @throws UsageError with the known ones */
export function releaseOf(releases: readonly Release[], version: string): Release {
  const found = releases.find((release) => release.version === version);
  if (found !== undefined) return found;
  throw new UsageError(
    `contract ${version} is not known to this version: expected one of ${releases.map((one) => one.version).join(', ')}; use a version of site-conformance that knows it`,
  );
}

/**
 * The requirements of a level: all checks of the release at that level or below. Checks that the tool has dropped are
 * not required, and changed ones are checked as they are now.
 * @param release has the requirements
 * @param suite the release of the tool
 */
export function requiredBy(
  level: Level,
  release: Release,
  suite: Release,
  deployment: string,
): Pick<CertificatePlan, 'required' | 'dropped' | 'changed'> {
  const rows = [...release.checks].filter(
    ([, row]) => row.in.includes(deployment) && includesLevel(level, row.level),
  );
  const isAsked = (id: string): boolean => suite.checks.get(id)?.in.includes(deployment) === true;
  const asked = rows.filter(([id]) => isAsked(id));
  const ids = (some: typeof rows): string[] => some.map(([id]) => id).toSorted();
  return {
    required: ids(asked),
    dropped: ids(rows.filter(([id]) => !isAsked(id))),
    changed: ids(asked.filter(([id, { asks }]) => suite.checks.get(id)?.asks !== asks)),
  };
}

/** The basis of a check in a release; undefined for an unknown check. */
export function basisOf(
  { checks }: Release,
  id: string,
  about: { deployment: string; vocabulary: string },
): Basis | undefined {
  const row = checks.get(id);
  return row?.basisIn?.[contractKey(about)] ?? row?.basis;
}

type Standing = 'met' | Remark | Unmet['verdict'];

type Remark = (typeof REMARKS)[number];

const REMARKS = ['warned', 'notApplicable', 'doubtful', 'untold', 'otherwise'] as const;

/**
 * Evaluates the required checks of a level. The result is conformant only if all of them ran and are met. Not met are
 * failures, skips, and inconclusive checks that a conforming site need not leave so. A warning is met, and so is a
 * check where the contract requires nothing. An inconclusive, blocked or waived check is met if its requirement is
 * doubtful. A check that differs from the release, and its dependents, contradict nothing.
 * @param release says which checks a conforming site may leave inconclusive
 */
export function evaluateRequired(
  { required, changed }: Pick<CertificatePlan, 'required' | 'changed'>,
  checks: readonly CheckResult[],
  release: Release,
): CertificateOutcome {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const standingOf = standings(new Set(changed), byId, release);
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

function isMet(standing: Standing): standing is 'met' | Remark {
  return standing === 'met' || REMARKS.some((remark) => remark === standing);
}

function standings(
  changed: ReadonlySet<string>,
  byId: ReadonlyMap<string, CheckResult>,
  release: Release,
): (id: string) => Standing {
  /** Whether a check says nothing about the release, because it is different now, or depends on such a check. */
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
    // What depends on such a check cannot be told either.
    if (mayBeInconclusive(byId.get(blockerOf(check) ?? id), release)) return 'untold';
    return isOtherwise(check) ? 'otherwise' : verdict;
  };
}

/** A doubtful requirement is met if its check was tried. */
function isExcused({ basis, verdict, skip, waived }: CheckResult): boolean {
  const isTried =
    verdict === 'inconclusive' || skip?.kind === 'blocked' || (verdict === 'fail' && waived !== undefined);
  return basis === 'doubtful' && isTried;
}

/** An unstable violation was seen at least once. */
function mayBeInconclusive(check: CheckResult | undefined, release: Release): boolean {
  if (check?.verdict !== 'inconclusive' || check.unstable !== undefined || check.replay !== undefined)
    return false;
  return release.checks.get(check.id)?.untold === true;
}
