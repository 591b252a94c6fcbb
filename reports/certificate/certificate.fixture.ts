import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsOf, sampleCheck, sampleResult } from '../../engine/result.fixture.ts';
import type { CheckResult, RunResult } from '../../engine/result.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import type { Release, ReleasedCheck } from '../../specs/releases.ts';
import { type CertificatePlan, FILES, type Statement } from './documents.ts';
import { envelopeText, seal } from './envelope.ts';
import { requiredBy } from './evaluate.ts';
import { makeCertificate } from './make.ts';

const ROW: ReleasedCheck = {
  level: 'read',
  basis: 'stated',
  asks: '0'.repeat(12),
  requirements: ['posts.paging'],
  in: ['core'],
};

/** A release with three checks of one deployment, one of them above level `read`. */
export const RELEASE: Release = {
  version: '1.0',
  contracts: { 'core neutral': `sha256:${'c0'.repeat(32)}` },
  checks: new Map([
    ['index/name/type', { ...ROW, level: 'index', requirements: ['index.name'] }],
    ['posts.list/page/minimum', ROW],
    ['posts.create/title/kept', { ...ROW, level: 'write', basis: 'doubtful' }],
  ]),
};

/** The tool that makes certificates. */
export const TOOL = 'site-conformance 0.1.0';

/** A pair of keys of a kind. */
export function keysOf(kind: 'ed25519' | 'ed448' = 'ed25519'): { key: KeyObject; publicKey: KeyObject } {
  const made = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448');
  return { key: made.privateKey, publicKey: made.publicKey };
}

/** The results of the checks of that release, in a run that certifies level `read`, with `changes` applied. */
export function checksOf(changes: Readonly<Record<string, Partial<CheckResult>>> = {}): CheckResult[] {
  return [...RELEASE.checks].map(([id, { basis, level }]) =>
    sampleCheck({
      id,
      basis,
      ...(level === 'write' && { verdict: 'skip', skip: { kind: 'mode', needs: 'write' } }),
      ...changes[id],
    }),
  );
}

interface Differing {
  readonly key?: KeyObject | undefined;
  readonly checks?: CheckResult[];
  readonly plan?: Partial<CertificatePlan>;
  readonly hints?: string;
  readonly isMasked?: boolean;
  readonly result?: Partial<RunResult>;
}

/** Makes a certificate of level `read` in a temporary folder. @returns its folder */
export function certificateFolder({
  key,
  checks = checksOf(),
  plan,
  hints,
  isMasked = false,
  result,
}: Differing = {}): string {
  const folder = testFolder();
  const index = '{"name":"a site"}';
  const sample = sampleResult(checks);
  const run: RunResult = {
    ...sample,
    target: {
      ...sample.target,
      deployment: 'core',
      vocabulary: 'neutral',
      as: 'user',
      index: `sha256:${hash('sha256', Buffer.from(isMasked ? `${index} ` : index))}`,
    },
    run: { ...sample.run, mode: 'read', seed: 7 },
    ...result,
  };
  writeFileSync(join(folder, FILES.index), index);
  writeFileSync(join(folder, FILES.results), JSON.stringify(run));
  writeFileSync(
    join(folder, FILES.events),
    eventsOf(run)
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  );
  const made = makeCertificate(folder, {
    implementation: 'Acme 1.2',
    plan: {
      format: 1,
      level: 'read',
      contract: {
        release: '1.0',
        suite: '1.0',
        deployment: 'core',
        vocabulary: 'neutral',
        digest: `sha256:${'c0'.repeat(32)}`,
      },
      mode: 'read',
      seed: 7,
      examples: 6,
      strict: false,
      stage: 'auto',
      concurrency: 4,
      timeout: 30,
      headers: [],
      ...requiredBy('read', RELEASE, RELEASE, 'core'),
      ...plan,
    },
    result: run,
    release: RELEASE,
    hints,
    key,
  });
  return made.path;
}

/** Alters a document and updates its digest in an unsigned statement, as a forger without the key can. */
export function forge(folder: string, name: string, alter: (text: string) => string): void {
  const path = join(folder, name);
  writeFileSync(path, alter(readFileSync(path, 'utf8')));
  reseal(folder, undefined);
}

/** Updates the statement of a certificate to fit its files, as anybody can who has the key, or needs none. */
export function reseal(
  folder: string,
  key: KeyObject | undefined,
  alter: (text: string) => string = (text) => text,
): void {
  const path = join(folder, FILES.certificate);
  const { payload } = JSON.parse(readFileSync(path, 'utf8'));
  const statement: Statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
  const names = readdirSync(folder).filter((name) => name !== FILES.certificate);
  const subject = names
    .toSorted()
    .map((name) => ({ name, digest: { sha256: hash('sha256', readFileSync(join(folder, name))) } }));
  const configuration = statement.predicate.configuration.map((one) =>
    one.name === FILES.plan ? (subject.find(({ name }) => name === FILES.plan) ?? one) : one,
  );
  const fitting = { ...statement, subject, predicate: { ...statement.predicate, configuration } };
  writeFileSync(path, envelopeText(seal(Buffer.from(alter(JSON.stringify(fitting))), key)));
}
