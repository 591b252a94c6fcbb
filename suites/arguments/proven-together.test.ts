import { describe, expect, it } from 'vitest';
import { provenTogether } from './proven-together.ts';

const always = (): boolean => true;

/** Asks with a function of what stands together, and keeps what was asked. */
function asking(answer: (together: string) => string | undefined) {
  const asked: string[] = [];
  const ask = async (together: readonly string[]): Promise<readonly string[] | 'broken' | undefined> => {
    asked.push(together.join(''));
    const shown = answer(together.join(''));
    return shown === 'broken' ? shown : shown?.split('');
  };
  return { asked, ask };
}

describe('what is wanted together', () => {
  it('is proven by one request where it all fits into it', async () => {
    const { asked, ask } = asking((together) => together);

    expect([...(await provenTogether([...'abc'], always, ask))]).toEqual(['a', 'b', 'c']);
    expect(asked).toEqual(['abc']);
  });

  it('is asked for in further requests where it does not fit, and alone by whoever wants it where it is the last', async () => {
    const { asked, ask } = asking((together) => together);
    const upToTwo = (beside: readonly string[]): boolean => beside.length < 2;

    expect([...(await provenTogether([...'abcde'], upToTwo, ask))]).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual(['ab', 'cd']);
  });

  it('is asked for again as long as a request proves some of it, which hid the others', async () => {
    const { asked, ask } = asking((together) => together.slice(0, 2));

    expect([...(await provenTogether([...'abcde'], always, ask))]).toEqual(['a', 'b', 'c', 'd']);
    expect(asked).toEqual(['abcde', 'cde']);
  });

  it('is left to be asked for alone where a request proves none of it, or nothing can be proven so', async () => {
    const none = asking(() => '');
    const ended = asking(() => undefined);
    const inPairs = (beside: readonly string[]): boolean => beside.length < 2;

    expect((await provenTogether([...'abcd'], inPairs, none.ask)).size).toBe(0);
    expect(none.asked).toEqual(['ab', 'cd']);
    expect((await provenTogether([...'abcd'], inPairs, ended.ask)).size).toBe(0);
    expect(ended.asked).toEqual(['ab']);
  });

  it('is halved where a request breaks of it, until what breaks it stands alone', async () => {
    const { asked, ask } = asking((together) => (together.includes('f') ? 'broken' : together));

    expect([...(await provenTogether([...'abcdefgh'], always, ask))].join('')).toBe('abcdegh');
    expect(asked).toEqual(['abcdefgh', 'abcd', 'efgh', 'ef', 'e', 'f', 'gh']);
  });
});
