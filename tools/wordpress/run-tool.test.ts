import { describe, expect, it } from 'vitest';
import { runTool } from './run-tool.ts';
import { UserError } from './site-context.ts';

const node = (code: string, options = {}): Promise<string> =>
  runTool(process.execPath, ['-e', code], options);

describe('runTool', () => {
  it('returns what the program printed, having given it its input and environment', async () => {
    const code = "process.stdin.on('data', (data) => process.stdout.write(data + process.env.WORD))";
    expect(await node(code, { input: 'one ', env: { WORD: 'two' } })).toBe('one two');
  });

  it('reports a failure with the exit code and the end of the error output', async () => {
    const failing = node("console.log('fine'); console.error('broken pipe'); process.exit(3)");
    await expect(failing).rejects.toThrow(/failed \(3\): broken pipe$/);
  });

  it('calls a missing program the caller can install by its package', async () => {
    await expect(runTool('no-such-program-here', [])).rejects.toThrow(UserError);
    await expect(runTool('php', [], { env: { PATH: '/nowhere' } })).rejects.toThrow('php-cli');
  });

  it('survives a program that does not read its input', async () => {
    expect(await node("console.log('done'); process.exit()", { input: 'x'.repeat(1_000_000) })).toBe(
      'done\n',
    );
  });

  it('ends the program on abort, and does not begin after one', async () => {
    const running = node('setInterval(() => {}, 1000)', { signal: AbortSignal.timeout(100) });
    await expect(running).rejects.toThrow();
    await expect(node('', { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });
});
