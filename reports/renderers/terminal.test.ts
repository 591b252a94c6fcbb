import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { renderTerminal } from './terminal.ts';

it('colours what a stream shows in colours', () => {
  const stream = new PassThrough();
  const shown = (forced: string, more: object): string => {
    vi.stubEnv('FORCE_COLOR', forced);
    return renderTerminal({ heading: 'text', tone: 'pass', foot: '' }, { width: 80, ...more });
  };

  expect(shown('1', { stream })).toBe('\u001b[32mtext\u001b[39m\n');
  expect(shown('0', { stream })).toBe('text\n');
  expect(shown('1', {})).toBe('text\n');
});
