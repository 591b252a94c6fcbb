import { generate } from 'selfsigned';

/** Generates a key and an untrusted certificate for `localhost`. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
  });
  return { key, cert };
}
