import { hash, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byText } from '../../client/json.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Release } from '../../specs/releases.ts';
import { jsonText } from '../files.ts';
import { renderPage } from '../renderers/page.ts';
import { renderJunit } from '../reporters/junit.ts';
import { runView } from '../views/run/run.ts';
import { type CertificatePlan, type CertificateSubject, FILES, HINTS, PUBLIC_KEY } from './documents.ts';
import { envelopeText, publicPem, seal, statementOf } from './envelope.ts';
import { evaluateRequired } from './evaluate.ts';

interface Material {
  readonly implementation: string;
  readonly plan: CertificatePlan;
  readonly result: RunResult;
  readonly release: Release;
}

/**
 * Makes the certificate of a run, completely or not at all, in a folder named after the run,
 * which no later run replaces.
 * @param folder holds the reports of the run; beside the material, the text of the hints file, and the key that signs
 * @returns its content and place
 * @throws the error of the file system
 */
export function makeCertificate(
  folder: string,
  {
    hints,
    key,
    ...material
  }: Material & { readonly hints?: string | undefined; readonly key?: KeyObject | undefined },
): { subject: CertificateSubject; path: string } {
  const index = readFileSync(join(folder, FILES.index));
  const subject = subjectOf(material, index);
  const files = new Map<string, Uint8Array>([
    ...filesOf(subject, material),
    [FILES.index, index],
    [FILES.events, readFileSync(join(folder, FILES.events))],
  ]);
  if (hints !== undefined) files.set(HINTS, Buffer.from(hints));
  if (key !== undefined) files.set(PUBLIC_KEY, Buffer.from(publicPem(key)));
  const envelope = seal(statementOf(subject, files), key);
  files.set(FILES.certificate, Buffer.from(envelopeText(envelope)));
  return { subject, path: writeFolder(join(folder, `certificate-${material.result.run.id}`), files) };
}

/** The derived files of a certificate. The same material gives the same bytes. */
export function filesOf(subject: CertificateSubject, material: Material): ReadonlyMap<string, Uint8Array> {
  const { plan, result } = material;
  const texts: Readonly<Record<string, string>> = {
    [FILES.subject]: jsonText(subject),
    [FILES.plan]: jsonText(plan),
    [FILES.results]: jsonText(result),
    [FILES.coverage]: jsonText(coverageOf(subject, material)),
    [FILES.badge]: jsonText(badgeOf(subject)),
    [FILES.repeat]: repeatText(subject, material),
    [FILES.junit]: renderJunit(result),
    [FILES.page]: renderPage(runView(result)),
  };
  return new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
}

/** The subject of a certificate. @param index the bytes of its `index.json` */
export function subjectOf(
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
    indexMasked: `sha256:${hash('sha256', index)}` !== target.index,
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

function badgeOf(subject: CertificateSubject): unknown {
  const { conclusion, level, contract, met, required } = subject;
  const claim = `level ${level} of ${contract.deployment} ${contract.release}`;
  return {
    schemaVersion: 1,
    label: 'conformance',
    message: conclusion === 'conformant' ? claim : `${claim}: ${met} of ${required}`,
    color: conclusion === 'conformant' ? 'brightgreen' : 'yellow',
  };
}

function coverageOf({ unmet }: CertificateSubject, { plan, release }: Material): unknown {
  const open = new Set(unmet.map(({ id }) => id));
  const pairs = plan.required.flatMap((id) =>
    (release.checks.get(id)?.requirements ?? []).map((requirement) => ({
      requirement,
      isMet: !open.has(id),
    })),
  );
  return [...Map.groupBy(pairs, ({ requirement }) => requirement)]
    .map(([id, all]) => ({ id, checks: all.length, met: all.filter(({ isMet }) => isMet).length }))
    .toSorted((one, other) => byText(one.id, other.id));
}

function repeatText(subject: CertificateSubject, { plan, result }: Material): string {
  const { contract, level, tool } = subject;
  const isUser = result.target.as === 'user';
  const headers = plan.headers.map((name) => ` --header '${name}: …'`).join('');
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
| asked as | ${isUser ? 'user' : 'anonymous'} |
| strict | ${plan.strict ? 'yes' : 'no'} |
| records that the run makes for its checks (\`--stage\`) | ${plan.stage} |
| concurrent requests, seconds for one exchange | ${plan.concurrency}, ${plan.timeout} |
| requests a second, seconds for the whole run | ${plan.rate ?? 'no bound'}, ${plan.budget ?? 'no bound'} |
| headers of every request, without their values | ${plan.headers.map((name) => JSON.stringify(name)).join(', ') || 'none'} |
| hints of the owner | ${plan.hints ?? 'none'} |
| required checks | ${plan.required.length} |
${plan.hints === undefined ? '' : `\nThe file \`${HINTS}\` is used by itself; variables that it names are expected in the environment.\n`}`;
}
