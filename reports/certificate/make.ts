import type { KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../../engine/result.ts';
import type { Release } from '../../specs/releases.ts';
import { jsonText } from '../files.ts';
import { type CertificatePlan, type CertificateSubject, FILES, HINTS, PUBLIC_KEY } from './documents.ts';
import { certificateBadge, certifiedCoverage, renderedReports } from './enclosures.ts';
import { envelopeText, publicPem, seal } from './envelope.ts';
import { evaluateRequired } from './evaluate.ts';
import { repeatText } from './repeat.ts';
import { sha256, statementOf } from './statement.ts';

/** What a certificate is made of. */
interface Material {
  readonly implementation: string;
  readonly plan: CertificatePlan;
  readonly result: RunResult;
  readonly release: Release;
  /** The text of the hints of the owner. */
  readonly hints?: string | undefined;
  /** Signs it; without one it is not signed. */
  readonly key?: KeyObject | undefined;
}

/**
 * Makes the certificate of a run, whole or not at all, in a folder that bears the id of the run: no later run replaces it.
 * @param folder holds the reports of the run
 * @returns what it says, and where it is
 * @throws the error of the file system
 */
export function makeCertificate(
  folder: string,
  material: Material,
): { subject: CertificateSubject; path: string } {
  const { plan, result, release, hints, key } = material;
  const index = readFileSync(join(folder, FILES.index));
  const subject = subjectOf(material, index);
  const coverage = certifiedCoverage(plan, release, result.checks);
  const files = new Map<string, Uint8Array>([
    [FILES.results, Buffer.from(jsonText(result))],
    [FILES.events, readFileSync(join(folder, FILES.events))],
    ...renderedReports(result),
    [FILES.index, index],
    [FILES.subject, jsonBytes(subject)],
    [FILES.plan, jsonBytes(plan)],
    [FILES.coverage, jsonBytes(coverage)],
    [FILES.badge, jsonBytes(certificateBadge(subject))],
    [FILES.repeat, Buffer.from(repeatText(subject, plan, result.target.as))],
    ...(hints === undefined ? [] : [[HINTS, Buffer.from(hints)] as const]),
    ...(key === undefined ? [] : [[PUBLIC_KEY, Buffer.from(publicPem(key))] as const]),
  ]);
  const envelope = seal(statementOf(subject, files), key);
  files.set(FILES.certificate, Buffer.from(envelopeText(envelope)));
  return { subject, path: writeFolder(join(folder, `certificate-${result.run.id}`), files) };
}

/** The bytes of a JSON document of a certificate. */
export function jsonBytes(document: unknown): Buffer {
  return Buffer.from(jsonText(document));
}

function subjectOf(
  { implementation, plan, result, release }: Material,
  index: Uint8Array,
): CertificateSubject {
  const { tool, target, run, checks } = result;
  return {
    format: 1,
    implementation,
    level: plan.level,
    contract: plan.contract,
    tool: `${tool.name} ${tool.version}`,
    run: run.id,
    started: run.started,
    index: target.index,
    indexMasked: `sha256:${sha256(index)}` !== target.index,
    ...evaluateRequired(plan, checks, release),
  };
}

function writeFolder(path: string, files: ReadonlyMap<string, Uint8Array>): string {
  const temporary = `${path}.tmp`;
  try {
    mkdirSync(temporary, { recursive: true });
    for (const [name, bytes] of files) writeFileSync(join(temporary, name), bytes, { flush: true });
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return path;
}
