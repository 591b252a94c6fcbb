import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createFleetProgress, fleetLine } from './progress.ts';

describe('fleetLine', () => {
  it('shows in one line how far all targets are', () => {
    const state = { done: 2, total: 8, failing: 1, inconclusive: 0, seconds: 10 };

    expect(fleetLine({ ...state, under: ['a', 'b', 'c', 'd'] })).toBe(
      '2/8 targets, 1 failing, 4 under way (a, b, c, …), 30 s left',
    );
    expect(fleetLine({ ...state, done: 8, inconclusive: 2, under: [] })).toBe(
      '8/8 targets, 1 failing, 2 not evaluated',
    );
  });
});

describe('the progress of a fleet', () => {
  it('is one last line in a log, even if many targets end within seconds', () => {
    const stream = new PassThrough({ encoding: 'utf8' });
    const progress = createFleetProgress({ stream, total: 3 });
    for (const name of ['a', 'b', 'c']) {
      progress.begins(name);
      progress.ended(name, name === 'a' ? 1 : 0);
    }
    progress.stop();
    progress.stop();

    expect(stream.read()).toBe('3/3 targets, 1 failing\n');
  });
});
