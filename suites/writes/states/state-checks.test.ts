import { describe, expect, it } from 'vitest';
import { FILTERS } from '../../../sites/reference/filters.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Handler } from '../../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../../sites/reference/standard-behaviour.ts';
import { healthy } from '../mutant-site.fixture.ts';
import { idsOf, recordRun } from '../records.fixture.ts';
import type { Mutant } from '../writing.fixture.ts';

const STATES = ['states/**'];

describe('a list', () => {
  it('is reported if it shows private records to another user of the run', async () => {
    const isReader = (authorization = ''): boolean =>
      atob(authorization.replace('Basic ', '')).startsWith('reader:');
    const mutant: Mutant = {
      authenticate: (headers, accounts) =>
        isReader(headers.authorization)
          ? { id: 99, login: 'reader', name: 'Reader', password: '' }
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

  it('is reported if it shows other statuses than requested', async () => {
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

  it('is inconclusive about hidden records if it does not show public ones either', async () => {
    const mutant: Mutant = { filters: { ...FILTERS, include: () => false } };
    const run = await recordRun({ mutant, only: ['states/posts/*/unlisted'] });

    expect(idsOf(run, 'inconclusive')).toHaveLength(4);
  });
});

describe('a deletion', () => {
  const failing = async (mutant: Mutant): Promise<string[]> =>
    idsOf(await recordRun({ mutant, only: ['states/*/{trash,force}'] }), 'fail', 'error', 'warn');

  it('is reported if it succeeds and does nothing', async () => {
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

  it('may be refused without force', async () => {
    const strict: Handler = (call) => {
      if (call.args.force !== true) throw new Refusal('no', 'No trash.', 410);
      return healthy('posts.delete')(call);
    };

    expect(await failing({ handlers: { 'posts.delete': strict } })).toEqual([]);
  });

  it('may move a record to the trash, where only its filter shows it', async () => {
    const hidden: Handler = (call) => {
      const record = call.site.store.get(Number(call.args.id), 'posts');
      if (record?.status === 'trash') throw new Refusal('no', 'In the trash.', 404);
      return healthy('posts.read')(call);
    };

    expect(await failing({ handlers: { 'posts.read': hidden } })).toEqual([]);
  });
});

describe('a slug in use', () => {
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
