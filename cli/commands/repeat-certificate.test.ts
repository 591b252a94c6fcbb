import { expect, it, vi } from 'vitest';
import { sampleResult } from '../../engine/result.fixture.ts';
import { certificateFolder, RELEASE, TOOL } from '../../reports/certificate/certificate.fixture.ts';
import type { CertificatePlan, Contents } from '../../reports/certificate/documents.ts';
import { verifyCertificate } from '../../reports/certificate/verify.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { explainError } from '../shell/errors.ts';
import { testFile } from '../try-main.fixture.ts';
import { repeatCertificate } from './verify.ts';

function contentsOf(as: 'user' | 'anonymous', plan: Partial<CertificatePlan> = {}): Contents {
  const target = { ...sampleResult([]).target, deployment: 'core', vocabulary: 'neutral', as };
  const { contents } = verifyCertificate(
    certificateFolder({ result: { target }, plan }),
    undefined,
    [RELEASE],
    TOOL,
  );
  if (contents === undefined) throw new Error('the certificate is altered');
  return contents;
}

async function refusal(contents: Contents, given: Parameters<typeof repeatCertificate>[2]): Promise<string> {
  try {
    return `${await repeatCertificate('folder', contents, { out: testFolder(), ...given }, String)}`;
  } catch (error) {
    const { code, line } = explainError(error, String);
    return `${code} ${line}`;
  }
}

const SITE = { target: 'http://127.0.0.1:9' };

it('requires the user of the certified run, and refuses any other', async () => {
  vi.stubEnv('SITE_CONFORMANCE_PASSWORD', 'secret');
  expect(await refusal(contentsOf('user'), SITE)).toMatch(
    /^2 the run of the certificate asked as a user: add --user NAME; the password is expected in the environment variable SITE_CONFORMANCE_PASSWORD$/,
  );
  expect(await refusal(contentsOf('anonymous'), { ...SITE, user: 'ann' })).toBe(
    '2 the run of the certificate asked anonymously: leave out --user ann',
  );
});

it('needs the password of that user, and --confirm-host for writing to a remote site', async () => {
  vi.stubEnv('SITE_CONFORMANCE_PASSWORD', undefined);
  expect(await refusal(contentsOf('user'), { ...SITE, user: 'ann' })).toMatch(
    /^2 --user ann: the password is expected in the environment variable SITE_CONFORMANCE_PASSWORD$/,
  );
  expect(
    await refusal(contentsOf('user', { mode: 'write' }), {
      target: 'https://site.example.test',
      user: 'ann',
    }),
  ).toMatch(
    /^2 mode write sends more than reads to site\.example\.test.*add --confirm-host site\.example\.test/,
  );
});

it('prints one line if a site is down, and names headers that it does not send', async () => {
  const said: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  try {
    const down = { ...SITE, header: ['X-Other: 1'] };
    expect(await refusal(contentsOf('anonymous', { headers: ['cookie'] }), down)).toMatch(
      /^3 .*127\.0\.0\.1/,
    );
  } finally {
    spy.mockRestore();
  }
  expect(said.join('')).toContain('sent headers that this one does not: cookie (--header)\n');
  expect(said.join('')).toContain(
    'this run sends headers that the run of the certificate did not: x-other\n',
  );
});

it('takes only the access to the site from a configuration file', async () => {
  const way = { url: SITE.target, user: 'ann', passwordFrom: 'SHOP_PASSWORD' };
  const config = testFile('config.json', {
    only: ['no/such/check'],
    baseline: 'none.json',
    targets: { shop: { ...way, mode: 'full' } },
  });
  vi.stubEnv('SHOP_PASSWORD', 'secret');
  expect(await refusal(contentsOf('user'), { target: 'shop', config })).toMatch(/^3 .*127\.0\.0\.1/);
});
