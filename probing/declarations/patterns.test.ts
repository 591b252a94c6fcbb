import { describe, expect, it } from 'vitest';
import pathParameters from '../../specs/path-parameter-kinds.json' with { type: 'json' };
import { boundOfPattern, comparePattern, fitsWhole, wordsOfPattern } from './patterns.ts';

const { digits, word, 'word-hyphen': hyphen, 'letter-word': letter } = pathParameters;

describe('comparePattern of a path parameter (R31)', () => {
  it.each([
    [digits, '\\d+'],
    [digits, '[0-9]+'],
    [digits, '[0-9]{1,}'],
    [digits, '(?:\\d)+'],
    [word, '\\w+'],
    [word, '[A-Za-z0-9_]+'],
    [hyphen, '[\\w\\-]+'],
    [hyphen, '[a-zA-Z0-9_-]+'],
    [hyphen, '[-\\w]+'],
    [letter, '[a-zA-Z][\\w]+'],
    [letter, '[[:alpha:]]\\w+'],
  ])('of %j finds no difference in the spelling %s', (kind, observed) => {
    expect(comparePattern(kind.pattern, observed, fitsWhole, kind)).toBeUndefined();
  });

  it.each([
    [digits, '\\w+', 'wider', '"abc"'],
    [digits, '.+', 'wider', '"abc"'],
    [digits, '[1-6]+', 'narrower', '"7"'],
    [digits, '\\d', 'narrower', '"42"'],
    [word, '\\d+', 'narrower', '"abc"'],
    [word, '[\\w-]+', 'wider', '"a-b"'],
    [hyphen, '\\w+', 'narrower', '"a-b"'],
    [hyphen, '[^/]+', 'wider', '"a.b"'],
    [letter, '\\w+', 'wider', '"1abc"'],
  ])('of %j says of %s that it is %s', (kind, observed, side, sample) => {
    const difference = comparePattern(kind.pattern, observed, fitsWhole, kind);

    expect(difference?.message).toContain(`has a ${side} pattern`);
    expect(difference?.message).toContain(sample);
    expect(difference?.undecided).toBeUndefined();
  });

  it.each([
    '(?=x)\\d+',
    '(?<!x)\\d+',
    '(\\d)\\1',
    '[\\d',
    '(',
    '*',
    '\\d'.repeat(400),
    '((a{1,100}){1,100}){1,100}',
  ])('leaves undecided what cannot be compared: %s', (observed) => {
    expect(comparePattern(digits.pattern, observed, fitsWhole, digits)).toMatchObject({ undecided: true });
  });

  it.each([undefined, null, 3, ['\\d+']])('finds no pattern in %j', (observed) => {
    expect(comparePattern(digits.pattern, observed, fitsWhole, digits)?.message).toBe('declares no pattern');
  });

  it.each([
    '(a+)+$',
    '(\\w+\\s?)*$',
    '(a|a)*$',
    '(.*)*x',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    '\\pL{1000}',
  ])('is not held up by %s, which takes for ever elsewhere', (observed) => {
    const text = `${'a'.repeat(5000)}!`;
    const started = performance.now();
    comparePattern('y', observed, fitsWhole, { accepts: [text], refuses: [text] });

    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('comparePattern of a parameter', () => {
  const pattern = '^[\\w-]+$';

  it('looks anywhere in the text, as a JSON Schema pattern does', () => {
    expect(comparePattern(pattern, '^[a-zA-Z0-9_-]+$')).toBeUndefined();
    expect(comparePattern(pattern, '[\\w-]+')?.message).toMatch(/wider.*"a b"/);
    expect(comparePattern(pattern, '^\\w+$')?.message).toMatch(/narrower.*"a-b"/);
  });
});

it.each([
  ['nested counts', '((((a{99}){99}){99}){99})'],
  ['many counts', '(\\w{1,500}-){500}'.repeat(20)],
  ['counts of a class', '(?:[\\p{L}\\p{N}]{900}){900}'],
])('an expression whose compiled form is huge is undecided without being compiled: %s', (_case, observed) => {
  const started = performance.now();
  const difference = comparePattern(digits.pattern, observed, fitsWhole, digits);

  expect(difference?.undecided).toBe(true);
  // Compiling one of them takes minutes, or all memory.
  expect(performance.now() - started).toBeLessThan(10_000);
});

describe('wordsOfPattern', () => {
  it.each<[string | undefined, string[]]>([
    ['enable|disable', ['enable', 'disable']],
    ['(?:1|2|all)', ['1', '2', 'all']],
    ['delete', ['delete']],
    ['[a-z]+|all', []],
    ['\\d+', []],
    [undefined, []],
  ])('knows the words of a choice of words alone: %s', (pattern, words) => {
    expect(wordsOfPattern(pattern)).toEqual(words);
  });
});

it.each([
  ['', 1],
  ['[\\d]+', 5],
  ['[0-9]{1,}', 9],
  ['a{3}', 12],
  ['(a{2,5}){4}', 11 * 5 * 4],
  ['(((a{1000}){1000}){1000})', 25 * 1e9],
])('bounds what %j can become by %d', (pattern, bound) => {
  expect(boundOfPattern(pattern)).toBe(bound);
});

it('takes any text, however much it repeats', () => {
  expect(boundOfPattern('(a{999}){999}'.repeat(4000))).toBe(Number.POSITIVE_INFINITY);
});
