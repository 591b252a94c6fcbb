import { describe, expect, it } from 'vitest';
import { ACCOUNTS, Refusal } from '../../../sites/reference/request.ts';
import { showRecord } from '../../../sites/reference/show-record.ts';
import { type Answer, answer, type Handler } from '../../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { healthy, showing } from '../mutant-site.fixture.ts';
import { idsOf, recordRun } from '../records.fixture.ts';
import type { Mutant } from '../writing.fixture.ts';

const failing = async (mutant: Mutant): Promise<string[]> =>
  idsOf(await recordRun({ mutant, only: ['protected/**'] }), 'fail', 'error', 'warn');

describe('a record with a password', () => {
  it('is reported if it shows its excerpt in a member of a plugin, with the name of the member', async () => {
    const mutant = showing('posts.read', (body) => ({ ...body, seo_head: 'A description: said-to-friends' }));
    const { results } = await recordRun({ mutant, only: ['protected/posts/written/excerpt'] });

    expect(results.get('protected/posts/written/excerpt')?.observed).toBe('"said-to-friends" in "seo_head"');
  });

  it('is reported if it is denied with its password', async () => {
    const strict: Handler = (call) => {
      if (call.args.password !== undefined) throw new Refusal('no', 'Wrong.', 403);
      return healthy('posts.read')(call);
    };

    expect(await failing({ handlers: { 'posts.read': strict } })).toEqual(['protected/posts/written/opened']);
  });

  it('is reported in a revision that a cache shows to anybody after its editor read it, with the requests to send first', async () => {
    const kept = new Map<string, Answer>();
    const caching: Handler = async (call) => {
      const about = JSON.stringify(call.args);
      const found = call.request.account === undefined ? kept.get(about) : undefined;
      const given = found ?? (await healthy('post-revisions.list')(call));
      kept.set(about, given);
      return given;
    };
    const run = await recordRun({
      mutant: { handlers: { 'post-revisions.list': caching } },
      only: ['protected/posts/written/revisions'],
    });

    const lines = run.results.get('protected/posts/written/revisions')?.reproduce ?? [];
    expect(lines.map((line) => /-X (\w+)/.exec(line)?.[1] ?? 'GET')).toEqual(['POST', 'POST', 'GET', 'GET']);
    expect(lines.map((line) => line.includes('PASSWORD'))).toEqual([true, true, true, false]);
  });
});

describe('a further user of the run', () => {
  const caller = { name: 'reader', user: 'reader', password: 'abcd efgh' };
  const READER = { ...ACCOUNTS[1], id: 99, login: 'reader', name: 'Reader' } as const;

  /** A site that shows the user a post with its text, and allows the user to edit it or not. */
  const showingTo = (mayEdit: boolean): Mutant => ({
    authenticate: (headers, accounts) =>
      atob((headers.authorization ?? '').replace('Basic ', '')).startsWith('reader:')
        ? { ...READER, password: caller.password }
        : STANDARD_BEHAVIOUR.authenticate(headers, accounts),
    handlers: {
      'posts.read': (call) => {
        const record = call.site.store.get(Number(call.args.id), 'posts');
        if (record === undefined || call.request.account?.id !== READER.id)
          return healthy('posts.read')(call);
        if (call.args.context === 'edit' && !mayEdit) throw new Refusal('no', 'No.', 403);
        const { password } = record;
        return answer(showRecord(call.site, record, { context: 'view', account: undefined, password }));
      },
    },
  });
  const failingFor = async (mayEdit: boolean): Promise<string[]> => {
    const run = await recordRun({
      mutant: showingTo(mayEdit),
      callers: [caller],
      only: ['protected/posts/**'],
    });
    return idsOf(run, 'fail', 'error', 'warn');
  };

  it('is reported if they see the text of a record that they may not edit', async () => {
    expect(await failingFor(false)).toEqual([
      'protected/posts/written/content',
      'protected/posts/written/excerpt',
    ]);
  });

  it('may see everything of a record that they may edit', async () => {
    expect(await failingFor(true)).toEqual([]);
  });
});
