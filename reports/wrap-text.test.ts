import { describe, expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

describe('wrapText', () => {
  it('breaks at blanks', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
  });

  it('cuts a word that is longer than a line', () => {
    expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  });

  it('keeps the line breaks and empty lines of the text', () => {
    expect(wrapText('a\n\nb', 10)).toEqual(['a', '', 'b']);
  });

  it('does not split a surrogate pair', () => {
    expect(wrapText('abc😀d', 4)).toEqual(['abc', '😀d']);
  });

  it('ends with any width', () => {
    expect(wrapText('ab c', 0)).toEqual(['a', 'b', 'c']);
  });
});
