import { describe, expect, it } from 'vitest';
import { together } from '../../../sites/alterations/alteration.ts';
import { handling, showing } from '../../../sites/alterations/handling.ts';
import { recordOf } from '../../../sites/alterations/selecting.ts';
import { ACCOUNTS, Refusal } from '../../../sites/reference/request.ts';
import { showRecord } from '../../../sites/reference/show-record.ts';
import { type Alter, type Answer, answer } from '../../../sites/reference/site.ts';
import { idsOf, recordRun } from '../records.fixture.ts';

describe('a record with a password', () => {
  it('is reported if it shows its excerpt in a member of a plugin, with the name of the member', async () => {
    const behaviour = showing('posts.read', (one) => ({
      ...one,
      seo_head: 'A description: said-to-friends',
    }));
    const { results } = await recordRun({ behaviour, only: ['protected/posts/written/excerpt'] });

    expect(results.get('protected/posts/written/excerpt')?.observed).toBe('"said-to-friends" in "seo_head"');
  });

  it('says that anonymous callers are denied, where a site requires a login', async () => {
    const behaviour = handling('posts.read', (call, next) => {
      if (call.request.account === undefined) throw new Refusal('no', 'Log in.', 401);
      return next(call);
    });
    const only = ['protected/posts/written/flag', 'protected/posts/written/opened'];
    const { results } = await recordRun({ behaviour, only });

    const messages = only.map((id) => results.get(id)?.message);
    expect(messages).toEqual(only.map(() => 'the context view is denied to anonymous callers'));
  });

  it('need not be opened by its password where a site shows members alone what is in it', async () => {
    const text = { rendered: '<p>For members.</p>', protected: true };
    const behaviour = showing('posts.read', (one, { request }) =>
      request.account === undefined ? { ...one, content: text, excerpt: text } : one,
    );
    const { results } = await recordRun({ behaviour, only: ['protected/posts/written/opened'] });
    const opened = results.get('protected/posts/written/opened');

    expect(opened?.verdict).toBe('inconclusive');
    expect(opened?.message).toBe('anonymous callers are shown another text in place of the content');
  });

  it('is reported in a revision that a cache shows to anybody after its editor read it, with the requests to send first', async () => {
    const kept = new Map<string, Answer>();
    const behaviour = handling('post-revisions.list', async (call, next) => {
      const about = JSON.stringify(call.args);
      const found = call.request.account === undefined ? kept.get(about) : undefined;
      const given = found ?? (await next(call));
      kept.set(about, given);
      return given;
    });
    const run = await recordRun({ behaviour, only: ['protected/posts/written/revisions'] });

    const lines = run.results.get('protected/posts/written/revisions')?.reproduce ?? [];
    expect(lines.map((line) => /-X (\w+)/.exec(line)?.[1] ?? 'GET')).toEqual(['POST', 'POST', 'GET', 'GET']);
    expect(lines.map((line) => line.includes('PASSWORD'))).toEqual([true, true, true, false]);
  });
});

describe('a further user of the run', () => {
  const caller = { name: 'reader', user: 'reader', password: 'abcd efgh' };
  const READER = { ...ACCOUNTS[1], id: 99, login: 'reader', name: 'Reader' } as const;

  /** A site that shows the user a post with its text, and allows the user to edit it or not. */
  const showingTo = (mayEdit: boolean): Alter =>
    together(
      ({ authenticate }) => ({
        authenticate: (headers, accounts) =>
          atob((headers.authorization ?? '').replace('Basic ', '')).startsWith('reader:')
            ? { ...READER, password: caller.password }
            : authenticate(headers, accounts),
      }),
      handling('posts.read', (call, next) => {
        const record = recordOf(call, 'posts');
        if (record === undefined || call.request.account?.id !== READER.id) return next(call);
        if (call.args.context === 'edit' && !mayEdit) throw new Refusal('no', 'No.', 403);
        const { password } = record;
        return answer(showRecord(call.site, record, { context: 'view', account: undefined, password }));
      }),
    );
  const failingFor = async (mayEdit: boolean): Promise<string[]> => {
    const about = { callers: [caller], only: ['protected/posts/**'] };
    const run = await recordRun({ behaviour: showingTo(mayEdit), ...about });
    return idsOf(run, 'fail', 'error', 'warn');
  };

  it('is reported if they see the text of a record that they may not edit', async () => {
    expect(await failingFor(false)).toEqual(['protected/posts/written/content']);
  });

  it('may see everything of a record that they may edit', async () => {
    expect(await failingFor(true)).toEqual([]);
  });
});
