import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../client/json.ts';
import { ACCEPTED } from '../client/observation.fixture.ts';
import type { Observation } from '../client/observation.ts';
import type { ShownFields } from './result.ts';
import { testSession } from './session.fixture.ts';
import { FieldNotes, fixture, freshSession, RememberedAnswers } from './session.ts';

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

const ANSWER: Observation = { ...ACCEPTED, values: 1, text: 'x'.repeat(100_000), curl: '' };

/** Slightly more than its estimated memory. */
const WEIGHT = 205_000;

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

  it('leave nothing behind with their owner once they are forgotten', async () => {
    const forgotten: string[] = [];
    await sentFor(new RememberedAnswers(2 * WEIGHT, (key) => forgotten.push(key)), 'abcd');

    expect(forgotten).toEqual(['a', 'b']);
  });

  it('do not include failures', async () => {
    const memory = new RememberedAnswers();
    await expect(memory.answer('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');

    expect(await sentFor(memory, 'aa')).toBe('a');
  });
});

const ABOUT = { resource: 'posts', operation: 'posts.list', context: 'view' };

function shownIn(records: readonly JsonObject[]): ShownFields | undefined {
  const notes = new FieldNotes((text) => text);
  notes.note(ABOUT, records);
  return notes.take()[0];
}

describe('the noted fields of records', () => {
  it('are divided into those of every record and others, members of objects too', () => {
    const records = [
      { id: 1, title: { rendered: 'a', raw: 'a' }, sticky: true, links: [{ href: 'x' }] },
      { title: { rendered: 'b' }, id: 2, links: [] },
    ];

    expect(shownIn(records)).toEqual({
      ...ABOUT,
      records: 2,
      always: ['id', 'links', 'title'],
      sometimes: ['sticky'],
      inside: { title: { always: ['rendered'], sometimes: ['raw'] } },
    });
  });

  it('have no common members if one object is empty', () => {
    // An object without members may print as an empty list.
    const shown = shownIn([{ meta: { footnotes: '' } }, { meta: [] }]);

    expect(shown?.inside).toEqual({ meta: { always: [], sometimes: ['footnotes'] } });
  });

  it('exclude numbers, links and long names, and are bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${at}`, at]));
    const shown = shownIn([{ ...many, 7: 1, _links: { self: [] }, ['x'.repeat(500)]: 1 }]);

    expect(shown?.always).toHaveLength(400);
    expect(shown?.cut).toBe(true);
    expect(JSON.stringify(shown)).not.toMatch(/"7"|self|xxx/);
  });

  it('keep names that objects inherit separate from own ones', () => {
    const record: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
    const shown = shownIn([Object(record)]);

    expect(shown?.always).toEqual(['__proto__', 'constructor']);
    expect(shown?.inside).toEqual({ constructor: { always: ['b'], sometimes: [] } });
  });

  it('hold no secret that a site uses as a name', () => {
    const notes = new FieldNotes((text) => text.replaceAll('hunter22', '[redacted]'));
    notes.note(ABOUT, [{ hunter22: { hunter22: 1 } }]);

    expect(JSON.stringify(notes.take())).not.toContain('hunter22');
  });

  it('are noted once for each resource and context, and returned once', () => {
    const notes = new FieldNotes((text) => text);
    notes.note(ABOUT, [{ a: 1 }]);
    notes.note(ABOUT, [{ b: 1 }]);
    notes.note({ ...ABOUT, context: 'edit' }, [{ c: 1 }]);

    expect(notes.take().map(({ always }) => always)).toEqual([['a'], ['c']]);
    expect(notes.take()).toEqual([]);
  });
});
