import { describe, expect, it } from 'vitest';
import { ACCEPTED } from '../client/observation.fixture.ts';
import type { Observation } from '../client/observation.ts';
import { RememberedAnswers } from './session.ts';

const ANSWER: Observation = { ...ACCEPTED, values: 1, text: 'x'.repeat(100_000), curl: '' };
/** Slightly more than its estimated memory. */
const WEIGHT = 205_000;

/** Requests keys in turn, and returns those for which a request was sent. */
async function sentFor(
  memory: RememberedAnswers,
  keys: string,
  answer: Observation = ANSWER,
): Promise<string> {
  let sent = '';
  for (const key of keys) {
    await memory.answer(key, async () => {
      sent += key;
      return answer;
    });
  }
  return sent;
}

describe('remembered answers', () => {
  it('are requested once, also while the first request is running', async () => {
    const memory = new RememberedAnswers();
    let sent = 0;
    const ask = async (): Promise<Observation> => {
      sent += 1;
      return ANSWER;
    };
    await Promise.all(Array.from({ length: 5 }, () => memory.answer('a', ask)));

    expect(sent).toBe(1);
  });

  it('are forgotten beyond a common bound, the least recently used first', async () => {
    expect(await sentFor(new RememberedAnswers(3 * WEIGHT), 'abcacdacb')).toBe('abcdb');
  });

  it('are weighed by their parsed size, not by the length of their text', async () => {
    const dense = { ...ANSWER, text: '[]', values: 200_000 };

    expect(await sentFor(new RememberedAnswers(), 'aa', dense)).toBe('aa');
  });

  it('are weighed with their requests, because many short answers to long requests take as much', async () => {
    const asked = { ...ANSWER, text: '[]', url: 'x'.repeat(2_000) };

    expect(await sentFor(new RememberedAnswers(30_000), 'abca', asked)).toBe('abca');
  });

  it('are available to others once they have arrived, until they are forgotten', async () => {
    const memory = new RememberedAnswers(2 * WEIGHT);
    const { promise, resolve } = Promise.withResolvers<Observation>();
    const asked = memory.answer('a', () => promise);
    expect(memory.known('a')).toBeUndefined();
    resolve(ANSWER);
    await asked;
    expect(memory.known('a')).toBe(ANSWER);

    await sentFor(memory, 'bc');
    expect(memory.known('a')).toBeUndefined();
  });

  it('do not include failures', async () => {
    const memory = new RememberedAnswers();
    await expect(memory.answer('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(await sentFor(memory, 'aa')).toBe('a');
  });
});
