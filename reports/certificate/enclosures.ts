import type { CheckResult, RunResult } from '../../engine/result.ts';
import type { Release } from '../../specs/releases.ts';
import { renderPage } from '../renderers/page.ts';
import type { Badge } from '../reporters/badge.ts';
import { renderJunit } from '../reporters/junit.ts';
import { runView } from '../views/run/run.ts';
import type { CertificatePlan, CertificateSubject } from './documents.ts';
import { meeting } from './evaluate.ts';

/** The badge of a certificate: its level and contract, and whether all of it was met. */
export function certificateBadge(subject: CertificateSubject): Badge {
  const { conclusion, level, contract, met, required } = subject;
  const claim = `level ${level} of ${contract.deployment} ${contract.release}`;
  return {
    schemaVersion: 1,
    label: 'conformance',
    message: conclusion === 'conformant' ? claim : `${claim}: ${met} of ${required}`,
    color: conclusion === 'conformant' ? 'brightgreen' : 'yellow',
  };
}

/** The reports for people and for CI servers that a certificate brings: the same results give the same bytes. */
export function renderedReports(result: RunResult): [string, Uint8Array][] {
  return [
    ['junit.xml', Buffer.from(renderJunit(result))],
    ['report.html', Buffer.from(renderPage(runView(result)))],
  ];
}

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
