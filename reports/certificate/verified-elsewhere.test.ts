import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { certificateFolder, forge, keysOf } from './certificate.fixture.ts';
import { FILES } from './documents.ts';
import { publicPem } from './envelope.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'certificate.md'), 'utf8');
const [, CHAPTER = ''] = PAGE.split('## How do others verify it without this program?');
const { key } = keysOf();

function linesIn(language: 'sh' | 'js', folder: string, pem: string): string {
  const [, lines = ''] = new RegExp(`\`\`\`${language}\\n([^\`][\\s\\S]*?)\`\`\`\\n`).exec(CHAPTER) ?? [];
  return lines.replace(/certificate-\d+-\d+/, folder).replace('acme.pub.pem', pem);
}

function hasTools(): boolean {
  return ['openssl version', 'jq --version', 'sha256sum --version'].every(
    (line) => spawnSync('sh', ['-c', line]).status === 0,
  );
}

const WAYS: readonly ((folder: string, pem: string) => string)[] = [
  (folder, pem) =>
    execFileSync(
      process.execPath,
      ['-e', `const fs = require('fs'), crypto = require('crypto');\n${linesIn('js', folder, pem)}`],
      { encoding: 'utf8', stdio: 'pipe' },
    ),
  ...(hasTools()
    ? [
        (folder: string, pem: string) =>
          execFileSync('sh', ['-c', linesIn('sh', folder, pem)], {
            encoding: 'utf8',
            stdio: 'pipe',
            // Files that the commands write beside the certificate are removed with it.
            env: { ...process.env, TMPDIR: dirname(folder) },
          }),
      ]
    : []),
];

function handedOver(by = key): [string, string] {
  const folder = certificateFolder({ key });
  const pem = join(folder, '..', 'author.pem');
  writeFileSync(pem, publicPem(by));
  return [folder, pem];
}

it('is accepted by the script that the page gives to others, which prints its conclusion', () => {
  for (const way of WAYS) expect(way(...handedOver())).toContain('PASSED');
});

it('is refused by the script for another key, an altered file, a forged statement, and an additional file', () => {
  const altered = handedOver();
  writeFileSync(join(altered[0], FILES.badge), '{}');
  const forged = handedOver();
  const { signatures } = JSON.parse(readFileSync(join(forged[0], FILES.certificate), 'utf8'));
  forge(forged[0], FILES.badge, () => '{}');
  const path = join(forged[0], FILES.certificate);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), signatures }));
  const more = handedOver();
  writeFileSync(join(more[0], 'more.txt'), '');

  for (const way of WAYS) {
    for (const given of [handedOver(keysOf().key), altered, forged, more]) {
      expect(() => way(...given)).toThrow();
    }
  }
});
