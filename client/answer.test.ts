import { describe, expect, it } from 'vitest';
import { classify, namesRefused, parseJson, readAnswer, sizeOfJson } from './answer.ts';

describe('parseJson', () => {
  it('reads any JSON value', () => {
    expect(['null', '0', '""', '[]', '{"a":[{}]}'].map((text) => parseJson(Buffer.from(text)).json)).toEqual([
      null,
      0,
      '',
      [],
      { a: [{}] },
    ]);
  });

  it('does not parse a text that would take many times its size in memory', () => {
    const dense = Buffer.from(`[${'[],'.repeat(300_000)}[]]`);

    expect(parseJson(dense)).toMatchObject({
      json: undefined,
      tooLarge: true,
      problem: 'JSON of more than 250000 values, which is more than is read',
    });
    expect(parseJson(dense).text).toHaveLength(1000);
  });

  it('does not read an id that JavaScript would round to that of another record', () => {
    const idOf = (id: string) => parseJson(Buffer.from(`[{"id":1,"n":12345678901234567},{"id": ${id}}]`));

    expect(idOf('1234567890123456789')).toMatchObject({
      json: undefined,
      tooLarge: true,
      problem: 'the id 1234567890123456789, which is not read exactly',
    });
    expect(idOf('9007199254740991')).toMatchObject({ json: [{ id: 1 }, { id: 9_007_199_254_740_991 }] });
  });
});

describe('readAnswer', () => {
  const raw = { headers: {}, body: Buffer.from('{}') };

  it.each([
    [0, 'the status 000, which makes no sense'],
    [99, 'the status 099, which makes no sense'],
    [999, 'the status 999, which makes no sense'],
  ])('calls an answer with the status %d broken, with the reason', (status, problem) => {
    expect(readAnswer({ ...raw, status })).toMatchObject({ answer: 'broken', status, problem });
  });
});

describe('classify', () => {
  it.each([
    ['accepted', [200, 201, 204, 207, 299]],
    ['refused', [400, 404, 409, 410, 413, 414, 415, 422, 418, 451]],
    ['denied', [401, 403]],
    ['absent', [405, 501]],
    ['throttled', [408, 425, 429, 503]],
    ['broken', [0, 500, 502, 504, 599]],
  ])('counts as %s the statuses %o', (answer, statuses) => {
    expect(statuses.map(classify)).toEqual(statuses.map(() => answer));
  });

  it.each([301, 302, 304, 307, 308])(
    'counts the redirect %i neither as accepted nor as refused',
    (status) => {
      expect(['absent', 'broken']).toContain(classify(status));
    },
  );
});

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

it.each([
  [{ data: { params: { page: 'Invalid' } }, parameters: ['order'] }],
  [{ errors: { 'page[0]': ['too small'] } }],
  [{ parameters: ['page'] }],
  [{ 'invalid-params': [{ name: 'page', reason: 'too small' }] }],
  [{ errors: [{ pointer: '#/page/0', detail: 'too small' }, { detail: 'and more' }] }],
  [{ violations: [{ propertyPath: 'page[0]', message: 'too small' }] }],
  [{ detail: [{ loc: ['query', 'page', 0], msg: 'too small' }] }],
  [{ issues: [{ code: 'too_small', path: ['page', 0] }] }],
])('reads which arguments a refusal names: %j', (json) => {
  expect(namesRefused({ answer: 'refused', json })).toEqual(['page']);
});

it('reads no names from a refusal in words', () => {
  const json = { error: 'page', message: 'page is too small', errors: 'page', detail: 'page' };
  expect(namesRefused({ answer: 'refused', json })).toEqual([]);
});
