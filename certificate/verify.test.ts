import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { certificateFolder, checksOf, forge, keysOf, RELEASE } from './certificate.fixture.ts';
import { FILES, PUBLIC_KEY, type Statement } from './documents.ts';
import { envelopeText, publicPem, readPrivateKey, readPublicKey, seal } from './envelope.ts';
import { UnusableCertificate } from './unusable.ts';
import { type Verified, verifyCertificate } from './verify.ts';

const OWN = keysOf();

function verify(folder: string, publicKey?: typeof OWN.publicKey): Verified {
  return verifyCertificate(folder, publicKey, [RELEASE]);
}

/** Flips the lowest bit of a byte in the middle of a file. */
function flip(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

describe('a certificate', () => {
  it('holds as it was made, signed or not, and says whose key it is', () => {
    const signed = certificateFolder({ key: OWN.key });

    expect(verify(certificateFolder())).toMatchObject({ problems: [], signature: { kind: 'none' } });
    expect(verify(signed)).toMatchObject({ problems: [], signature: { kind: 'own' } });
    expect(verify(signed, OWN.publicKey)).toMatchObject({ problems: [], signature: { kind: 'given' } });
    expect(verify(signed).contents?.subject).toMatchObject({ conclusion: 'conformant', required: 2, met: 2 });
  });

  it('holds where it is partial, and lists what is not met', () => {
    const checks = checksOf({ 'posts.list/page/minimum': { verdict: 'inconclusive' } });
    const { problems, contents } = verify(certificateFolder({ checks }));

    expect(problems).toEqual([]);
    expect(contents?.subject).toMatchObject({
      conclusion: 'partial',
      unmet: [{ id: 'posts.list/page/minimum', verdict: 'inconclusive' }],
    });
  });

  it.each([...Object.values(FILES), PUBLIC_KEY])('does not hold when a bit of %s is another', (name) => {
    const folder = certificateFolder({ key: OWN.key });
    flip(join(folder, name));
    const about = ((): string[] => {
      try {
        return verify(folder, OWN.publicKey).problems.map((problem) => problem.about);
      } catch (error) {
        return error instanceof UnusableCertificate ? [error.message] : [];
      }
    })();

    expect(about.join()).toContain(name);
  });

  it.each(Object.values(FILES).filter((name) => name !== FILES.certificate))(
    'does not hold without %s',
    (name) => {
      const folder = certificateFolder();
      rmSync(join(folder, name));
      expect(verify(folder).problems).toEqual([{ about: name, message: 'missing' }]);
    },
  );

  it('does not hold with a file that it does not name, or a byte more', () => {
    const folder = certificateFolder();
    writeFileSync(join(folder, 'more.txt'), '');
    appendFileSync(join(folder, FILES.certificate), ' ');

    expect(verify(folder).problems.map(({ about }) => about)).toEqual([FILES.certificate, 'more.txt']);
  });

  it('does not hold for another key than the one that signed it, nor for a key when nobody did', () => {
    const other = keysOf().publicKey;

    expect(verify(certificateFolder({ key: OWN.key }), other).problems[0]?.message).toContain('another key');
    expect(verify(certificateFolder(), other).problems[0]?.message).toBe('is not signed');
  });
});

describe('a forged certificate', () => {
  it.each<[string, string, (text: string) => string, RegExp]>([
    ['counts', FILES.results, (text) => text.replace('"pass":2', '"pass":3'), /counts are not those/],
    [
      'a verdict',
      FILES.results,
      (text) => text.replace('"verdict":"pass"', '"verdict":"fail"'),
      /conclusion is not what the results say/,
    ],
    [
      'a basis',
      FILES.results,
      (text) => text.replace('"basis":"stated"', '"basis":"doubtful"'),
      /holds checks that the contract has not, or otherwise: index\/name\/type/,
    ],
    [
      'a plan that asks less',
      FILES.plan,
      (text) => text.replace(/,\s*"posts.list\/page\/minimum"/, ''),
      /"required" is not what level read of contract 1\.0 says: posts\.list\/page\/minimum/,
    ],
    ['another seed', FILES.plan, (text) => text.replace('"seed": 7', '"seed": 8'), /not of the run/],
    [
      'a higher level',
      FILES.subject,
      (text) => text.replace('"level": "read"', '"level": "write"'),
      /not about the run of plan and results/,
    ],
    ['events', FILES.events, (text) => text.replace('"pass"', '"warn"'), /tells otherwise than results/],
    ['an index', FILES.index, (text) => text.replace('site', 'shop'), /not the index that was judged/],
    ['a coverage', FILES.coverage, (text) => text.replace('1', '2'), /not what the results say/],
  ])('with other %s does not add up', (_what, name, alter, message) => {
    const folder = certificateFolder();
    forge(folder, name, alter);

    expect(verify(folder).problems.map((problem) => problem.message)).toContainEqual(
      expect.stringMatching(message),
    );
  });

  it('with another result than follows from its files, or a file named twice, does not add up', () => {
    for (const alter of [
      (statement: Statement) => ({
        ...statement,
        predicate: { ...statement.predicate, result: 'WARNED' as const },
      }),
      (statement: Statement) => ({ ...statement, subject: [...statement.subject, ...statement.subject] }),
    ]) {
      const folder = certificateFolder();
      const path = join(folder, FILES.certificate);
      const { payload } = JSON.parse(readFileSync(path, 'utf8'));
      const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
      writeFileSync(path, envelopeText(seal(alter(statement), undefined)));

      expect(verify(folder).problems).toEqual([
        { about: FILES.certificate, message: 'does not say what follows from its files' },
      ]);
    }
  });

  it('that leaves out a check of the contract does not add up', () => {
    const folder = certificateFolder({ checks: checksOf().slice(0, 2) });
    expect(verify(folder).problems[0]?.message).toContain(
      'lacks checks of the contract: posts.create/title/kept',
    );
  });

  it('cannot be told from a true one where it is not signed and adds up, which is why it is said', () => {
    expect(verify(certificateFolder()).signature.kind).toBe('none');
  });
});

describe('what cannot be verified', () => {
  it.each<[string, (folder: string) => void, RegExp]>([
    [
      'without its certificate',
      (folder) => rmSync(join(folder, FILES.certificate)),
      /half-written, or no certificate/,
    ],
    [
      'with half of its certificate',
      (folder) =>
        writeFileSync(
          join(folder, FILES.certificate),
          readFileSync(join(folder, FILES.certificate), 'utf8').slice(0, 99),
        ),
      /half-written, altered/,
    ],
    [
      'of a contract that is not known',
      (folder) => forge(folder, FILES.plan, (text) => text.replaceAll('"1.0"', '"9.9"')),
      /contract 9\.9 is not known to this version: expected one of 1\.0/,
    ],
    [
      'of a contract with another digest',
      (folder) => forge(folder, FILES.plan, (text) => text.replace('sha256:c0', 'sha256:c1')),
      /a certificate of an unknown contract/,
    ],
  ])('is a folder %s: one line', (_what, spoil, message) => {
    const folder = certificateFolder();
    spoil(folder);

    expect(() => verify(folder)).toThrow(UnusableCertificate);
    expect(() => verify(folder)).toThrow(message);
  });

  it('is a key of another kind, half of a pair in place of the other, or no key', () => {
    const { key, publicKey } = keysOf('ed448');
    const pemOf = (one: typeof key): string => one.export({ type: 'pkcs8', format: 'pem' }).toString();

    expect(() => readPrivateKey(pemOf(key), '--key k.pem')).toThrow(
      /--key k\.pem: expected a private ed25519 key.*ed448/,
    );
    expect(() => readPrivateKey('no key', '--key k.pem')).toThrow(/expected a private ed25519 key/);
    expect(() => readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'p')).toThrow(
      /ed448/,
    );
    expect(() => readPublicKey(pemOf(OWN.key), 'p')).toThrow(/it is a private key/);
    expect(readPublicKey(publicPem(OWN.key), 'p').equals(OWN.publicKey)).toBe(true);
  });
});
