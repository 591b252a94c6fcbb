import type { CheckResult } from '../../engine/result.ts';
import type { Release } from '../../specs/releases.ts';
import type { CertificatePlan } from './documents.ts';
import { meeting } from './evaluate.ts';

/** A requirement with how many of its required checks are met. */
interface CertifiedRequirement {
  readonly id: string;
  readonly checks: number;
  readonly met: number;
}

/** What `coverage.json` holds: each requirement of the level, in the order of the ids. */
export function certifiedCoverage(
  plan: Pick<CertificatePlan, 'required' | 'changed'>,
  release: Release,
  checks: readonly CheckResult[],
): CertifiedRequirement[] {
  const isMet = meeting(plan, checks, release);
  const rows = new Map<string, { checks: number; met: number }>();
  for (const id of plan.required) {
    for (const requirement of release.checks.get(id)?.requirements ?? []) {
      const row = rows.get(requirement) ?? { checks: 0, met: 0 };
      rows.set(requirement, row);
      row.checks += 1;
      if (isMet(id)) row.met += 1;
    }
  }
  return [...rows]
    .map(([id, row]) => ({ id, ...row }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}
