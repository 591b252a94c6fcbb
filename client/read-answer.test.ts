import { describe, expect, it } from 'vitest';
import { parseJson, readAnswer } from './answer.ts';

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
