import { generate } from 'selfsigned';

/** A key and a certificate that nobody trusts, made on the spot for the name `localhost`. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
  });
  return { key, cert };
}
