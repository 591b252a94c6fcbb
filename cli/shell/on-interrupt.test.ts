import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onInterrupt } from './on-interrupt.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('takes one Ctrl-C that comes twice for one, and later ones for more, until nobody listens', () => {
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

it('hears its caller, and takes the key that made the caller end for the same', () => {
  const caller = new AbortController();
  const heard = vi.fn();
  using _listening = onInterrupt(heard, caller.signal);
  caller.abort();
  process.emit('SIGINT');

  expect(heard).toHaveBeenCalledTimes(1);
});
