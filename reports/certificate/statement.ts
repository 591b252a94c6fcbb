import { createHash } from 'node:crypto';
import type { CertificateSubject, Described, Statement } from './documents.ts';
import { FILES } from './documents.ts';

/**
 * The statement of a certificate: the files of its folder by their digests, and the result of the tests.
 * @param files every file of the folder but the certificate itself
 */
export function statementOf(subject: CertificateSubject, files: ReadonlyMap<string, Uint8Array>): Statement {
  const described = [...files]
    .map(([name, bytes]): Described => ({ name, digest: { sha256: sha256(bytes) } }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const { deployment, vocabulary, release, digest } = subject.contract;
  const contract = {
    name: `contract ${release} of ${deployment}, ${vocabulary}`,
    digest: { sha256: digest.replace(/^sha256:/, '') },
  };
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: described,
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: resultOf(subject),
      configuration: [contract, ...described.filter(({ name }) => name === FILES.plan)],
      warnedTests: subject.warned,
      failedTests: subject.unmet.map(({ id }) => id),
    },
  };
}

/** The bytes of a statement, as an envelope holds them. */
export function statementBytes(statement: Statement): Buffer {
  return Buffer.from(JSON.stringify(statement));
}

/** The SHA-256 of bytes, in hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function resultOf({
  conclusion,
  warned,
  doubtful,
  untold,
  otherwise = [],
}: CertificateSubject): Statement['predicate']['result'] {
  if (conclusion === 'partial') return 'FAILED';
  return warned.length + doubtful.length + untold.length + otherwise.length > 0 ? 'WARNED' : 'PASSED';
}
