import { describe, expect, it } from 'vitest';
import { testSession } from './session.fixture.ts';
import { fixture, freshSession } from './session.ts';

const POSTS = { id: 'posts' };

describe('a fixture', () => {
  it('is made once for each subject, by whichever check', async () => {
    const made: string[] = [];
    const own = fixture('own', async (_, _place: object, word: string) => made.push(word));
    const session = testSession();
    const narrowed = { ...session, seed: 2 };

    expect([await own(session, POSTS, 'a'), await own(narrowed, POSTS, 'a')]).toEqual([1, 1]);
    expect([await own(session, { id: 'posts' }, 'a'), await own(session, POSTS, 'b')]).toEqual([2, 3]);
    expect(made).toEqual(['a', 'a', 'b']);
  });

  it('is identified by itself, not by its name', async () => {
    const one = fixture('same', async () => 1);
    const other = fixture('same', async () => 'other');
    const session = testSession();

    expect([await one(session), await other(session)]).toEqual([1, 'other']);
  });

  it('distinguishes subjects by the given parts, if there are any', async () => {
    let made = 0;
    const list = fixture(
      'list',
      async (_, _query: { readonly page: number }) => (made += 1),
      ({ page }) => [page],
    );
    const session = testSession();

    expect([await list(session, { page: 1 }), await list(session, { page: 1 })]).toEqual([1, 1]);
    expect(await list(session, { page: 2 })).toBe(2);
  });

  it('is made again once all answers are forgotten, and remembers a failure until then', async () => {
    let made = 0;
    const failing = fixture('failing', async () => {
      made += 1;
      throw new Error(`time ${made}`);
    });
    const session = testSession();

    await expect(failing(session)).rejects.toThrow('time 1');
    await expect(failing(session)).rejects.toThrow('time 1');
    await expect(failing(freshSession(session, session.index))).rejects.toThrow('time 2');
  });

  it('passes its name and subject to an observer', async () => {
    const names: string[] = [];
    const watch = {
      make<T>(name: string, make: () => Promise<T>): Promise<T> {
        names.push(`make ${name}`);
        return make();
      },
      use<T>(name: string, made: Promise<T>): Promise<T> {
        names.push(`use ${name}`);
        return made;
      },
    };
    const session = { ...testSession(), watch };
    const own = fixture('own {} with a password', async (_, _own: object, _about: object, _at: number) => 1);

    await own(session, {}, POSTS, 2);
    await own(session, {}, POSTS, 2);

    expect(names).toEqual([
      'make own posts with a password 2',
      'use own posts with a password 2',
      'make own posts with a password 2',
      'use own posts with a password 2',
    ]);
  });
});
