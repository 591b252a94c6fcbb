import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { byText } from '../../client/json.ts';
import { UsageError } from '../../specs/validators.ts';
import { jsonText } from '../files.ts';
import { type CertificateSubject, type Envelope, FILES, type Statement } from './documents.ts';

const TYPE = 'application/vnd.in-toto+json';
const KIND = 'ed25519';

/** Other kinds of keys that people pass by mistake. The library's messages do not distinguish them. */
const OTHERS: readonly { mark: RegExp; words: string; not?: 'private' | 'public' }[] = [
  { mark: /^\s*$/, words: 'an empty file' },
  { mark: /^-----BEGIN OPENSSH|^ssh-/m, words: "a key in OpenSSH's own format" },
  {
    mark: /ENCRYPTED/,
    words: 'an encrypted key ("openssl pkey -in FILE -out PLAIN" takes its passphrase away)',
  },
  { mark: /^-----BEGIN CERTIFICATE/m, words: 'an X.509 certificate' },
  { mark: /^-----BEGIN [A-Z ]*PRIVATE KEY/m, words: 'a private key', not: 'private' },
  { mark: /^-----BEGIN [A-Z ]*PUBLIC KEY/m, words: 'a public key', not: 'public' },
  { mark: /^(?![\s\S]*-----BEGIN )/, words: 'no PEM' },
];

/** Puts the bytes of a statement into a DSSE envelope. @param key signs it; without one there is no signature */
export function seal(payload: Buffer, key: KeyObject | undefined): Envelope {
  const sign64 = (by: KeyObject): string => sign(null, signedBytes(payload), by).toString('base64');
  const signatures = key === undefined ? [] : [{ keyid: keyIdOf(createPublicKey(key)), sig: sign64(key) }];
  return { payload: payload.toString('base64'), payloadType: TYPE, signatures };
}

/** The text of `certificate.json`. Any other text for the same envelope was altered. */
export function envelopeText({ payload, payloadType, signatures }: Envelope): string {
  const members = { payload, payloadType, signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig })) };
  return jsonText(members);
}

/** The bytes of the statement in an envelope. */
export function payloadOf({ payload }: Envelope): Buffer {
  return Buffer.from(payload, 'base64');
}

/** Whether a key made the only signature of an envelope. */
export function isSignedBy(envelope: Envelope, key: KeyObject): boolean {
  const [signature] = envelope.signatures;
  if (signature === undefined || signature.keyid !== keyIdOf(key)) return false;
  return verify(null, signedBytes(payloadOf(envelope)), key, Buffer.from(signature.sig, 'base64'));
}

/** The id of a public key: the SHA-256 of its SubjectPublicKeyInfo. */
export function keyIdOf(key: KeyObject): string {
  return hash('sha256', key.export({ type: 'spki', format: 'der' }));
}

const HALVES = {
  private: { expected: 'a private ed25519 key in PEM (PKCS #8, not encrypted)', read: createPrivateKey },
  // Node would extract the public half of a private key, but nobody should hand that around.
  public: { expected: 'a public ed25519 key in PEM', read: createPublicKey },
} as const;

/** Reads one half of a key. @param name for messages @throws UsageError unless it is that of an ed25519 key in PEM */
export function readKey(pem: string, name: string, half: 'private' | 'public'): KeyObject {
  const { expected, read } = HALVES[half];
  const refused = (found: string): UsageError =>
    new UsageError(`${name}: expected ${expected}, found ${found}; docs/certificate.md says how to make one`);
  const other = OTHERS.find(({ mark, not }) => mark.test(pem) && not !== half);
  if (other !== undefined) throw refused(other.words);
  let key: KeyObject;
  try {
    key = read(pem);
  } catch {
    throw refused('something that is no whole key');
  }
  if (key.asymmetricKeyType === KIND) return key;
  throw refused(`one of kind ${key.asymmetricKeyType ?? 'unknown'}`);
}

/** The public half of a key, in PEM. */
export function publicPem(key: KeyObject): string {
  const half = key.type === 'public' ? key : createPublicKey(key);
  return half.export({ type: 'spki', format: 'pem' }).toString();
}

/** The bytes that a DSSE signature signs: the pre-authentication encoding of type and payload. */
function signedBytes(payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(TYPE)} ${TYPE} ${payload.length} `),
    payload,
  ]);
}

/** The bytes of the statement of a certificate: the digests of its files except the certificate, and the result of the tests. */
export function statementOf(subject: CertificateSubject, files: ReadonlyMap<string, Uint8Array>): Buffer {
  const described = [...files]
    .map(([name, bytes]) => ({ name, digest: { sha256: hash('sha256', bytes) } }))
    .toSorted((one, other) => byText(one.name, other.name));
  const { deployment, vocabulary, release, digest } = subject.contract;
  const contract = {
    name: `contract ${release} of ${deployment}, ${vocabulary}`,
    digest: { sha256: digest.replace(/^sha256:/, '') },
  };
  const statement: Statement = {
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
  return Buffer.from(JSON.stringify(statement));
}

function resultOf(subject: CertificateSubject): Statement['predicate']['result'] {
  const { conclusion, warned, doubtful, untold, otherwise = [] } = subject;
  if (conclusion === 'partial') return 'FAILED';
  return warned.length + doubtful.length + untold.length + otherwise.length > 0 ? 'WARNED' : 'PASSED';
}
