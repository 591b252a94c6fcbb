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
