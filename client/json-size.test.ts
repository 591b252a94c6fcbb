import { describe, expect, it } from 'vitest';
import { sizeOfJson } from './answer.ts';

describe('sizeOfJson', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it.each([
    ['3 levels', nested(3), false],
    ['4 levels', nested(4), true],
    ['objects and lists mixed', '{"a":[{"b":[1]}]}', true],
    ['many siblings', `[${Array(50).fill('[[]]').join(',')}]`, false],
    ['brackets in text', JSON.stringify({ a: '[[[[{{{{' }), false],
    ['brackets after an escaped quote', JSON.stringify({ a: '"[[[[' }), false],
    ['brackets after an escaped backslash', `{"a":"\\\\","b":${nested(3)}}`, true],
    ['a text that never ends', '"[[[[[', false],
    ['a million open brackets', '['.repeat(1_000_000), true],
  ])('limit 3, %s', (_case, text, expected) => {
    expect(sizeOfJson(Buffer.from(text), { depth: 3, values: 1e9 }).depth > 3).toBe(expected);
  });

  it.each([
    ['a word', '"a,b"', 1],
    ['a list of three', '[1,2,3]', 4],
    ['an object of two', '{"a":1,"b":{}}', 4],
    ['empty lists', '[[],[],[]]', 7],
  ])('counts at least as many values as there are in %s', (_case, text, expected) => {
    expect(sizeOfJson(Buffer.from(text), { depth: 9, values: 1e9 }).values).toBe(expected);
  });

  it('stops counting once there are more values than are read', () => {
    expect(sizeOfJson(Buffer.from(`[${'[],'.repeat(1_000_000)}[]]`), { depth: 9, values: 1000 }).values).toBe(
      1001,
    );
  });
});
