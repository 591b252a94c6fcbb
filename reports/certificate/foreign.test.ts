import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toDSSEBundle } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { expect, it } from 'vitest';
import { certificateFolder, keysOf } from './certificate.fixture.ts';
import { type Envelope, FILES } from './documents.ts';

const { key, publicKey } = keysOf();

/** Verifies an envelope as Sigstore does, with a given key and without its public logs. */
function verifyAsSigstore({ payload, payloadType, signatures }: Envelope, by: typeof publicKey): void {
  const [signature] = signatures;
  const bundle = toDSSEBundle({
    artifact: Buffer.from(payload, 'base64'),
    artifactType: payloadType,
    signature: Buffer.from(signature?.sig ?? '', 'base64'),
    keyHint: signature?.keyid ?? '',
    certificateChain: false,
  });
  const trust = toTrustMaterial(
    { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [], mediaType: '' },
    () => ({ publicKey: by, validFor: () => true }),
  );
  new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 }).verify(
    toSignedEntity(bundle),
  );
}

function envelopeIn(folder: string): Envelope {
  return JSON.parse(readFileSync(join(folder, FILES.certificate), 'utf8'));
}

it('is accepted by an independent verifier, with the key that signed it', () => {
  expect(() => verifyAsSigstore(envelopeIn(certificateFolder({ key })), publicKey)).not.toThrow();
});

it('is refused by an independent verifier for another key, another payload, or without a signature', () => {
  const envelope = envelopeIn(certificateFolder({ key }));
  const other = envelopeIn(certificateFolder({ key, plan: { seed: 8 } }));

  expect(() => verifyAsSigstore(envelope, keysOf().publicKey)).toThrow('signature verification failed');
  expect(() => verifyAsSigstore({ ...envelope, payload: other.payload }, publicKey)).toThrow(
    'signature verification failed',
  );
  expect(() => verifyAsSigstore(envelopeIn(certificateFolder()), publicKey)).toThrow();
});
