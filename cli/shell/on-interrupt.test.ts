import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onInterrupt } from './on-interrupt.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
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
