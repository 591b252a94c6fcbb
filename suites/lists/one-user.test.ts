import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asObject, member } from '../../client/json.ts';
import type { CheckResult } from '../../engine/result.ts';
import { ignoring, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { handling } from '../../sites/alterations/handling.ts';
import { anywhere } from '../../sites/alterations/selecting.ts';
import { proxiedSite, withJson } from '../../sites/proxied-site.fixture.ts';
import { forward, type Handle, jsonOf } from '../../sites/proxy.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { allChecks } from '../all-checks.ts';
import { runInProcess } from '../run-checks.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const USERS = '/cms/v2/users';
const FILTERS = ['posts.list/author{,_exclude}/filters', 'posts.list/author/default/applied'];
const SEVERAL = [
  'posts.list/orderby/filters/author',
  'posts.list/author/filters/beside',
  'posts.create/author/stored',
  'posts.update/author/stored/PUT',
];

/** The users that a site reports, and how it reads the arguments of a list. */
interface Saying extends Pick<Mutant, 'asks'> {
  readonly users?: readonly number[];
}

/** Runs checks on a site whose records all have one author. */
async function resultsOn(only: readonly string[], { users, asks }: Saying): Promise<CheckResult[]> {
  const handle: Handle = async (asked) => {
    const route = asked.url.searchParams.get('rest_route');
    if (route === USERS && users !== undefined) {
      const json = users.map((id) => ({ id, name: `User ${id}` }));
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(json)) };
    }
    const url = new URL(asked.url);
    if (asked.method === 'GET') asks?.(url.searchParams);
    const answer = await forward({ ...asked, url });
    const index = route === '/' && asked.method === 'GET' ? asObject(jsonOf(answer.body)) : undefined;
    if (index === undefined || users === undefined) return answer;
    const entry = { namespace: 'cms/v2', methods: ['GET'], endpoints: [{ methods: ['GET'], args: [] }] };
    return withJson(answer, { ...index, routes: { ...asObject(member(index, 'routes')), [USERS]: entry } });
  };
  const behaviour = handling(anywhere, (call, next) => {
    for (const record of call.site.store.all()) record.author = 1;
    return next(call);
  });
  const site = await proxiedSite({ deployment: 'core', behaviour }, handle);
  onTestFinished(() => site.close());
  const folder = testFolder();
  const { results } = await runInProcess({
    url: site.url,
    mode: 'write',
    user: site,
    contract: CONTRACT,
    checks: allChecks(CONTRACT),
    only,
    journal: { path: join(folder, 'journal.ndjson'), tag: `sc-${randomUUID().slice(0, 8)}` },
  });
  return [...results.values()];
}

const verdicts = (results: readonly CheckResult[]): string[] =>
  results.map(({ verdict, skip }) => skip?.kind ?? verdict);

describe('on a site whose records all have one author', () => {
  it('filters by author are tested with an author of no record', async () => {
    expect(verdicts(await resultsOn(FILTERS, {}))).toEqual(['pass', 'pass', 'pass']);
  });

  it('a list that ignores the author fails', async () => {
    const results = await resultsOn(FILTERS.slice(0, 1), ignoring('author'));

    expect(results.filter(({ verdict }) => verdict === 'fail').map(({ parameter }) => parameter)).toEqual([
      'author',
    ]);
  });

  it('a list that is empty for every author fails', async () => {
    const empty = (query: URLSearchParams): void => {
      const isAsked = ['author', 'author[]', 'author[0]'].some((name) => query.has(name));
      if (isAsked) query.set('include', '999999998');
    };
    const results = await resultsOn(FILTERS.slice(0, 1), { asks: empty });

    expect(results.filter(({ verdict }) => verdict === 'fail').map(({ parameter }) => parameter)).toEqual([
      'author',
    ]);
  });

  it('checks that need several users do not apply if the site reports one', async () => {
    const results = await resultsOn(SEVERAL, { users: [1] });

    expect(verdicts(results)).toEqual(SEVERAL.map(() => 'not-applicable'));
    expect(results[0]?.message).toContain('one user');
  });

  it.each([
    ['it says that it has another one', { users: [1, 2] }],
    ['it does not say how many it has', {}],
  ])('and is inconclusive where %s', async (_, saying) => {
    expect(verdicts(await resultsOn(SEVERAL, saying))).toEqual(SEVERAL.map(() => 'inconclusive'));
  });
});
