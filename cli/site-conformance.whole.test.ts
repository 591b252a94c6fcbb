import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { productVersion } from '../engine/version.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { testFile } from './try-main.fixture.ts';

const LAUNCHER = join(import.meta.dirname, 'site-conformance.js');

function pretend(version: string): string {
  const file = testFile(
    'pretend.cjs',
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  return file;
}

describe('the program', () => {
  it('works in the folder of the caller if npm starts it', () => {
    const folder = testFolder();
    const env = {
      ...process.env,
      INIT_CWD: folder,
      npm_lifecycle_event: 'start',
      npm_package_json: join(import.meta.dirname, '../package.json'),
    };

    const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, 'run', '--config', 'none.json'], {
      encoding: 'utf8',
      env,
    });

    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `site-conformance: --config: ${join(realpathSync(folder), 'none.json')} does not exist\n`,
    });
  });

  it.each([
    ['that it can write', (folder: string) => folder, true],
    ['that it cannot write', () => LAUNCHER, false],
  ])('starts with a folder for caches %s', (_case, cachesIn, isKept) => {
    const folder = testFolder();
    // Removes the compile cache of the test runner from the environment.
    const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...others } = process.env;
    const env = { ...others, XDG_CACHE_HOME: cachesIn(folder) };
    const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, '--version'], {
      encoding: 'utf8',
      env,
    });

    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${productVersion()}\n`, stderr: '' });
    expect(existsSync(join(folder, 'site-conformance/compiled'))).toBe(isKept);
  });

  it.each(['18.20.8', '24.7.9'])('says in one line that Node %s is too old', (version) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', pretend(version), LAUNCHER, '--version'],
      { encoding: 'utf8' },
    );

    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `site-conformance: needs Node 24.8 or newer and runs on ${version}: "npm ci" brings one, and "npm start --" uses it\n`,
    });
  });

  it('says in one line what to install instead of the sources, which Node does not run below node_modules', () => {
    const launcher = join(testFolder(), 'node_modules/site-conformance/cli/site-conformance.js');
    cpSync(LAUNCHER, launcher);

    const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, '--version'], {
      encoding: 'utf8',
    });

    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'site-conformance: the sources are installed here, as a git address brings them, and Node does not run TypeScript below node_modules: install the file that "npm pack" makes in a checkout\n',
    });
  });

  it('ends quietly if nobody reads its output', () => {
    const program = `"${process.execPath}" "${join(import.meta.dirname, 'main.ts')}"`;
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', `${program} plan --deployment core | true; echo "\${PIPESTATUS[0]}"`],
      {
        encoding: 'utf8',
      },
    );

    expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
  });
});
