import { describe, expect, it } from 'vitest';
import { formatDuration, joined, plural, shorten, visibleLine, visibleText, wrapText } from './text.ts';

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

  it('leaves ordinary text of any script, emoji and line breaks unchanged', () => {
    const text = 'Grüße, 世界 😀\n\tשלום';

    expect(visibleText(text)).toBe(text);
  });
});

it('visibleLine also spells out everything that starts a new line', () => {
  expect(visibleLine('a\nb\tc')).toBe('a\\nb\\tc');
});

it.each([
  ['leaves text within the limit unchanged', '12345', 5, '12345'],
  ['cuts longer text and adds its length', '123456', 5, '12345… (6 characters)'],
  ['never leaves half a surrogate pair', 'ab😀cd', 3, 'ab… (6 characters)'],
])('shorten %s', (_what, text, most, shortened) => {
  expect(shorten(text, most)).toBe(shortened);
});

it.each([
  ['breaks at blanks', 'one two three', 8, ['one two', 'three']],
  ['cuts a word that is longer than a line', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['keeps the line breaks and empty lines of the text', 'a\n\nb', 10, ['a', '', 'b']],
  ['does not split a surrogate pair', 'abc😀d', 4, ['abc', '😀d']],
  ['ends with any width', 'ab c', 0, ['a', 'b', 'c']],
])('wrapText %s', (_what, text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines);
});

it('uses the singular only for one', () => {
  expect([0, 1, 2].map((count) => plural(count, 'check'))).toEqual(['0 checks', '1 check', '2 checks']);
});

it.each([
  [0, '0.0 s'],
  [0.44, '0.4 s'],
  [9.96, '10 s'],
  [59.6, '1 min 00 s'],
  [185, '3 min 05 s'],
  [3599.9, '1 h 00 min'],
  [7620, '2 h 07 min'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

it('joins words as in a sentence', () => {
  const of = (...words: string[]): string => joined(words, 'or');
  expect([of(), of('a'), of('a', 'b'), of('a', 'b', 'c')]).toEqual(['', 'a', 'a or b', 'a, b or c']);
});
