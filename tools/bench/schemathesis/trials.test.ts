import { expect, it } from 'vitest';
import {
  type Compared,
  largestWithin,
  onlyOneFailed,
  type Pair,
  renderComparison,
  type Trial,
  withRouteInQuery,
} from './trials.ts';

const trial = (requests: number, reported: string[] = [], broken: string[] = []): Trial => ({
  requests,
  reported,
  broken,
});

const healthy: Pair = { theirs: trial(10, ['rejected posts']), ours: trial(10) };
const compared: Compared[] = [
  {
    kind: 'a malformed value',
    title: 'fails of a NUL',
    healthy,
    mutant: {
      theirs: trial(100, ['rejected posts']),
      ours: trial(100, ['posts.list/fuzz/robust'], ['GET x']),
    },
  },
  {
    kind: 'a malformed value',
    title: 'fails of a date',
    healthy,
    mutant: { theirs: trial(100, ['failed posts'], ['GET y']), ours: trial(100) },
  },
];

it('counts what is reported of a mutant alone as found, and what is reported of a healthy site as a false alarm', () => {
  expect(renderComparison(compared, [healthy])).toBe(
    [
      '                                    mutants  Schemathesis  fuzz checks\n',
      '  a malformed value                       2             1            1\n',
      '  found                                   2             1            1\n',
      '  hidden behind a false alarm                           1            0\n',
      '  requests                                            200          200\n',
      '  found for each 1,000 requests                      5.00         5.00\n',
      '  false alarms on the healthy site                      1            0\n',
    ].join(''),
  );
});

it('names the server errors that one tool alone met', () => {
  expect(onlyOneFailed(compared)).toEqual([
    'the fuzz checks alone: fails of a NUL: GET x',
    'Schemathesis alone: fails of a date: GET y',
  ]);
});

it.each([
  [100, 3, 33],
  [100, 1000, 1],
  [2, 1, 2],
])('finds how much %i requests allow at %i each', async (budget, each, most) => {
  const found = await largestWithin(budget, async (count) => count * each);

  expect(found).toBeLessThanOrEqual(most);
  expect(found).toBeGreaterThanOrEqual(most - 2);
});

it('moves a route from the path of an address into its query, as it is', () => {
  const moved = (address: string): string => withRouteInQuery(new URL(address)).href;

  expect(moved('http://127.0.0.1:1/rest/cms/v2/posts/7?context=%00&slug=a%26b')).toBe(
    'http://127.0.0.1:1/index.php?rest_route=/cms/v2/posts/7&context=%00&slug=a%26b',
  );
  expect(moved('http://127.0.0.1:1/rest/cms/v2/a+b&c')).toBe(
    'http://127.0.0.1:1/index.php?rest_route=/cms/v2/a%2Bb%26c',
  );
  expect(moved('http://127.0.0.1:1/index.php?rest_route=/')).toBe(
    'http://127.0.0.1:1/index.php?rest_route=/',
  );
});
