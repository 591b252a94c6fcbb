import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onInterrupt } from './on-interrupt.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('counts a Ctrl-C that comes twice once, and later ones separately, until it is disposed of', () => {
  const heard = vi.fn();
  const listening = onInterrupt(heard);
  process.emit('SIGINT');
  process.emit('SIGINT');

  expect(heard).toHaveBeenCalledTimes(1);

  vi.advanceTimersByTime(1000);
  process.emit('SIGTERM');
  listening[Symbol.dispose]();
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT');

  expect(heard).toHaveBeenCalledTimes(2);
});

it('reacts to the abort of its caller, and counts the same Ctrl-C once', () => {
  const caller = new AbortController();
  const heard = vi.fn();
  using _listening = onInterrupt(heard, caller.signal);
  caller.abort();
  process.emit('SIGINT');

  expect(heard).toHaveBeenCalledTimes(1);
});

it('counts the same Ctrl-C once in a process that is busy in between', () => {
  const script = `
    import { onInterrupt } from ${JSON.stringify(join(import.meta.dirname, 'on-interrupt.ts'))};
    let heard = 0;
    onInterrupt(() => {
      heard += 1;
      process.kill(process.pid, 'SIGINT');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    });
    process.kill(process.pid, 'SIGINT');
    setTimeout(() => process.stdout.write(String(heard), () => process.exit()), 1000);
  `;

  expect(execFileSync('node', ['--input-type=module', '--eval', script], { encoding: 'utf8' })).toBe('1');
});
