import { blockerOf } from '../../engine/plan.ts';
import type { CheckResult } from '../../engine/result.ts';
import type { Basis } from '../../specs/operation-file.ts';
import { contractKey, includesLevel, type Level, type Release } from '../../specs/releases.ts';
import type { CertificateOutcome, CertificatePlan, Unmet } from './documents.ts';
import { UnusableCertificate } from './envelope.ts';

/** What a level of a release requires of a deployment, asked by a tool that may know a later release. */
interface Required {
  /** Ids of checks, in the order of their ids. */
  readonly required: readonly string[];
  /** Required by the release, and no longer asked by the tool. */
  readonly dropped: readonly string[];
  /** Asked by the tool in another way than by the release. */
  readonly changed: readonly string[];
}

/** The release with a version. @throws UnusableCertificate naming those that are known */
export function releaseOf(releases: readonly Release[], version: string): Release {
  const found = releases.find((release) => release.version === version);
  if (found !== undefined) return found;
  throw new UnusableCertificate(
    `contract ${version} is not known to this version: expected one of ${releases.map((one) => one.version).join(', ')}; use a version of site-conformance that knows it`,
  );
}

/**
 * What a level requires: every check of the release at that level or a lower one. What the tool has dropped since is no
 * longer required of anybody, because nobody asks it; what it asks otherwise is asked as it is now.
 * @param release says what is required; @param suite the release that the tool runs with
 */
export function requiredBy(level: Level, release: Release, suite: Release, deployment: string): Required {
  const rows = [...release.checks].filter(
    ([, row]) => row.in.includes(deployment) && includesLevel(level, row.level),
  );
  const isAsked = (id: string): boolean => suite.checks.get(id)?.in.includes(deployment) === true;
  const asked = rows.filter(([id]) => isAsked(id));
  return {
    required: asked.map(([id]) => id).toSorted(),
    dropped: rows.flatMap(([id]) => (isAsked(id) ? [] : [id])).toSorted(),
    changed: asked
      .filter(([id, { asks }]) => suite.checks.get(id)?.asks !== asks)
      .map(([id]) => id)
      .toSorted(),
  };
}

/** What the requirement of a check rests on in a release; undefined for a check that it does not know. */
export function basisOf(
  { checks }: Release,
  id: string,
  about: { deployment: string; vocabulary: string },
): Basis | undefined {
  const row = checks.get(id);
  return row?.basisIn?.[contractKey(about)] ?? row?.basis;
}

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

/** Says of each required check, by its id, whether what it requires was seen to hold. */
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
