import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const DAY = 86_400_000;

/** A key and a certificate that nobody trusts, made on the spot: valid for a day, for the name `localhost`. */
export function selfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, Buffer.from(ECDSA_WITH_SHA256, 'hex'));
  const commonName = der(SEQUENCE, Buffer.from(COMMON_NAME, 'hex'), der(0x0c, Buffer.from('localhost')));
  const name = der(SEQUENCE, der(SET, commonName));
  const validity = der(SEQUENCE, time(Date.now() - DAY), time(Date.now() + DAY));
  const serial = der(0x02, Buffer.from([1]));
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(SEQUENCE, serial, algorithm, name, validity, name, publicInfo);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const certificate = der(SEQUENCE, body, algorithm, signature);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value in DER: its tag, the length of what it holds, and that. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function time(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`));
}
