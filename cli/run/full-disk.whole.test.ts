import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { serve } from '../../sites/reference/serve.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { testFile } from '../try-main.fixture.ts';

/** Makes writes to an open report fail after the first ones, as on a full disk. */
const FILLING = `
const fs = require('node:fs');
const { appendFileSync } = fs;
let written = 0;
fs.appendFileSync = (file, ...rest) => {
  written += typeof file === 'number' ? 1 : 0;
  if (typeof file !== 'number' || written <= 40) return appendFileSync(file, ...rest);
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
};
require('node:module').syncBuiltinESMExports();
`;

it('ends a run with one line if the disk is full, and still removes its own records', {
  timeout: 60_000,
}, async () => {
  const deployment = smallDeployment();
  const site = await closedAfter(serve({ deployment }));
  const preload = testFile('filling.cjs', FILLING);
  const out = join(testFolder(), 'out');
  const about = ['--target', site.url, '--deployment', deployment, '--user', site.user, '--mode', 'write'];
  const args = ['run', '--out', out, ...about, '--only', 'states/**', 'index/**'];
  const { code, stderr, stdout } = await spawnMain(args, {
    NODE_OPTIONS: `--require ${preload}`,
    SITE_CONFORMANCE_PASSWORD: site.password,
  }).ended;
  const lines = stderr.split('\n').filter((line) => line.startsWith('site-conformance: '));

  expect(lines).toEqual([
    expect.stringMatching(/^site-conformance: the reports cannot be written to \S+ \(ENOSPC: no space left/),
  ]);
  expect(stderr).not.toContain('    at ');
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(readdirSync(join(out, 'journals'))).toEqual([]);
  expect(existsSync(join(out, '.site-conformance.lock'))).toBe(false);
});
