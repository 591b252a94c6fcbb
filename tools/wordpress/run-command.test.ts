import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { testFolder } from '../../specs/folder.fixture.ts';
import { UsageError } from '../../specs/validators.ts';
import { runProgram } from './run-command.ts';

const site = { url: 'http://127.0.0.1:8080', user: 'someone', password: 'abcd', folder: '/somewhere' };
const never = new AbortController().signal;

describe('runProgram', () => {
  it('returns what a shell would for a command that a signal ended', async () => {
    const code = "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)";
    const expected = 128 + constants.signals.SIGKILL;
    expect(await runProgram(process.execPath, ['-e', code], site, never)).toBe(expected);
  });

  it('passes an interruption on and waits for the command', async () => {
    const interruption = new AbortController();
    const ready = join(testFolder(), 'ready');
    const code = `process.on('SIGTERM', () => setTimeout(() => process.exit(9), 50)); setInterval(() => {}, 1000);
      require('node:fs').writeFileSync(process.argv[1], '')`;
    const running = runProgram(process.execPath, ['-e', code, ready], site, interruption.signal);
    await vi.waitFor(() => expect(existsSync(ready)).toBe(true), 25_000);
    interruption.abort('SIGTERM');
    expect(await running).toBe(9);
  });

  it('says which command cannot be run', async () => {
    const missing = runProgram('no-such-program-here', [], site, never);
    await expect(missing).rejects.toThrow(UsageError);
    await expect(missing).rejects.toThrow('no-such-program-here');
  });
});
