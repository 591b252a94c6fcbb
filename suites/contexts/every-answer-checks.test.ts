import { describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../client/json.ts';
import type { Check } from '../../engine/check.ts';
import type { CheckResult } from '../../engine/result.ts';
import { faultySite, idsWith, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import type { Contract } from '../../specs/model.ts';
import { contextChecks } from './context-checks.ts';
import { everyAnswerChecks } from './every-answer-checks.ts';

const site = faultySite('a');

const allOf = (contract: Contract): Check[] => [...contextChecks(contract), ...everyAnswerChecks(contract)];
const OF_POSTS = /^((records|protected)\/)?post(s|-\w+)[./]/;
const checksOf = (contract: Contract): Check[] => allOf(contract).filter(({ id }) => OF_POSTS.test(id));

async function failing(mutant: Mutant, checks: typeof allOf = checksOf): Promise<string[]> {
  const results = await site.results(mutant, checks);
  expect(idsWith(results, 'error')).toEqual([]);
  return idsWith(results, 'fail');
}

const VIEWED = [{ id: 1, title: { rendered: 'One' } }];

/** An answer with other members in each of its records. */
function mapRecords(json: unknown, change: (record: JsonObject) => [string, unknown][]): unknown {
  const turned = (record: unknown): unknown =>
    isObject(record) && 'id' in record ? Object.fromEntries(change(record)) : record;
  return Array.isArray(json) ? json.map(turned) : turned(json);
}

/** Changes the records of the list of posts in embed, a limited number of times. */
function inEmbed(
  change: (record: JsonObject) => JsonObject,
  times: number = Number.POSITIVE_INFINITY,
): Mutant {
  let left = times;
  return {
    answers: (json, query) => {
      const isMeant = query.get('rest_route')?.endsWith('/posts') && query.get('context') === 'embed';
      if (!isMeant || !Array.isArray(json) || left === 0) return json;
      left -= 1;
      return json.map((record: unknown) => (isObject(record) ? change(record) : record));
    },
  };
}

it('says that a field is missing from one answer where another one shows it', async () => {
  const lacking = inEmbed(({ author: _, ...record }) => record);
  const results = await site.results(lacking, checksOf);
  expect(idsWith(results, 'fail')).toEqual(['records/posts/every-answer/same']);
  expect(results.get('records/posts/every-answer/same')?.message).toBe(
    'one answer in the context embed shows the author of a record, and another one does not',
  );
});

it('reports a read that is answered with no record', async () => {
  const nothing: Mutant = {
    answers: (json, query) => (query.get('rest_route')?.match(/\/media\/\d+$/) ? [] : json),
  };
  expect(await failing(nothing, allOf)).toContain('records/media/every-answer/types');
});

it('reports who asks for edit without credentials and gets view', async () => {
  const results = await site.results(
    {
      answers: (json, query) =>
        query.get('context') === 'edit' && query.size === 2 && !Array.isArray(json) ? VIEWED : json,
      status: (query, isAnonymous) =>
        isAnonymous && query.get('context') === 'edit' && query.size === 2 ? 200 : undefined,
    },
    checksOf,
  );
  expect(results.get('records/posts/every-answer/contexts')?.message).toBe(
    'title.raw is absent from the context edit',
  );
});

it('reports a field that is filled in and never shown, once if there are no others', async () => {
  const without = (keep: (name: string) => boolean): Mutant => ({
    answers: (json) => mapRecords(json, (record) => Object.entries(record).filter(([name]) => keep(name))),
  });
  const types = (ids: string[]): string[] => ids.filter((id) => id.startsWith('records/posts/types/'));
  for (const field of ['format', 'title'])
    expect(types(await failing(without((name) => name !== field)))).toEqual([`records/posts/types/${field}`]);
  expect(types(await failing(without((name) => name === 'id')))).toHaveLength(1);
});

it('reports a field that is no object as one of another type alone', async () => {
  const mutant: Mutant = {
    answers: (json) => (isObject(json) && json.status === 'private' ? { ...json, title: null } : json),
  };
  expect(await failing(mutant, allOf)).toEqual(['records/posts/every-answer/types']);
});

it('does not report what a fresh answer does not confirm', async () => {
  const once = inEmbed((record) => ({ ...record, author: 77 }), 1);
  expect(await failing(once)).toEqual([]);
});

it('reports a type that is wrong in one answer beside one that is wrong in all', async () => {
  const id = 'records/posts/every-answer/types';
  const requests = [{ as: 'user', route: '/cms/v2/posts', query: [['order', 'asc']] }];
  const mutant: Mutant = {
    answers: (json, query) => {
      if (!query.get('rest_route')?.endsWith('/posts') || !Array.isArray(json)) return json;
      const wrong = query.get('order') === 'asc' ? { slug: null } : {};
      return json.map((record: unknown) => ({ ...Object(record), author: '1', ...wrong }));
    },
  };
  const results = await site.results(mutant, checksOf, undefined, {
    fuzz: { examples: 0, kept: [{ check: id, args: { requests } }] },
  });
  expect(results.get('records/posts/types/author')?.verdict).toBe('fail');
  expect(results.get(id)?.message).toBe('slug is not of the stated type');
});

it('reports a list without a field that a record alone shows', async () => {
  const lacking: Mutant = {
    answers: (json, query) => {
      if (!query.get('rest_route')?.endsWith('/posts') || !Array.isArray(json)) return json;
      return json.map((record: unknown) => ({ ...Object(record), content: undefined }));
    },
  };
  const results = await site.results(lacking, checksOf);
  expect(idsWith(results, 'fail')).toEqual(['records/posts/every-answer/contexts']);
  expect(results.get('records/posts/every-answer/contexts')?.message).toBe(
    'content.raw is absent from the context edit',
  );
});

describe('text of a record with a password', () => {
  const id = 'protected/posts/every-answer';
  const requests = ['asc', 'desc'].map((order) => ({
    as: 'anonymous',
    route: '/cms/v2/posts',
    query: [
      ['per_page', '100'],
      ['order', order],
    ],
  }));
  const text = { rendered: 'open to all', protected: false };
  /** Shows all texts in some answers. */
  const showing = (isMeant: (query: URLSearchParams) => boolean, shown = text): Mutant => ({
    answers: (json, query) =>
      Array.isArray(json) && isMeant(query)
        ? json.map((record: unknown) => ({ ...Object(record), content: shown, excerpt: shown }))
        : json,
  });
  const resultOn = async (mutant: Mutant): Promise<CheckResult | undefined> => {
    const fuzz = { examples: 0, kept: [{ check: id, args: { requests } }] };
    const isMeant = (one: Check): boolean => one.id === id;
    const results = await site.results(
      mutant,
      (contract) => everyAnswerChecks(contract).filter(isMeant),
      'anonymous',
      { fuzz },
    );
    return results.get(id);
  };

  it('is reported if another answer shows that it is protected', async () => {
    const result = await resultOn(showing((query) => query.get('order') === 'desc'));
    expect(result?.verdict).toBe('fail');
  });

  it('is reported if one answer shows that it is protected, and another one that it is not', async () => {
    const denying = showing((query) => query.get('order') === 'desc', { rendered: '', protected: false });
    const result = await resultOn(denying);
    expect(result?.message).toBe('protected does not say whether a record has a password');
  });

  it('is not reported if its password is removed meanwhile', async () => {
    let isClosed = true;
    const result = await resultOn(
      showing((query) => {
        if (query.get('order') === 'desc') isClosed = false;
        return !isClosed;
      }),
    );
    expect(result?.verdict).toBe('pass');
  });
});

describe('a record that two answers show differently', () => {
  const other = inEmbed((record) => ({ ...record, author: 77 }));
  const same = 'records/posts/every-answer/same';
  const alone = (contract: Contract) => everyAnswerChecks(contract).filter(({ id }) => id === same);

  it('is reported with a baseline that does not know it, after its requests were repeated', async () => {
    const results = await site.results(other, checksOf, undefined, { knownFailures: [] });
    expect(results.get(same)?.verdict).toBe('fail');
  });

  it('is looked for in the plain list if no other check runs', async () => {
    expect((await site.results({}, alone)).get(same)?.verdict).toBe('pass');
  });

  it('is named with what differs', async () => {
    const { expected, observed } = (await site.results(other, checksOf)).get(same) ?? {};
    expect([expected, observed]).toEqual([
      expect.stringMatching(/^author \d+ of the record \d+$/),
      expect.stringMatching(/^author \d+$/),
    ]);
  });

  it('is found by a run of this check alone, and by a replay', async () => {
    const first = await site.results(other, checksOf);
    const kept = (first.get(same)?.replay?.sets ?? []).map(({ id, args }) => ({ check: same, id, args }));
    const later = await site.results(other, alone, undefined, { fuzz: { examples: 6, kept } });
    const replay = { examples: 0, kept, replay: true } as const;
    const replayed = await site.results(other, alone, undefined, { fuzz: replay });
    const fixed = await site.results({}, alone, undefined, { fuzz: replay });

    expect(later.get(same)?.verdict).toBe('fail');
    expect(replayed.get(same)?.tried?.replayed).toMatchObject([
      { id: `${same}#:answer`, end: 'there', of: 3 },
    ]);
    expect(fixed.get(same)?.tried?.replayed).toMatchObject([{ end: 'gone' }]);
  });
});
