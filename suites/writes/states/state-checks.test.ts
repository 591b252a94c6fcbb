import { describe, expect, it } from 'vitest';
import { FILTERS } from '../../../sites/reference/filters.ts';
import { isObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { showRecord } from '../../../sites/reference/show-record.ts';
import type { Handler } from '../../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { healthy, withArgs, withWriter } from '../mutant-site.fixture.ts';
import { idsOf, recordRun } from '../records.fixture.ts';
import type { Mutant } from '../writing.fixture.ts';

const STATES = ['states/**'];

describe('a status', () => {
  it('is found that a creation does not store', async () => {
    const mutant = withWriter('status', (record, value) => {
      record.status = value === 'pending' ? 'draft' : String(value);
    });
    const run = await recordRun({ mutant, only: ['*.create/status/**', 'states/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([
      'pages.create/status/stored/pending',
      'posts.create/status/stored/pending',
    ]);
  });

  it('is found that media does not keep', async () => {
    const mutant = withWriter('status', (record, value) => {
      record.status = record.kind === 'media' ? 'inherit' : String(value);
    });
    const run = await recordRun({ mutant, only: ['media.create/status/**', 'states/media/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['media.create/status/stored/private']);
  });
});

describe('a list', () => {
  it('is found that shows drafts by default', async () => {
    const run = await recordRun({
      mutant: {
        filters: {
          ...FILTERS,
          status: (record, value, query) =>
            FILTERS.status?.(record, value, query) === true ||
            (record.status === 'draft' && String(value) === 'publish'),
        },
      },
      only: STATES,
    });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([
      'states/pages/draft/unlisted',
      'states/posts/draft/unlisted',
    ]);
  });

  it('is found that shows anonymous callers what is not public', async () => {
    const run = await recordRun({
      mutant: {
        handlers: {
          'posts.list': (call) =>
            call.request.account === undefined
              ? healthy('posts.list')({
                  ...call,
                  request: { ...call.request, account: call.site.accounts[0] },
                  args: { ...call.args, status: ['private'] },
                })
              : healthy('posts.list')(call),
        },
      },
      only: STATES,
    });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['states/posts/private/hidden']);
  });

  it('is found that shows another user of the run what is not public', async () => {
    const isReader = (authorization = ''): boolean =>
      atob(authorization.replace('Basic ', '')).startsWith('reader:');
    const mutant: Mutant = {
      authenticate: (headers, accounts) =>
        isReader(headers.authorization)
          ? { id: 99, login: 'reader', name: 'Reader', role: 'editor', password: '' }
          : STANDARD_BEHAVIOUR.authenticate(headers, accounts),
      handlers: {
        'posts.list': (call) =>
          call.request.account?.id === 99
            ? healthy('posts.list')({ ...call, args: { ...call.args, status: ['private'] } })
            : healthy('posts.list')(call),
      },
    };
    const callers = [{ name: 'reader', user: 'reader', password: 'abcd efgh' }];
    const run = await recordRun({ mutant, callers, only: ['states/posts/anonymous'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['states/posts/anonymous']);
    expect(run.results.get('states/posts/anonymous')?.message).toContain('the caller "reader"');
  });

  it('is found that does not show what is published', async () => {
    const mutant: Mutant = { filters: { ...FILTERS, status: ({ status }) => status === 'private' } };
    const run = await recordRun({ mutant, only: ['states/pages/*/{listed,found}'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([
      'states/pages/draft/found',
      'states/pages/future/found',
      'states/pages/pending/found',
      'states/pages/publish/listed',
    ]);
  });

  it('is found that shows other statuses than those asked for', async () => {
    const mutant: Mutant = {
      filters: {
        ...FILTERS,
        status: (record, value, query) =>
          FILTERS.status?.(record, value, query) === true ||
          (record.status === 'publish' && String(value) === 'pending'),
      },
    };
    const run = await recordRun({ mutant, only: STATES });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([
      'states/pages/pending/found',
      'states/posts/pending/found',
    ]);
  });

  it('is inconclusive about what it hides where it does not show what is public either', async () => {
    const mutant: Mutant = { filters: { ...FILTERS, include: () => false } };
    const run = await recordRun({ mutant, only: ['states/posts/*/unlisted'] });

    expect(idsOf(run, 'inconclusive')).toHaveLength(4);
  });
});

describe('a record that is not public', () => {
  it('is found to be shown to an anonymous caller who asks for it alone', async () => {
    const open: Handler = (call) => {
      const record = call.site.store.get(Number(call.args.id), 'pages');
      const hidden = call.request.account === undefined && record?.status === 'draft';
      if (!hidden || record === undefined) return healthy('pages.read')(call);
      const body = showRecord(call.site, record, { context: 'view', account: undefined });
      return { status: 200, headers: {}, body };
    };
    const run = await recordRun({ mutant: { handlers: { 'pages.read': open } }, only: STATES });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['states/pages/draft/hidden']);
  });
});

describe('a deletion', () => {
  const failing = async (mutant: Mutant): Promise<string[]> =>
    idsOf(await recordRun({ mutant, only: ['states/*/{trash,force}'] }), 'fail', 'error', 'warn');

  it('is found that forces what is not forced', async () => {
    expect(await failing(withArgs(['posts.delete'], (args) => ({ ...args, force: true })))).toEqual([
      'states/posts/trash',
    ]);
  });

  it('is found that trashes what is forced', async () => {
    expect(await failing(withArgs(['pages.delete'], (args) => ({ ...args, force: false })))).toEqual([
      'states/pages/force',
    ]);
  });

  it('is found that is answered with success and does nothing', async () => {
    const idle: Handler = () => ({ status: 200, headers: {}, body: { deleted: true } });
    const run = await recordRun({
      mutant: { handlers: { 'posts.delete': idle, 'media.delete': idle } },
      only: ['states/*/{trash,force}'],
    });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual([
      'states/media/force',
      'states/posts/force',
      'states/posts/trash',
    ]);
    expect(run.results.get('states/posts/force')?.message).toBe(
      'a deletion with force is answered with success, but the record is still there',
    );
  });

  it('that takes any word for force is found by the word that says no', async () => {
    const careless: Handler = (call) => {
      const force = 'force' in call.request.query;
      return healthy('posts.delete')({ ...call, args: { ...call.args, force } });
    };

    expect(await failing({ handlers: { 'posts.delete': careless } })).toEqual(['states/posts/trash']);
  });

  it('may be refused without force', async () => {
    const strict: Handler = (call) => {
      if (call.args.force !== true) throw new Refusal('no', 'No trash.', 410);
      return healthy('posts.delete')(call);
    };

    expect(await failing({ handlers: { 'posts.delete': strict } })).toEqual([]);
  });

  it('may put a record where only the filter of the trash shows it', async () => {
    const hidden: Handler = (call) => {
      const record = call.site.store.get(Number(call.args.id), 'posts');
      if (record?.status === 'trash') throw new Refusal('no', 'In the trash.', 404);
      return healthy('posts.read')(call);
    };

    expect(await failing({ handlers: { 'posts.read': hidden } })).toEqual([]);
  });
});

describe('a slug that is taken', () => {
  it('is found to be given twice', async () => {
    const careless: Handler = async (call) => {
      const answer = await healthy('posts.create')(call);
      const record = isObject(answer.body) ? call.site.store.get(Number(answer.body.id)) : undefined;
      if (record !== undefined) record.slug = String(call.args.slug);
      return answer;
    };
    const run = await recordRun({ mutant: { handlers: { 'posts.create': careless } }, only: ['slugs/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['slugs/posts/unique']);
  });

  it('is found to be given by an update', async () => {
    const careless: Handler = async (call) => {
      const answer = await healthy('posts.update')(call);
      const record = call.site.store.get(Number(call.args.id), 'posts');
      if (record !== undefined && typeof call.args.slug === 'string') record.slug = call.args.slug;
      return answer;
    };
    const run = await recordRun({ mutant: { handlers: { 'posts.update': careless } }, only: ['slugs/**'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['slugs/posts/unique/updated']);
  });

  it('may be refused', async () => {
    const taken = new Set<unknown>();
    const strict: Handler = (call) => {
      if (taken.has(call.args.slug)) throw new Refusal('no', 'Taken.', 409);
      taken.add(call.args.slug);
      return healthy('pages.create')(call);
    };
    const run = await recordRun({ mutant: { handlers: { 'pages.create': strict } }, only: ['slugs/**'] });

    expect(idsOf(run, 'pass')).toEqual([
      'slugs/pages/kept',
      'slugs/pages/unique',
      'slugs/pages/unique/updated',
      'slugs/posts/kept',
      'slugs/posts/unique',
      'slugs/posts/unique/updated',
    ]);
  });
});
