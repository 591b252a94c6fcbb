import { describe, expect, it } from 'vitest';
import type { Finding } from '../../engine/check.ts';
import { failure } from '../../engine/findings.ts';
import { testCheck } from '../../engine/session.fixture.ts';
import { faultySite, idsWith, type Mutant } from '../../probing/records/reading/faulty-reading.fixture.ts';
import { serverErrorChecks } from './server-error-checks.ts';

const site = faultySite('core');
const ASKED = { method: 'GET', route: '/cms/v2/posts', query: [['order', 'asc']] } as const;

/** The failing checks of a run in which another check sends a request. @param found what that check says of the answer */
async function failing(mutant: Mutant, found: (curl: string) => readonly Finding[]): Promise<string[]> {
  const other = testCheck('posts.list/other', async ({ client }) =>
    found((await client.request(ASKED)).curl),
  );
  return idsWith(await site.results(mutant, (contract) => [other, ...serverErrorChecks(contract)]), 'fail');
}

describe('a server error', () => {
  const always: Mutant = { status: (query) => (query.get('order') === 'asc' ? 500 : undefined) };

  it('is reported if the check that received it does not', async () => {
    expect(await failing(always, () => [])).toEqual(['records/posts/no-server-error']);
  });

  it('is reported with the operation that it is about', async () => {
    const children: Mutant = { status: (query) => (query.get('search') === 'none' ? 500 : undefined) };
    const other = testCheck('posts.list/other', async ({ client }) => {
      await client.request({
        method: 'GET',
        route: '/cms/v2/posts/1/revisions',
        query: [['search', 'none']],
      });
      return [];
    });
    const results = await site.results(children, (contract) => [other, ...serverErrorChecks(contract)]);
    expect(results.get('records/posts/no-server-error')?.message).toBe(
      'GET for post-revisions.list makes the server fail, which no other check reports',
    );
  });

  it('is reported of a read that is accepted without JSON, too', async () => {
    const empty: Mutant = {
      answers: (json, query) => (query.get('order') === 'asc' ? undefined : json),
    };
    expect(await failing(empty, () => [])).toEqual(['records/posts/no-server-error']);
  });

  it('does not hide that another read is accepted without JSON', async () => {
    const mutant: Mutant = { ...always, answers: (json, query) => (query.has('slug') ? undefined : json) };
    const other = testCheck('posts.list/other', async ({ client }) => {
      await client.request({ ...ASKED, query: [['slug', 'a']] });
      return [failure('it fails', { reproduce: [(await client.request(ASKED)).curl] })];
    });
    const results = await site.results(mutant, (contract) => [other, ...serverErrorChecks(contract)]);
    expect(idsWith(results, 'fail')).toContain('records/posts/no-server-error');
  });

  it('is reported once', async () => {
    const reporting = (curl: string) => [failure('it fails', { reproduce: [curl] })];
    expect(await failing(always, reporting)).toEqual(['posts.list/other']);
  });

  it('is not expected of a site that serves the stated methods alone', async () => {
    const stated: Mutant = { status: (_query, _isAnonymous, method) => (method === 'GET' ? undefined : 405) };
    const results = await site.results(stated, serverErrorChecks);
    expect(idsWith(results, 'pass')).toHaveLength(results.size);
  });

  it('is not reported if the same request is answered later', async () => {
    let left = 1;
    const once: Mutant = {
      status: (query) => {
        if (query.get('order') !== 'asc' || left === 0) return undefined;
        left -= 1;
        return 500;
      },
    };
    expect(await failing(once, () => [])).toEqual([]);
  });
});
