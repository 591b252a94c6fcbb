import { readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../specs/validators.ts';
import { certificateFolder, checksOf, forge, keysOf, RELEASE, reseal, TOOL } from './certificate.fixture.ts';
import { FILES, PUBLIC_KEY, type Statement } from './documents.ts';
import { envelopeText, publicPem } from './envelope.ts';
import { type Verified, verifyCertificate } from './verify.ts';

const OWN = keysOf();

function verify(folder: string, publicKey?: typeof OWN.publicKey): Verified {
  return verifyCertificate(folder, publicKey, [RELEASE], TOOL);
}

describe('a certificate', () => {
  it('is valid as it was made, signed or not, and names the key', () => {
    const signed = certificateFolder({ key: OWN.key });

    expect(verify(certificateFolder())).toMatchObject({ problems: [], signature: { kind: 'none' } });
    expect(verify(signed)).toMatchObject({ problems: [], signature: { kind: 'own', valid: true } });
    expect(verify(signed, OWN.publicKey)).toMatchObject({ problems: [], signature: { kind: 'given' } });
    expect(verify(signed).contents?.subject).toMatchObject({ conclusion: 'conformant', required: 2, met: 2 });
  });

  it('is valid if partial, and lists what is not met', () => {
    const checks = checksOf({ 'posts.list/page/minimum': { verdict: 'inconclusive' } });
    const { problems, contents } = verify(certificateFolder({ checks }));

    expect(problems).toEqual([]);
    expect(contents?.subject).toMatchObject({
      conclusion: 'partial',
      unmet: [{ id: 'posts.list/page/minimum', verdict: 'inconclusive' }],
    });
  });

  it('is invalid with another key than the signing one, even if the right key is given', () => {
    const folder = certificateFolder({ key: OWN.key });
    writeFileSync(join(folder, PUBLIC_KEY), publicPem(keysOf().publicKey));
    reseal(folder, OWN.key);

    expect(verify(folder, OWN.publicKey).problems).toEqual([
      { about: PUBLIC_KEY, message: 'is not the key that signed the certificate, as it was written' },
    ]);
    expect(verify(folder).problems[0]?.message).toContain('another key');
  });

  it('is invalid with a file over the size limit, and reads no further', () => {
    const folder = certificateFolder();
    truncateSync(join(folder, FILES.events), 2 ** 40);

    expect(verify(folder).problems).toEqual([
      { about: FILES.events, message: 'is larger than the 200000000 bytes that are read' },
    ]);
  });

  it('is invalid for another key than the signing one, or for a key if it is not signed', () => {
    const other = keysOf().publicKey;

    const refused = verify(certificateFolder({ key: OWN.key }), other);
    expect(refused.problems[0]?.message).toContain('another key');
    expect(refused.signature).toMatchObject({ kind: 'given', valid: false });
    expect(verify(certificateFolder(), other).problems[0]?.message).toBe('is not signed');
  });
});

describe('a forged certificate', () => {
  it.each<[string, string, string | RegExp, string, RegExp]>([
    ['counts', FILES.results, '"pass": 2', '"pass": 3', /counts are not those/],
    ['a verdict', FILES.results, '"verdict": "pass"', '"verdict": "fail"', /is not what the results say/],
    [
      'a basis',
      FILES.results,
      '"basis": "stated"',
      '"basis": "doubtful"',
      /holds checks that the contract has not, or otherwise: index\/name\/type/,
    ],
    [
      'a plan that asks less',
      FILES.plan,
      /,\s*"posts.list\/page\/minimum"/,
      '',
      /"required" is not what level read of contract 1\.0 says: posts\.list\/page\/minimum/,
    ],
    ['another seed', FILES.plan, '"seed": 7', '"seed": 8', /not of the run/],
    ['a higher level', FILES.subject, '"level": "read"', '"level": "write"', /not about the run of plan/],
    ['events', FILES.events, '"pass"', '"warn"', /contradicts results/],
    ['an index', FILES.index, 'site', 'shop', /not the index that was checked/],
    ['a coverage', FILES.coverage, '1', '2', /not what follows from the results/],
  ])('with other %s does not add up', (_what, name, from, to, message) => {
    const folder = certificateFolder();
    forge(folder, name, (text) => text.replace(from, to));

    expect(verify(folder).problems.map((problem) => problem.message)).toContainEqual(
      expect.stringMatching(message),
    );
  });

  it('that states another result than its files, or lists a file twice, is inconsistent', () => {
    for (const alter of [
      (statement: Statement) => ({
        ...statement,
        predicate: { ...statement.predicate, result: 'WARNED' as const },
      }),
      (statement: Statement) => ({ ...statement, subject: [...statement.subject, ...statement.subject] }),
    ]) {
      const folder = certificateFolder();
      reseal(folder, undefined, (text) => JSON.stringify(alter(JSON.parse(text))));

      expect(verify(folder).problems).toEqual([
        { about: FILES.certificate, message: 'does not say what follows from its files' },
      ]);
    }
  });

  it('that leaves out a check of the contract is inconsistent', () => {
    const folder = certificateFolder({ checks: checksOf().slice(0, 2) });
    expect(verify(folder).problems[0]?.message).toContain(
      'lacks checks of the contract: posts.create/title/kept',
    );
  });
});

describe('what cannot be compared is reported, and is no contradiction', () => {
  it('reports made by another version of the tool, while everything else is compared', () => {
    const folder = certificateFolder();
    writeFileSync(join(folder, 'junit.xml'), '<testsuites/>');
    writeFileSync(join(folder, FILES.badge), '{}');
    reseal(folder, undefined);
    const { problems, remarks } = verifyCertificate(folder, undefined, [RELEASE], 'site-conformance 0.2.0');

    expect(remarks).toEqual([
      'made by site-conformance 0.1.0: site-conformance 0.2.0 neither makes junit.xml and report.html of it anew nor checks its index again, so that only their digests were compared',
    ]);
    expect(problems).toEqual([
      { about: FILES.badge, message: 'is not what follows from the results, made anew by this version' },
    ]);
    expect(verify(folder).problems.map(({ about }) => about)).toContain('junit.xml');
  });

  it('an index with masked secrets', () => {
    const folder = certificateFolder({ isMasked: true });

    expect(verify(folder)).toMatchObject({
      problems: [],
      remarks: [expect.stringContaining('secrets are masked in index.json')],
    });
    expect(verify(certificateFolder()).remarks).toEqual([]);
  });
});

it.each<[string, (folder: string) => void, RegExp]>([
  [
    'without its certificate',
    (folder) => rmSync(join(folder, FILES.certificate)),
    /holds no certificate\.json: it is half-written, or no certificate/,
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
  [
    'with a certificate of no byte',
    (folder) => truncateSync(join(folder, FILES.certificate)),
    /certificate\.json: an empty body: it is half-written/,
  ],
  [
    'with a link in place of its certificate',
    (folder) => {
      renameSync(join(folder, FILES.certificate), join(folder, 'elsewhere'));
      symlinkSync(join(folder, 'elsewhere'), join(folder, FILES.certificate));
    },
    /certificate\.json: is no regular file/,
  ],
  [
    'that is signed twice',
    (folder) => {
      const path = join(folder, FILES.certificate);
      const envelope = JSON.parse(readFileSync(path, 'utf8'));
      const one = { keyid: '0'.repeat(64), sig: '' };
      writeFileSync(path, envelopeText({ ...envelope, signatures: [one, one] }));
    },
    /\/signatures: must NOT have more than 1 items/,
  ],
  [
    'with a statement of another kind',
    (folder) => reseal(folder, undefined, (text) => text.replace('test-result/v0.1', 'link/v0.3')),
    /its payload: \/predicateType: must be equal to constant/,
  ],
  [
    'with digests in capital letters',
    (folder) =>
      reseal(folder, undefined, (text) => text.replace(/"sha256":"\w+"/, (one) => one.toUpperCase())),
    /its payload: \/subject\/0\/digest/,
  ],
  [
    'of a later format',
    (folder) => forge(folder, FILES.plan, (text) => text.replace('"format": 1', '"format": 2')),
    /plan\.json: format 2 is not known to this version: expected 1; use a version of site-conformance that knows it/,
  ],
])('what cannot be verified is a folder %s: one line', (_what, spoil, message) => {
  const folder = certificateFolder();
  spoil(folder);

  expect(() => verify(folder)).toThrow(UsageError);
  expect(() => verify(folder)).toThrow(message);
});
