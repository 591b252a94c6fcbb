import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { certificateFolder } from '../../reports/certificate/certificate.fixture.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { loadReleases } from '../../specs/releases.ts';
import { refusal, testFile, tryMain, tryRun } from '../try-main.fixture.ts';
import { certifiedLines, readCertification } from './certification.ts';
import { resolveTargets } from './configure.ts';

const CERTIFY = ['--deployment', 'core', '--certify', 'index', '--implementation', 'Acme 1.2'];

describe('run --certify', () => {
  it.each<[string, string[], RegExp]>([
    ['a level that is none', ['--certify', 'all'], /Allowed choices are index, read, write, full/],
    ['no name of the software', ['--certify', 'read'], /--certify needs --implementation 'NAME VERSION'/],
    ['a name of two lines', ['--certify', 'read', '--implementation', 'a\nb'], /one line/],
    ['a key without a certificate', ['--key', 'k.pem'], /--key is about a certificate: add --certify LEVEL/],
    ['a mode of another level', [...CERTIFY, '--mode', 'full'], /runs in mode read: leave out --mode full/],
    ['a part of the checks', [...CERTIFY, '--only', 'index/**'], /from the start: leave out --only/],
    ['checks left out', [...CERTIFY, '--skip', 'index/**'], /leave out --skip/],
    ['too few examples', [...CERTIFY, '--examples', '0'], /--examples 0 is too few: expected 6/],
    ['release 9.9', [...CERTIFY, '--contract', '9.9'], /contract 9\.9 is not known.*expected one of 1\.0/],
    [
      'a deployment that the site decides, without asking it',
      [...CERTIFY, '--target', 'http://127.0.0.1:9', '--deployment', 'auto'],
      /name it with --deployment/,
    ],
    [
      'no user where checks need one, without asking the site',
      [...CERTIFY, '--target', 'http://127.0.0.1:9', '--certify', 'read'],
      /--certify read needs a user: \d+ of its \d+ checks tell nothing without one; add --user NAME/,
    ],
    [
      'fixtures left out of what writes',
      [...CERTIFY, '--certify', 'write', '--stage', 'never'],
      /--certify write needs the records .*: leave out --stage never/,
    ],
    ['hints that are not there', [...CERTIFY, '--hints', 'none.json'], /none\.json: cannot be read/],
    [
      'a missing key',
      [...CERTIFY, '--key', '/nowhere.pem'],
      /nowhere\.pem: expected a file that holds a key/,
    ],
  ])('refuses %s in one line, and certifies nothing', async (_what, args, message) => {
    const { code, lines, left } = await tryRun(...args);

    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(2);
    expect(left).not.toContain('certificate');
  });

  it('refuses a key of another kind in one line', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const path = testFile('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect(await tryRun(...CERTIFY, '--key', path)).toMatchObject(
      refusal(/expected a private ed25519 key.*found one of kind ec/),
    );
  });

  it("refuses a deployment of the user's own, which no release holds", async () => {
    const path = testFile('own.json', { name: 'own', title: 'Own', operations: ['core'] });
    expect(await tryRun(...CERTIFY, '--deployment', path)).toMatchObject(
      refusal(/is in no release of the contract: expected one of a neutral/),
    );
  });
});

it.each<[string, (folder: string) => string[], RegExp]>([
  ['a folder that is not there', (folder) => [join(folder, 'none')], /expected the folder of a certificate/],
  ['options of a run', (folder) => [folder, '--user', 'ann'], /--user is about a run: add --target URL/],
  [
    'a public key that is not there',
    (folder) => [folder, '--public-key', join(folder, 'k')],
    /expected a file that holds a key/,
  ],
])('verify refuses %s in one line', async (_what, args, message) => {
  expect(await tryMain('verify', ...args(testFolder()))).toMatchObject(refusal(message));
});

it('verify names what is wrong with a folder, as far as it can be read', async () => {
  const folder = certificateFolder();
  for (let at = 0; at < 60; at += 1) writeFileSync(join(folder, `more-${at}`), '');
  const { code, stdout } = await tryMain('verify', folder);

  expect(code).toBe(1);
  expect(stdout).not.toContain('CONFORMANT');
  expect(
    stdout.split('\n').filter((line) => line.includes('added: the certificate does not name it')),
  ).toHaveLength(50);
  expect(stdout).toMatch(
    / {2}and 10 more \(--json lists them\)\nDOES NOT HOLD {2}60 problems: nothing that it claims counts\n$/,
  );
});

it('certifies against an older release, and reports checks that were dropped or changed since', () => {
  const suite = loadReleases().at(-1);
  const [[id, row] = ['', undefined]] = [...(suite?.checks ?? [])].filter(([, one]) =>
    one.in.includes('core'),
  );
  if (suite === undefined || row === undefined) throw new Error('there is no release');
  const checks = new Map([
    [id, { ...row, level: 'index', asks: 'f'.repeat(12) }] as const,
    ['gone/check', { ...row, level: 'index' }] as const,
  ]);
  const certification = readCertification({ certify: 'index', implementation: 'Acme 1.2', contract: '0.9' }, [
    { ...suite, version: '0.9', checks },
    suite,
  ]);
  const [target] = resolveTargets({ deployment: 'core', mode: 'read' }, {}, {});

  expect(target && certification?.narrow(target).required).toEqual({
    ids: [id],
    by: 'level index of contract 0.9',
  });
});

it('shows on the terminal which checks of an older release were dropped or changed, and which are not met', () => {
  const contract = {
    release: '0.9',
    suite: '1.0',
    deployment: 'core',
    vocabulary: 'neutral',
    digest: 'sha256:',
  };
  const counts = {
    required: 20,
    met: 8,
    warned: ['w'],
    notApplicable: ['n'],
    doubtful: ['d'],
    untold: ['u'],
  };
  const unmet = Array.from({ length: 12 }, (_, at) => ({ id: `a/${at}`, verdict: 'inconclusive' as const }));
  const subject = {
    ...{
      format: 1 as const,
      implementation: 'Acme 1.2',
      level: 'index' as const,
      contract,
      ...counts,
      unmet,
    },
    ...{ tool: 't', run: 'r', started: 's', index: 'i', indexMasked: false, conclusion: 'partial' as const },
  };
  const plan = {
    ...{ format: 1 as const, level: 'index' as const, contract, mode: 'read' as const, seed: 1, examples: 6 },
    ...{ strict: false, stage: 'auto' as const, concurrency: 4, timeout: 30, headers: [] },
    ...{ required: [], dropped: ['gone/check'], changed: ['b/c'] },
  };

  expect(certifiedLines({ subject, plan })).toEqual([
    'PARTIAL  Acme 1.2: level index of contract 0.9, deployment core',
    '  8 of 20 required checks (40.0 %) are met',
    '  1 of them with a warning about something doubtful or advisory',
    '  1 of them because the contract requires nothing there',
    '  1 of them although they are inconclusive, which a conforming site may leave so',
    '  1 of them although inconclusive, blocked or waived: what they ask is doubtful',
    ...unmet.slice(0, 10).map(({ id }) => `  not met: ${id} (inconclusive)`),
    '  and 2 more, in subject.json',
    '  1 check of that release no longer run (release 1.0 of the contract): gone/check',
    '  1 check of that release changed (release 1.0 of the contract): b/c',
  ]);
});
