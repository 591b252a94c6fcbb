import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../client/json.ts';
import { ACCEPTED } from '../../client/observation.fixture.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { isFinding } from '../../engine/aborted.ts';
import type { Subject } from '../../probing/records/reading/list-request.ts';
import { type Send, type Snapshot, takeSnapshot } from '../../probing/records/reading/open-list.ts';
import { attempt } from '../../probing/records/reading/run-rule.ts';
import { FILTER_TABLE } from './filter-table.ts';
import { postsList, postsSite } from './rules/snapshot.fixture.ts';

const subject: Subject = { operation: postsList(), route: '/cms/v2/posts', as: 'user', context: 'edit' };

/** Posts whose dates are not in the order of their ids, few of them by the second author. */
const POSTS: readonly JsonObject[] = Array.from({ length: 450 }, (_, at) => {
  const dateIn = (year: number): string =>
    new Date(Date.UTC(year, 0, 1) + ((at * 97) % 450) * 3_600_000).toISOString().slice(0, 19);
  const [date, modified] = [dateIn(2024), dateIn(2025)];
  return { id: at + 1, date, modified, author: at % 40 === 0 ? 9 : (at % 3) + 1, slug: `post-${at}` };
});

/** The time of a date on a site in GMT. */
function instant(date: string): number {
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(date) ? date : `${date}Z`);
}

/** The answers of a site with many posts, as far as these tests need them; `ignored` is a parameter that it ignores. */
function siteWith(
  posts: readonly JsonObject[],
  options: { ignored?: string; hidden?: (id: number) => boolean; silent?: boolean } = {},
): Send {
  return async ({ query = [] }: RequestSpec): Promise<Observation> => {
    const heeded = query.filter(([name]) => name.replace('[]', '') !== options.ignored);
    const all = (name: string): string[] =>
      heeded.flatMap(([key, value]) =>
        key === `${name}[]` ? [value] : key === name ? value.split(',') : [],
      );
    const one = (name: string, otherwise: string): string =>
      heeded.find(([key]) => key === name)?.[1] ?? otherwise;
    const key = one('orderby', 'date');
    const sign = one('order', 'desc') === 'asc' ? 1 : -1;
    const kept = posts
      .filter(({ author }) => all('author').length === 0 || all('author').includes(String(author)))
      .filter(({ id }) => !all('exclude').includes(String(id)))
      .filter(({ date }) => instant(String(date)) > instant(one('after', '1970-01-01T00:00:00')))
      .filter(({ date }) => instant(String(date)) < instant(one('before', '2100-01-01T00:00:00')))
      .sort((a, b) =>
        a[key] === b[key]
          ? 0
          : (Number(a[key]) || 0) < (Number(b[key]) || 0) || (String(a[key]) < String(b[key]) && key !== 'id')
            ? -sign
            : sign,
      );
    const size = Number(one('per_page', '10'));
    const start = Number(one('offset', String((Number(one('page', '1')) - 1) * size)));
    const json = kept.slice(start, start + size).filter(({ id }) => options.hidden?.(Number(id)) !== true);
    const headers = {
      'x-wp-total': String(kept.length),
      'x-wp-totalpages': String(Math.ceil(kept.length / size)),
    };
    return { ...ACCEPTED, json, headers: options.silent === true ? {} : headers };
  };
}

async function snapshotFrom(send: Send): Promise<Snapshot> {
  const snapshot = await takeSnapshot(subject, {}, send);
  if (isFinding(snapshot)) throw new Error(snapshot.message);
  return snapshot;
}

/** The results of the trials of a parameter. */
async function outcomes(send: Send, parameter: string, part?: string): Promise<string[]> {
  const entry = FILTER_TABLE.find((one) => one.parameter === parameter && one.part === part);
  const snapshot = await snapshotFrom(send);
  const trials = await entry?.rule(snapshot, postsSite());
  if (trials === undefined || isFinding(trials)) throw new Error(trials?.message ?? 'no such parameter');
  return Promise.all(trials.map(async (trial) => (await attempt(subject, trial, snapshot, send)).kind));
}

const PARAMETERS: readonly [string, string?][] = [
  ['per_page'],
  ['page'],
  ['offset'],
  ['order'],
  ['orderby', 'date'],
  ['orderby', 'id'],
  ['author'],
  ['exclude'],
  ['after'],
  ['before'],
];

describe('a list that is only read in part', () => {
  const healthy = siteWith(POSTS);

  it('is represented by its first 300 records, highest id first', async () => {
    const { records, complete } = await snapshotFrom(healthy);
    expect([records.length, complete, records[0]?.id, records.at(-1)?.id]).toEqual([300, false, 450, 151]);
  });

  it.each(PARAMETERS)('agrees on a healthy site: %s %s', async (parameter, part) => {
    const kinds = await outcomes(healthy, parameter, part);
    expect(new Set(kinds)).toEqual(new Set(['agrees']));
  });

  it.each(['page', 'offset', 'order', 'author', 'exclude', 'after', 'before'])(
    'differs if %s is ignored',
    async (name) => {
      expect(await outcomes(siteWith(POSTS, { ignored: name }), name)).toContain('differs');
    },
  );

  it('differs if per_page is ignored, on the records that are read anyway', async () => {
    expect(await outcomes(siteWith(POSTS, { ignored: 'per_page' }), 'per_page')).toEqual([
      'differs',
      'differs',
    ]);
  });
});

describe('a list of more than one page', () => {
  const posts = POSTS.slice(0, 250);

  it.each([false, true])('is read as a whole, with or without counts in headers: %s', async (silent) => {
    const { records, complete } = await snapshotFrom(siteWith(posts, { silent }));
    expect([records.length, complete]).toEqual([250, true]);
  });

  it.each(PARAMETERS)('agrees on a healthy site: %s %s', async (parameter, part) => {
    const kinds = await outcomes(siteWith(posts), parameter, part);
    expect(new Set(kinds)).toEqual(new Set(['agrees']));
  });
});

describe('a list with records that are hidden from the caller', () => {
  const some = (id: number): boolean => id % 5 === 0 || id > 440;

  it.each(
    [60, 250, 450].flatMap((length) =>
      PARAMETERS.map(([name, part]): [number, string, string | undefined] => [length, name, part]),
    ),
  )('agrees on a healthy site with %i records: %s %s', async (length, parameter, part) => {
    const kinds = await outcomes(siteWith(POSTS.slice(0, length), { hidden: some }), parameter, part);
    expect(new Set(kinds)).toEqual(new Set(['agrees']));
  });

  it.each(['page', 'author', 'exclude', 'after', 'before', 'order'])(
    'differs if %s is ignored',
    async (name) => {
      const site = siteWith(POSTS.slice(0, 250), { hidden: some, ignored: name });
      expect(await outcomes(site, name)).toContain('differs');
    },
  );
});
