import type { KeyObject } from 'node:crypto';
import { present } from '../../engine/text.ts';
import type { Release } from '../../specs/releases.ts';
import { agree } from './agree.ts';
import {
  type CertificateSubject,
  type Contents,
  type Envelope,
  FILES,
  PUBLIC_KEY,
  REPORTS,
} from './documents.ts';
import { isSignedBy, keyIdOf, publicPem, readPublicKey, UnusableCertificate } from './envelope.ts';
import { openCertificate, type Problem, parsed, problem } from './read.ts';

/** Who signed a certificate, as far as it is known. */
export type Signature =
  | { readonly kind: 'none' }
  /** Signed, as it says, with the key that was given. */
  | { readonly kind: 'given'; readonly keyid: string; readonly valid: boolean }
  /** Signed with the key that the folder brings itself: whose it is cannot be known. */
  | { readonly kind: 'own'; readonly keyid: string; readonly valid: boolean };

/** What came of verifying: it holds where there are no problems. */
export interface Verified {
  readonly problems: readonly Problem[];
  readonly signature: Signature;
  /** How many files the certificate names. */
  readonly files: number;
  /** What could not be compared, in sentences; it contradicts nothing. */
  readonly remarks: readonly string[];
  /** Undefined where files are altered, so that nothing in them counts. */
  readonly contents: Contents | undefined;
  /** The index as the site gave it, where this tool has evaluated it: its verdicts can be drawn again. */
  readonly index: Uint8Array | undefined;
}

/**
 * Verifies the folder of a certificate, without a network: every byte of it, the signature, and that its documents agree
 * with each other and with the release of the contract.
 * @param publicKey the key that must have signed it; without one the key that it brings itself
 * @param tool the name and the version of this tool, which makes the same reports of the same results
 * @throws UnusableCertificate for what is no certificate, half of one, or one of a contract that is not known
 */
export function verifyCertificate(
  folder: string,
  publicKey: KeyObject | undefined,
  releases: readonly Release[],
  tool: string,
): Verified {
  const opened = openCertificate(folder);
  const { envelope, statement, files } = opened;
  const { signature, problems: unsigned } = verifySignature(envelope, publicKey, files);
  const problems = [...opened.problems, ...unsigned];
  const about = { signature, files: statement.subject.length };
  if (problems.length > 0) return { ...about, problems, remarks: [], contents: undefined, index: undefined };
  const contents = contentsOf(folder, files);
  const isSameTool = contents.subject.tool === tool;
  const remarks = remarksOf(contents.subject, isSameTool, tool);
  return {
    ...about,
    problems: agree({ ...contents, envelope, files, isSameTool }, releases),
    remarks,
    contents,
    index: isSameTool && !contents.subject.indexMasked ? files.get(FILES.index) : undefined,
  };
}

function remarksOf(subject: CertificateSubject, isSameTool: boolean, tool: string): string[] {
  return present([
    !isSameTool &&
      `made by ${subject.tool}: ${tool} neither makes ${REPORTS.join(' and ')} of it anew nor checks its index again, so that only their digests were compared`,
    subject.indexMasked &&
      `secrets are masked in ${FILES.index}: it cannot be held against the digest of the index of the site, nor checked again`,
  ]);
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
  const own = pem && readPublicKey(Buffer.from(pem).toString('utf8'), PUBLIC_KEY);
  const key = given ?? own;
  const valid = key !== undefined && isSignedBy(envelope, key);
  const signature = { kind: given === undefined ? 'own' : 'given', keyid, valid } as const;
  if (valid) {
    const isOwn = own === undefined || Buffer.from(publicPem(own)).equals(pem ?? Buffer.alloc(0));
    const problems =
      isOwn && (own === undefined || keyIdOf(own) === keyid)
        ? []
        : [problem(PUBLIC_KEY, 'is not the key that signed the certificate, as it was written')];
    return { signature, problems };
  }
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
