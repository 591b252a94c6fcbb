import { expect, it } from 'vitest';
import { createPaint } from './create-paint.ts';

it('leaves text alone without colour', () => {
  expect(createPaint(false)('fail', 'text')).toBe('text');
});

it('colours whatever the standard output is, because the caller has decided', () => {
  expect(createPaint(true)('pass', 'text')).toBe('\u001b[32mtext\u001b[39m');
});

it('adds nothing to empty text', () => {
  expect(createPaint(true)('pass', '')).toBe('');
});
