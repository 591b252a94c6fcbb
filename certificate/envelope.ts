import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Envelope, Statement } from './documents.ts';
import { UnusableCertificate } from './unusable.ts';

const TYPE = 'application/vnd.in-toto+json';
const KIND = 'ed25519';

/**
 * Puts a statement into a DSSE envelope.
 * @param key the private key that signs it; without one the envelope has no signature
 */
export function seal(statement: Statement, key: KeyObject | undefined): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  return {
    payload: payload.toString('base64'),
    payloadType: TYPE,
    signatures:
      key === undefined
        ? []
        : [
            {
              keyid: keyIdOf(createPublicKey(key)),
              sig: sign(null, signedBytes(payload), key).toString('base64'),
            },
          ],
  };
}

/** The text of `certificate.json`: any other text for the same envelope has been altered. */
export function envelopeText({ payload, payloadType, signatures }: Envelope): string {
  const members = { payload, payloadType, signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig })) };
  return `${JSON.stringify(members, undefined, 2)}\n`;
}

/** The bytes of the statement in an envelope. */
export function payloadOf({ payload }: Envelope): Buffer {
  return Buffer.from(payload, 'base64');
}

/** Whether the one signature of an envelope is by a key. */
export function isSignedBy(envelope: Envelope, key: KeyObject): boolean {
  const [signature] = envelope.signatures;
  if (signature === undefined || signature.keyid !== keyIdOf(key)) return false;
  return verify(null, signedBytes(payloadOf(envelope)), key, Buffer.from(signature.sig, 'base64'));
}

/** The id of a public key: the SHA-256 of its SubjectPublicKeyInfo. */
export function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Reads a private key. @param name what the caller calls it; @throws UnusableCertificate for anything but an ed25519 key in PEM */
export function readPrivateKey(pem: string, name: string): KeyObject {
  return ofKind(name, 'a private ed25519 key in PEM (PKCS #8, not encrypted)', () => createPrivateKey(pem));
}

/** Reads a public key. @param name what the caller calls it; @throws UnusableCertificate for anything but a public ed25519 key in PEM */
export function readPublicKey(pem: string, name: string): KeyObject {
  return ofKind(name, 'a public ed25519 key in PEM', () => {
    // Node would take the public half out of a private key, which is not to be handed around.
    if (pem.includes('PRIVATE KEY')) throw new Error('it is a private key');
    return createPublicKey(pem);
  });
}

/** The public half of a private key, in PEM. */
export function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}

function ofKind(name: string, expected: string, read: () => KeyObject): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnusableCertificate(
      `${name}: expected ${expected} (${why}); docs/certificate.md says how to make one`,
    );
  }
  if (key.asymmetricKeyType === KIND) return key;
  throw new UnusableCertificate(
    `${name}: expected ${expected}, found one of kind ${key.asymmetricKeyType ?? 'unknown'}; docs/certificate.md says how to make one`,
  );
}

/** What a DSSE signature is about: the pre-authentication encoding of type and payload. */
function signedBytes(payload: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(TYPE)} ${TYPE} ${payload.length} `),
    payload,
  ]);
}
