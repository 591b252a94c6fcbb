import type { Basis } from '../../engine/result.ts';
import { contractKey, includesLevel, type Level, type Release } from '../../specs/releases.ts';
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
