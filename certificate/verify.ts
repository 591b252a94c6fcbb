import type { KeyObject } from 'node:crypto';
import type { Release } from '../specs/releases.ts';
import { agree } from './agree.ts';
import { type Contents, type Envelope, FILES, PUBLIC_KEY } from './documents.ts';
import { isSignedBy, keyIdOf, readPublicKey } from './envelope.ts';
import { openCertificate, type Problem, parsed, problem } from './read.ts';
import { UnusableCertificate } from './unusable.ts';

/** Who signed a certificate, as far as it can be told. */
export type Signature =
  | { readonly kind: 'none' }
  /** Signed with the key that was given. */
  | { readonly kind: 'given'; readonly keyid: string }
  /** Signed with the key that the folder brings itself: whose it is cannot be told. */
  | { readonly kind: 'own'; readonly keyid: string };

/** What came of verifying: it holds where there are no problems. */
export interface Verified {
  readonly problems: readonly Problem[];
  readonly signature: Signature;
  /** How many files the certificate names. */
  readonly files: number;
  /** Undefined where files are altered, so that nothing in them counts. */
  readonly contents: Contents | undefined;
}

/**
 * Verifies the folder of a certificate, without a network: every byte of it, the signature, and that its documents agree
 * with each other and with the release of the contract.
 * @param publicKey the key that must have signed it; without one the key that it brings itself
 * @throws UnusableCertificate for what is no certificate, half of one, or one of a contract that is not known
 */
export function verifyCertificate(
  folder: string,
  publicKey: KeyObject | undefined,
  releases: readonly Release[],
): Verified {
  const opened = openCertificate(folder);
  const { envelope, statement, files } = opened;
  const { signature, problems: unsigned } = verifySignature(envelope, publicKey, files);
  const problems = [...opened.problems, ...unsigned];
  const about = { signature, files: statement.subject.length };
  if (problems.length > 0) return { ...about, problems, contents: undefined };
  const contents = contentsOf(folder, files);
  return { ...about, problems: agree(folder, contents, statement, files, releases), contents };
}

function verifySignature(
  envelope: Envelope,
  given: KeyObject | undefined,
  files: ReadonlyMap<string, Uint8Array>,
): { signature: Signature; problems: Problem[] } {
  const [one] = envelope.signatures;
  if (one === undefined) {
    const problems = given === undefined ? [] : [problem(FILES.certificate, 'is not signed')];
    return { signature: { kind: 'none' }, problems };
  }
  const { keyid } = one;
  const pem = files.get(PUBLIC_KEY);
  const key = given ?? (pem && readPublicKey(Buffer.from(pem).toString('utf8'), PUBLIC_KEY));
  const signature = { kind: given === undefined ? 'own' : 'given', keyid } as const;
  if (key !== undefined && isSignedBy(envelope, key)) return { signature, problems: [] };
  const why =
    key === undefined
      ? `the key of its signature, ${PUBLIC_KEY}, is missing or altered`
      : keyid === keyIdOf(key)
        ? 'altered: its signature does not hold'
        : `is signed with another key (${keyid}), or altered`;
  return { signature, problems: [problem(FILES.certificate, why)] };
}

function contentsOf(folder: string, files: ReadonlyMap<string, Uint8Array>): Contents {
  const read = <T>(name: string, schema: string): T => {
    const bytes = files.get(name);
    if (bytes === undefined) {
      throw new UnusableCertificate(
        `${folder}: its certificate names no ${name}: it is no certificate of site-conformance`,
      );
    }
    return parsed<T>(name, bytes, schema);
  };
  return {
    subject: read(FILES.subject, 'certificate.schema.json#/$defs/subject'),
    plan: read(FILES.plan, 'certificate.schema.json#/$defs/plan'),
    results: read(FILES.results, 'result.schema.json'),
  };
}
