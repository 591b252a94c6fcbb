import { expect, it } from 'vitest';
import { sampleCheck, sampleResult, sampleTried } from '../../engine/result.fixture.ts';
import { triedIn } from './coverage.ts';

it('sums up by operation, parameter and keyword, and lists what no check tried', () => {
  const one = { accepted: 1, refused: 0, other: 0 };
  const accepted = sampleTried({
    parameters: { a: { minimum: one } },
    untried: [
      { parameter: 'a', keyword: 'maximum', reason: 'not drawn' },
      { parameter: 'a', keyword: 'type', reason: 'not drawn' },
      { parameter: 'b', reason: 'not drawn' },
      { parameter: 'c', reason: 'not sure' },
    ],
  });
  const refused = sampleTried({
    parameters: { a: { minimum: { accepted: 0, refused: 2, other: 1 }, maximum: one }, b: { type: one } },
    untried: [],
  });
  const about = { operation: 'posts.list', fuzz: true } as const;

  expect(
    triedIn(
      sampleResult([
        sampleCheck({ operation: 'posts.list' }),
        sampleCheck({ ...about, id: 'posts.list/fuzz/accepted', tried: accepted }),
        sampleCheck({ ...about, id: 'posts.list/fuzz/refused', tried: refused }),
        sampleCheck({ ...about, id: 'posts.list/fuzz/robust', verdict: 'skip', message: 'over budget' }),
      ]),
    ).operations,
  ).toEqual([
    {
      operation: 'posts.list',
      parameters: [
        {
          name: 'a',
          keywords: [
            { keyword: 'minimum', accepted: 1, refused: 2, other: 1 },
            { keyword: 'maximum', ...one },
          ],
          untried: [{ keyword: 'type', reason: 'not drawn' }],
        },
        { name: 'b', keywords: [{ keyword: 'type', ...one }], untried: [] },
        { name: 'c', keywords: [], untried: [{ reason: 'not sure' }] },
      ],
      pairs: [
        { check: 'posts.list/fuzz/accepted', ...accepted.pairs },
        { check: 'posts.list/fuzz/refused', ...refused.pairs },
      ],
      skipped: [{ check: 'posts.list/fuzz/robust', reason: 'over budget' }],
    },
  ]);
});
