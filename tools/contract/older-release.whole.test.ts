import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import { testFolder } from '../../specs/folder.fixture.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Not part of the product, or linked. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache', 'docs', 'dist']);

const run = promisify(execFile);

function copyOfTheProduct(): string {
  const folder = testFolder();
  for (const name of readdirSync(ROOT)) {
    if (!LEFT_OUT.has(name)) {
      cpSync(join(ROOT, name), join(folder, name), {
        recursive: true,
        filter: (path) => basename(path) !== 'out',
      });
    }
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

it('makes a release of a changed contract, and certifies against the one before it a site that has not followed', {
  timeout: 240_000,
}, async () => {
  const folder = copyOfTheProduct();
  const node = (...args: string[]): ReturnType<typeof run> => run(process.execPath, args, { cwd: folder });
  const path = join(folder, 'specs', 'operations', 'cms-v2.json');
  const operations = JSON.parse(readFileSync(path, 'utf8'));
  operations.definitions.per_page.maximum = 50;
  writeFileSync(path, JSON.stringify(operations));

  await node('tools/contract/make-release.ts', '9.0');
  const release = JSON.parse(readFileSync(join(folder, 'specs', 'releases', '9.0.json'), 'utf8'));
  const changed = Object.keys(release.changed);

  expect([release.added, release.dropped]).toEqual([{}, []]);
  expect(changed).toEqual(
    expect.arrayContaining([
      'posts.list/per_page/maximum',
      'posts.list/per_page/maximum/accepted',
      'posts.list/per_page/maximum/enforced',
      'posts.list/fuzz/refused',
    ]),
  );
  expect(changed).not.toContain('posts.list/per_page/minimum/accepted');
  expect(changed).not.toContain('posts.list/page/minimum');

  const out = join(folder, 'reports', 'certified');
  const certify = ['--certify', 'index', '--contract', release.after, '--implementation', 'Acme 1.2'];
  // Conforms to that release, and has not followed later changes.
  const site = await serveMutant({ deployment: 'core' });
  onTestFinished(() => site.close());
  const { stdout } = await node('cli/main.ts', 'run', '--target', site.url, ...certify, '--out', out);
  const asked = `3 checks of that release changed (release 9.0 of the contract): ${changed
    .filter((id) => id.endsWith('.list/per_page/maximum'))
    .join(', ')}`;

  expect(stdout).toContain(`CONFORMANT  Acme 1.2: level index of contract ${release.after}, deployment core`);
  expect(stdout).toContain(asked);
  expect(stdout).toContain(
    '  3 of them although they fail as this version runs them, which differs from that release\n',
  );

  const [name = ''] = readdirSync(out).filter((one) => one.startsWith('certificate-'));
  const certificate = join(out, name);
  const verified = await node('cli/main.ts', 'verify', certificate, '--require', 'index');
  const elsewhere = run(process.execPath, ['cli/main.ts', 'verify', certificate], { cwd: ROOT });

  expect(verified.stdout).toContain(asked);
  expect(verified.stdout).toMatch(/HOLDS\n$/);
  await expect(elsewhere).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^site-conformance: contract 9\.0 is not known to this version: expected one of [^\n]*\n$/,
    ),
  });
});
