import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, tryMain, tryRun } from './try-main.fixture.ts';

const CERTIFY = ['--deployment', 'core', '--certify', 'index', '--implementation', 'Acme 1.2'];

describe('run --certify', () => {
  it.each<[string, string[], RegExp]>([
    ['a level that is none', ['--certify', 'all'], /Allowed choices are index, read, write, full/],
    [
      'no name of what is certified',
      ['--certify', 'read'],
      /--certify needs --implementation 'NAME VERSION'/,
    ],
    ['a name of two lines', ['--certify', 'read', '--implementation', 'a\nb'], /one line/],
    ['a key without a certificate', ['--key', 'k.pem'], /--key is about a certificate: add --certify LEVEL/],
    [
      'a mode that is not its own',
      [...CERTIFY, '--mode', 'full'],
      /runs in mode read: leave out --mode full/,
    ],
    ['a part of the checks', [...CERTIFY, '--only', 'index/**'], /from the start: leave out --only/],
    ['checks left out', [...CERTIFY, '--skip', 'index/**'], /leave out --skip/],
    [
      'fewer examples than the standard',
      [...CERTIFY, '--examples', '0'],
      /--examples 0 is too few: expected 6/,
    ],
    [
      'a release that is not known',
      [...CERTIFY, '--contract', '9.9'],
      /contract 9\.9 is not known.*expected one of 1\.0/,
    ],
    ['hints that are not there', [...CERTIFY, '--hints', 'none.json'], /none\.json: cannot be read/],
    [
      'a key that is not there',
      [...CERTIFY, '--key', '/nowhere.pem'],
      /--key \/nowhere\.pem: expected a file that holds a key/,
    ],
  ])('refuses %s in one line, and certifies nothing', async (_what, args, message) => {
    const { code, lines, left } = await tryRun(...args);

    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(2);
    expect(left).not.toContain('certificate');
  });

  it('refuses a key of another kind in one line', async () => {
    const path = join(temporaryFolder(), 'key.pem');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { code, lines } = await tryRun(...CERTIFY, '--key', path);

    expect(lines).toEqual([expect.stringMatching(/expected a private ed25519 key.*found one of kind ec/)]);
    expect(code).toBe(2);
  });

  it("refuses a deployment of the user's own, which no release holds", async () => {
    const path = join(temporaryFolder(), 'own.json');
    writeFileSync(path, JSON.stringify({ name: 'own', title: 'Own', operations: ['core'] }));
    const { code, lines } = await tryRun(...CERTIFY, '--deployment', path);

    expect(lines).toEqual([
      expect.stringMatching(/is in no release of the contract: expected one of a neutral/),
    ]);
    expect(code).toBe(2);
  });
});

describe('verify', () => {
  it.each<[string, (folder: string) => string[], RegExp]>([
    [
      'a folder that is not there',
      (folder) => [join(folder, 'none')],
      /expected the folder of a certificate/,
    ],
    ['an empty folder', (folder) => [folder], /holds no certificate\.json: it is half-written/],
    [
      'options of a run without a target',
      (folder) => [folder, '--user', 'ann'],
      /--user is about a run: add --target URL/,
    ],
    [
      'a public key that is not there',
      (folder) => [folder, '--public-key', join(folder, 'k')],
      /expected a file that holds a key/,
    ],
  ])('refuses %s in one line', async (_what, args, message) => {
    const { code, lines } = await tryMain('verify', ...args(temporaryFolder()));

    expect(lines).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(2);
  });
});
