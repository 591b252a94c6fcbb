import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { fillPlaceholders, runProgram } from './run-command.ts';
import { UserError } from './site-context.ts';

const site = { url: 'http://127.0.0.1:8080', user: 'someone', password: 'abcd', folder: '/somewhere' };
const never = new AbortController().signal;

describe('runCommand', () => {
  let root = '';
  beforeEach(() => {
    root = testFolder();
  });

  it('gives address, user and password, and returns the exit code', async () => {
    const file = join(root, 'seen');
    const code = `const { WORDPRESS_URL: a, SITE_CONFORMANCE_USER: b, SITE_CONFORMANCE_PASSWORD: c } = process.env;
      require('node:fs').writeFileSync(process.argv[1], [a, b, c, process.argv[2]].join(' ')); process.exit(7)`;
    expect(await runProgram(process.execPath, ['-e', code, file, '{user}@{url}'], site, never)).toBe(7);
    const url = 'http://127.0.0.1:8080';
    expect(await readFile(file, 'utf8')).toBe(`${url} someone abcd someone@${url}`);
  });

  it('returns what a shell would for a command that a signal ended', async () => {
    const code = "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)";
    const expected = 128 + constants.signals.SIGKILL;
    expect(await runProgram(process.execPath, ['-e', code], site, never)).toBe(expected);
  });

  it('passes an interruption on and waits for the command', async () => {
    const interruption = new AbortController();
    const ready = join(root, 'ready');
    const code = `process.on('SIGTERM', () => setTimeout(() => process.exit(9), 50)); setInterval(() => {}, 1000);
      require('node:fs').writeFileSync(process.argv[1], '')`;
    const running = runProgram(process.execPath, ['-e', code, ready], site, interruption.signal);
    await vi.waitFor(() => expect(existsSync(ready)).toBe(true), 4000);
    interruption.abort('SIGTERM');
    expect(await running).toBe(9);
  });

  it('says which command cannot be run', async () => {
    const missing = runProgram('no-such-program-here', [], site, never);
    await expect(missing).rejects.toThrow(UserError);
    await expect(missing).rejects.toThrow('no-such-program-here');
  });
});

describe('fillPlaceholders', () => {
  const values = { url: 'http://127.0.0.1:8080', user: 'someone' };

  it('replaces every occurrence, inside an argument too', () => {
    expect(fillPlaceholders(['--target={url}', '{url}/index.php', '{user}@{url}'], values)).toEqual([
      '--target=http://127.0.0.1:8080',
      'http://127.0.0.1:8080/index.php',
      'someone@http://127.0.0.1:8080',
    ]);
  });

  it('leaves unknown names and other braces alone', () => {
    const args = ['{password}', '{"a":1}', '{toString}', '{}', '{ url }'];
    expect(fillPlaceholders(args, values)).toEqual(args);
  });

  it('does not look into what it has put in, nor read $ patterns in it', () => {
    expect(fillPlaceholders(['{user}'], { user: '{url}$&', url: 'x' })).toEqual(['{url}$&']);
  });
});
