import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { UsageError } from '../../specs/validators.ts';
import { keysOf } from './certificate.fixture.ts';
import { publicPem, readKey } from './envelope.ts';

const { key, publicKey } = keysOf();
const RSA = generateKeyPairSync('rsa', { modulusLength: 1024 });
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const X25519 = generateKeyPairSync('x25519');
const ED448 = keysOf('ed448');

function privateOf(one: KeyObject): string {
  return one.export({ type: 'pkcs8', format: 'pem' }).toString();
}

const ENCRYPTED = key
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' })
  .toString();
const OPENSSH =
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n';

it('reads both halves of a pair in PEM', () => {
  expect(readKey(privateOf(key), 'k', 'private').equals(key)).toBe(true);
  expect(readKey(publicPem(key), 'p', 'public').equals(publicKey)).toBe(true);
  expect(publicPem(publicKey)).toBe(publicPem(key));
});

it.each<[string, string, string]>([
  ['a public key', publicPem(key), 'a public key'],
  ['an RSA key', privateOf(RSA.privateKey), 'one of kind rsa'],
  ['an EC key', privateOf(EC.privateKey), 'one of kind ec'],
  ['an older EC key', EC.privateKey.export({ type: 'sec1', format: 'pem' }).toString(), 'one of kind ec'],
  ['an X25519 key', privateOf(X25519.privateKey), 'one of kind x25519'],
  ['an Ed448 key', privateOf(ED448.key), 'one of kind ed448'],
  [
    'an encrypted key',
    ENCRYPTED,
    'an encrypted key ("openssl pkey -in FILE -out PLAIN" takes its passphrase away)',
  ],
  ["a key in OpenSSH's format", OPENSSH, "a key in OpenSSH's own format"],
  ['an empty file', '\n', 'an empty file'],
  ['no PEM', 'secret', 'no PEM'],
  ['half a key', privateOf(key).slice(0, 60), 'something that is no whole key'],
])('refuses %s as a private key in one line that says what it is', (_what, pem, found) => {
  expect(() => readKey(pem, '--key k.pem', 'private')).toThrow(UsageError);
  expect(() => readKey(pem, '--key k.pem', 'private')).toThrow(
    `--key k.pem: expected a private ed25519 key in PEM (PKCS #8, not encrypted), found ${found}; docs/certificate.md says how to make one`,
  );
});

it.each<[string, string, string]>([
  ['a private key', privateOf(key), 'a private key'],
  ['an encrypted private key', ENCRYPTED, 'an encrypted key'],
  ['an RSA key', RSA.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'one of kind rsa'],
  ['an X25519 key', publicPem(X25519.privateKey), 'one of kind x25519'],
  [
    "a key in OpenSSH's format",
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA ann',
    "a key in OpenSSH's own format",
  ],
  [
    'an X.509 certificate',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    'an X.509 certificate',
  ],
  ['an empty file', '', 'an empty file'],
  ['no PEM', publicKey.export({ type: 'spki', format: 'der' }).toString('latin1'), 'no PEM'],
])('refuses %s as a public key in one line that says what it is', (_what, pem, found) => {
  expect(() => readKey(pem, '--public-key p', 'public')).toThrow(
    `--public-key p: expected a public ed25519 key in PEM, found ${found}`,
  );
});
