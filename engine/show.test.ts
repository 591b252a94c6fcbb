import { describe, expect, it } from 'vitest';
import { list, show } from './findings.ts';

describe('show', () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    ['a\nb', '"a\\nb"'],
    [{ a: [1] }, '{"a":[1]}'],
  ])('shows %j in one line', (value, text) => {
    expect(show(value)).toBe(text);
  });

  it('cuts no character in two', () => {
    expect(show(`x${'𝒜'.repeat(500)}`)).toMatch(/^"x(𝒜){149}… \(1003 characters\)$/u);
  });

  it('shortens long values, with their length', () => {
    expect(show('x'.repeat(1000))).toMatch(/^"x{299}… \(1002 characters\)$/);
  });
});

describe('list', () => {
  it('shows values side by side', () => {
    expect(list(['a', 1, null])).toBe('"a", 1, null');
  });

  it('shows the first values of a long list, with its length', () => {
    const text = list(Array.from({ length: 1_000_000 }, (_, at) => at));

    expect(text).toMatch(/^0, 1, .*, 199… \(1000000 in all\)$/);
  });
});
