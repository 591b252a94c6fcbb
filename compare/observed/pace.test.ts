import { expect, it } from 'vitest';
import type { Spread } from '../../client/observed/document.ts';
import type { Change } from '../change.ts';
import { compareAnswers } from './compare-answers.ts';
import { NOTES, sideOf } from './notes.fixture.ts';

const KINDS = ['edit', 'view', 'embed'].flatMap((context) =>
  ['user', 'anonymous'].map((caller) => ({ context, caller })),
);

/** A route of which each kind of request was sent once. @param slow how many kinds take six times as long */
function timed(slow: number): ReturnType<typeof sideOf> {
  const answers = KINDS.map((about, at) => {
    const once = (seconds: number): Spread => {
      const median = at < slow ? seconds * 6 : seconds;
      return { answers: 1, low: median, median, high: median };
    };
    return { ...NOTES, ...about, seconds: once(0.05), pace: once(1) };
  });
  return sideOf(answers);
}

it.each<[slow: number, kinds: Change['kind'][]]>([
  [6, ['answer-slower']],
  [5, ['answer-slower']],
  // The machine had stalled.
  [3, []],
])('a route of seldom requests is slower if most of them are: %s of 6', (slow, kinds) => {
  expect(compareAnswers(timed(0), timed(slow)).changes.map(({ kind }) => kind)).toEqual(kinds);
});
