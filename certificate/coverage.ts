import type { CheckResult } from '../engine/result.ts';
import type { Release } from '../specs/releases.ts';
import { meets } from './judge.ts';

/** A requirement with how many of its required checks are met. */
export interface CertifiedRequirement {
  readonly id: string;
  readonly checks: number;
  readonly met: number;
}

/** What `coverage.json` holds: each requirement of the level, in the order of the ids. @param required ids of checks */
export function certifiedCoverage(
  required: readonly string[],
  release: Release,
  checks: readonly CheckResult[],
): CertifiedRequirement[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const rows = new Map<string, { checks: number; met: number }>();
  for (const id of required) {
    for (const requirement of release.checks.get(id)?.requirements ?? []) {
      const row = rows.get(requirement) ?? { checks: 0, met: 0 };
      rows.set(requirement, row);
      row.checks += 1;
      if (meets(byId.get(id), release)) row.met += 1;
    }
  }
  return [...rows]
    .map(([id, row]) => ({ id, ...row }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
