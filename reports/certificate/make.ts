import type { KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../../engine/result.ts';
import type { Release } from '../../specs/releases.ts';
import { jsonText } from '../files.ts';
import { type CertificatePlan, type CertificateSubject, FILES, HINTS, PUBLIC_KEY } from './documents.ts';
import { certificateBadge, certifiedCoverage, renderedReports } from './enclosures.ts';
import { envelopeText, publicPem, seal, sha256, statementOf } from './envelope.ts';
import { evaluateRequired } from './evaluate.ts';

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

/**
 * What `REPEAT.md` holds: how to check the certificate, and how to make the same run again.
 * @param as who the run asked as
 */
export function repeatText(
  subject: CertificateSubject,
  plan: CertificatePlan,
  as: RunResult['target']['as'],
): string {
  const { contract, level, tool } = subject;
  const isUser = as !== 'anonymous';
  const headers = plan.headers?.map((name) => ` --header '${name}: …'`).join('') ?? '';
  const target = `--target URL${isUser ? ' --user NAME' : ''}${headers}`;
  const confirm = plan.mode === 'read' ? '' : ' --confirm-host HOST';
  return `# How to check and to repeat this certificate

It is about ${JSON.stringify(subject.implementation)}: level ${level} of contract ${contract.release}, deployment ${contract.deployment}, in the words of
vocabulary ${contract.vocabulary}. ${tool} made it with run ${subject.run}.

Without the site, that nothing in this folder has changed and that it adds up:

\`\`\`
site-conformance verify --public-key KEY.pem FOLDER
\`\`\`

The key of the author comes from the author, not out of this folder. Any verifier of DSSE envelopes reads
\`certificate.json\` as well.

With a site that runs the implementation, the same plan with the same seed${isUser ? '; the password of the user is expected in the environment\nvariable SITE_CONFORMANCE_PASSWORD' : ''}:

\`\`\`
site-conformance verify ${target}${confirm} FOLDER
\`\`\`

| what | value |
| --- | --- |
| mode | ${plan.mode} |
| seed | ${plan.seed} |
| sets of arguments of fuzz checks | ${plan.examples} |
| asked as | ${as ?? 'not noted'} |
| strict | ${plan.strict ? 'yes' : 'no'} |
| records that the run makes for its checks (\`--stage\`) | ${plan.stage ?? 'not noted'} |
| requests under way at once, seconds for one exchange | ${plan.concurrency ?? 'not noted'}, ${plan.timeout ?? 'not noted'} |
| requests a second, seconds for the whole run | ${plan.rate ?? 'no bound'}, ${plan.budget ?? 'no bound'} |
| headers of every request, without their values | ${plan.headers?.map((name) => JSON.stringify(name)).join(', ') || 'none'} |
| hints of the owner | ${plan.hints ?? 'none'} |
| required checks | ${plan.required.length} |
${plan.hints === undefined ? '' : `\nThe file \`${HINTS}\` is used by itself; variables that it names are expected in the environment.\n`}`;
}
