import { describe, expect, it } from 'vitest';
import { visibleLine, visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['an ANSI escape', '\u001b[31mred', '\\x1b[31mred'],
    ['a one-byte control sequence introducer', '\u009b2J', '\\x9b2J'],
    ['a bell and a backspace', 'a\u0007\b', 'a\\x07\\x08'],
    ['a carriage return that would overwrite the line', 'bad\rgood', 'bad\\rgood'],
    ['a right-to-left override', 'a\u202eb', 'a\\u202eb'],
    ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
    ['a code point that is no character', 'a\uffff', 'a\\uffff'],
    ['an invisible tag', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
  ])('spells out %s', (_case, hostile, visible) => {
    expect(visibleText(hostile)).toBe(visible);
  });

  it('leaves ordinary text of any script, emoji and line breaks alone', () => {
    const text = 'Grüße, 世界 😀\n\tשלום';

    expect(visibleText(text)).toBe(text);
  });
});

describe('visibleLine', () => {
  it('also spells out what would start a new line', () => {
    expect(visibleLine('a\nb\tc')).toBe('a\\nb\\tc');
  });
});
