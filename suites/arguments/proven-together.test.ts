import { describe, expect, it } from 'vitest';
import { provenTogether } from './proven-together.ts';

const always = (): boolean => true;

/** Asks with a function of the texts sent together, and records the requests. */
function asking(answer: (together: string) => string) {
  const asked: string[] = [];
  const ask = async (together: readonly string[]): Promise<readonly string[] | 'broken' | 'useless'> => {
    asked.push(together.join(''));
    const shown = answer(together.join(''));
    return shown === 'broken' || shown === 'useless' ? shown : shown.split('');
  };
  return { asked, ask };
}

describe('texts to find in answers', () => {
  it('are proven by one request if they all fit', async () => {
    const { asked, ask } = asking((together) => together);

    expect([...(await provenTogether([...'abc'], always, ask))]).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual(['abc']);
  });

  it('are sent in further requests if they do not fit, and the last is left to its caller', async () => {
    const { asked, ask } = asking((together) => together);
    const upToTwo = (beside: readonly string[]): boolean => beside.length < 2;

    expect([...(await provenTogether([...'abcde'], upToTwo, ask))]).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual(['ab', 'cd']);
  });

  it('are sent again as long as a request proves some, because these may hide others', async () => {
    const { asked, ask } = asking((together) => together.slice(0, 2));

    expect([...(await provenTogether([...'abcde'], always, ask))]).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual(['abcde', 'cde']);
  });

  it('are left to their callers if a request proves none', async () => {
    const none = asking(() => '');
    const ended = asking(() => 'useless');
    const inPairs = (beside: readonly string[]): boolean => beside.length < 2;

    expect((await provenTogether([...'abcd'], inPairs, none.ask)).size).toBe(0);
    expect(none.asked).toEqual(['ab', 'cd']);
    expect((await provenTogether([...'abcd'], inPairs, ended.ask)).size).toBe(0);
    expect(ended.asked).toEqual(['ab']);
  });

  it('are halved if their request breaks, until the cause is alone', async () => {
    const { asked, ask } = asking((together) => (together.includes('f') ? 'broken' : together));

    expect([...(await provenTogether([...'abcdefgh'], always, ask))].join('')).toBe('abcdegh');
    expect(asked).toEqual(['abcdefgh', 'abcd', 'efgh', 'ef', 'e', 'f', 'gh']);
  });
});
