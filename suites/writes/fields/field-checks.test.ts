import { describe, expect, it } from 'vitest';
import { together } from '../../../sites/alterations/alteration.ts';
import { handling, turningArgs, without } from '../../../sites/alterations/handling.ts';
import { recordOf } from '../../../sites/alterations/selecting.ts';
import { raw } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { showRecord } from '../../../sites/reference/show-record.ts';
import { answer } from '../../../sites/reference/site.ts';
import { idsOf, recordRun, writing } from '../records.fixture.ts';

describe('fields that are unset', () => {
  const only = ['posts.update/*/unset', 'posts.update/**/unset'];

  it('are proven together on one record, and alone if one of them fails', async () => {
    const healthyRun = await recordRun({ only });
    const behaviour = turningArgs('posts.update', (args) =>
      args.template === '' ? without(args, 'template') : args,
    );
    const run = await recordRun({ behaviour, only });

    expect(idsOf(healthyRun, 'pass').filter((id) => id.endsWith('/unset')).length).toBeGreaterThan(3);
    expect(idsOf(run, 'fail')).toEqual(['posts.update/template/unset']);
    expect(run.results.get('posts.update/template/unset')?.message).toContain('cannot be set back');
    expect(run.requests - healthyRun.requests).toBeLessThan(30);
  });

  it('are inconclusive about a content that a site requires', async () => {
    const behaviour = writing('content', (write, _, value) => {
      if (raw(value) === '') throw new Refusal('empty', 'No.', 400);
      write();
    });
    const run = await recordRun({ behaviour, only });

    expect(idsOf(run, 'fail', 'warn', 'error')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toEqual(['posts.update/content/unset']);
  });
});

describe('a site without content', () => {
  const absentOf = (collection: string, name: string): string[] =>
    ['create', 'update'].map((role) => `${collection}.${role}/${name}/absent/ignored`);
  const storedOf = (collection: string, name: string): string[] => [
    `${collection}.create/${name}/stored`,
    ...['PATCH', 'POST', 'PUT'].map((method) => `${collection}.update/${name}/stored/${method}`),
  ];

  it('is inconclusive about terms and other authors, because none is known', async () => {
    const names = 'author,categories,featured_media,parent,tags,template,title';
    const run = await recordRun({ seed: 'empty', only: [`*.{create,update}/{${names}}/**`] });
    const terms = ['categories', 'tags'].flatMap((name) => storedOf('posts', name));
    const others = ['media', 'pages', 'posts'].flatMap((collection) => storedOf(collection, 'author'));
    const absent = ['media', 'pages'].flatMap((collection) =>
      ['categories', 'tags'].flatMap((name) => absentOf(collection, name)),
    );

    expect(idsOf(run, 'fail', 'error', 'warn', 'skip')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toEqual(
      [...terms, ...others, ...absent, 'posts.update/tags/unset'].sort(),
    );
    expect(run.results.get('pages.create/author/stored')?.message).toMatch(/^no other author is known/);
    expect(run.difference).toEqual([]);
  });
});

describe('a field that a creation does not store', () => {
  it('is reported if the creation is refused because of it', async () => {
    const behaviour = handling('media.create', (call, next) =>
      call.args.alt_text === undefined ? next(call) : answer({ code: 'no', message: 'No.' }, 400),
    );
    const run = await recordRun({ behaviour, only: ['media.create/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['media.create/alt_text/stored']);
  });
});

describe('a text that is cut', () => {
  it('is reported from where it is cut', async () => {
    const behaviour = turningArgs('posts.create', (args) => {
      const content = raw(args.content);
      return content === undefined ? args : { ...args, content: { raw: content.slice(0, 1000) } };
    });
    const { results } = await recordRun({ behaviour, only: ['posts.create/content/stored'] });

    expect(results.get('posts.create/content/stored')).toMatchObject({
      observed: expect.stringMatching(/^".{19,20}", from character 9\d\d on$/),
    });
  });
});

describe('an update', () => {
  it('of the status alone is reported if it resets the password, also where the answer to a batch shows no parts', async () => {
    const behaviour = together(
      turningArgs('pages.update', (args) =>
        'status' in args && !('password' in args) ? { ...args, password: '' } : args,
      ),
      handling('batch.run', async (call, next) => ({ ...(await next(call)), status: 200, body: [] })),
    );
    const run = await recordRun({ behaviour, only: ['pages.update/alone/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['pages.update/alone/POST']);
    expect(run.difference).toEqual([]);
  });

  it('may remove the slug of a pending record, and the password of a private one', async () => {
    const behaviour = handling('posts.update', async (call, next) => {
      const shown = await next(call);
      const stored = recordOf(call);
      if (stored === undefined) return shown;
      const { status, slug } = call.args;
      if (status === 'private') stored.password = '';
      if (status === 'pending') stored.slug = typeof slug === 'string' ? slug : '';
      return answer(showRecord(call.site, stored, { context: 'edit', account: call.request.account }));
    });
    const run = await recordRun({ behaviour, only: ['posts.update/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([]);
  });

  it('may remove the password of a record that an earlier update made private, although those between failed', async () => {
    const behaviour = handling('pages.update', async (call, next) => {
      const { title, content, excerpt } = call.args;
      if (JSON.stringify([title, content, excerpt]).includes('𝒜')) throw new Refusal('db', 'No.', 500);
      const answered = await next(call);
      const stored = recordOf(call, 'pages');
      if (stored?.status === 'private') stored.password = '';
      return answered;
    });
    const run = await recordRun({ behaviour, only: ['pages.update/{password,title}/stored/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['pages.update/title/stored/POST']);
  });

  it('is reported once if it succeeds and changes nothing', async () => {
    const run = await recordRun({
      behaviour: turningArgs('posts.update', ({ id = 0 }) => ({ id })),
      only: ['posts.update/**'],
    });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['posts.update/changes/POST']);
    expect(idsOf(run, 'pass')).toEqual([]);
    expect(run.results.get('posts.update/changes/POST')?.message).toBe(
      'POST is answered with success, but changes nothing',
    );
  });

  it('is reported with the earlier value if it drops a field that comes alone', async () => {
    const run = await recordRun({
      behaviour: turningArgs('posts.update', (args) =>
        Object.keys(args).length === 2 ? without(args, 'excerpt') : args,
      ),
      only: ['posts.update/{excerpt,title}/stored/POST'],
    });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['posts.update/excerpt/stored/POST']);
    expect(run.results.get('posts.update/excerpt/stored/POST')?.message).toBe(
      'excerpt is accepted alone, but the earlier value is read back',
    );
  });

  it('is reported once if it is refused with any field', async () => {
    const run = await recordRun({
      behaviour: handling('media.update', (call, next) =>
        call.request.method === 'PUT' ? answer({}, 400) : next(call),
      ),
      only: ['media.update/**'],
    });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['media.update/changes/PUT']);
  });

  it('is inconclusive if it is denied', async () => {
    const behaviour = handling('posts.update', () => answer({}, 403));
    const run = await recordRun({ behaviour, only: ['posts.update/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn', 'pass')).toEqual([]);
    expect(idsOf(run, 'inconclusive')).toHaveLength(3);
  });
});
