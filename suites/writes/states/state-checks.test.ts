import { describe, expect, it } from 'vitest';
import { together } from '../../../sites/alterations/alteration.ts';
import { handling } from '../../../sites/alterations/handling.ts';
import { recordOf } from '../../../sites/alterations/selecting.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { type Alter, answer } from '../../../sites/reference/site.ts';
import { idsOf, recordRun } from '../records.fixture.ts';

describe('a list', () => {
  it('is reported if it shows private records to another user of the run', async () => {
    const isReader = (authorization = ''): boolean =>
      atob(authorization.replace('Basic ', '')).startsWith('reader:');
    const behaviour = together(
      ({ authenticate }) => ({
        authenticate: (headers, accounts) =>
          isReader(headers.authorization)
            ? { id: 99, login: 'reader', name: 'Reader', password: '' }
            : authenticate(headers, accounts),
      }),
      handling('posts.list', (call, next) =>
        next(
          call.request.account?.id === 99 ? { ...call, args: { ...call.args, status: ['private'] } } : call,
        ),
      ),
    );
    const callers = [{ name: 'reader', user: 'reader', password: 'abcd efgh' }];
    const run = await recordRun({ behaviour, callers, only: ['states/posts/anonymous'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['states/posts/anonymous']);
    expect(run.results.get('states/posts/anonymous')?.message).toContain('the caller "reader"');
  });

  it('is reported if it shows other statuses than requested', async () => {
    const behaviour: Alter = ({ filters }) => ({
      filters: {
        ...filters,
        status: (record, value, query) =>
          filters.status?.(record, value, query) === true ||
          (record.status === 'publish' && String(value) === 'pending'),
      },
    });
    const run = await recordRun({ behaviour, only: ['states/*/*/{found,listed,unlisted,hidden}'] });

    expect(idsOf(run, 'fail', 'error', 'warn')).toEqual(['states/posts/pending/found']);
    expect(run.results.get('states/posts/pending/found')?.message).toContain('states/pages/pending/found');
  });

  it('is inconclusive about hidden records if it does not show public ones either', async () => {
    const behaviour: Alter = ({ filters }) => ({ filters: { ...filters, include: () => false } });
    const run = await recordRun({ behaviour, only: ['states/posts/*/unlisted'] });

    expect(idsOf(run, 'inconclusive')).toHaveLength(4);
  });
});

describe('a deletion', () => {
  it('is inconclusive if it was carried out before the site asked to send it later', async () => {
    let isFirst = true;
    const behaviour = handling('posts.delete', async (call, next) => {
      const deleted = await next(call);
      if (!isFirst || call.args.force !== true) return deleted;
      isFirst = false;
      return answer({}, 429, { 'retry-after': '0' });
    });
    const run = await recordRun({ behaviour, only: ['states/posts/force'] });

    expect(idsOf(run, 'inconclusive')).toEqual(['states/posts/force']);
    expect(run.results.get('states/posts/force')?.message).toBe('a deletion may have been sent twice');
  });

  const failing = async (behaviour: Alter): Promise<string[]> =>
    idsOf(await recordRun({ behaviour, only: ['states/*/{trash,force,again}'] }), 'fail', 'error', 'warn');

  it('is reported if it takes force=false for true', async () => {
    const truthy = handling('posts.delete', (call, next) =>
      next({ ...call, args: { ...call.args, force: 'force' in call.request.query } }),
    );
    const run = await recordRun({ behaviour: truthy, only: ['states/posts/trash'] });

    expect(run.results.get('states/posts/trash')?.message).toBe(
      'a deletion with force=false removes the record for good',
    );
  });

  it('proves nothing if it is answered for later', async () => {
    const deferring = handling('pages.delete', ({ args, request }) => {
      if (args.force !== true || request.account === undefined) throw new Refusal('no', 'No.', 403);
      return { status: 202, headers: {}, body: { queued: true } };
    });
    const run = await recordRun({ behaviour: deferring, only: ['states/pages/force'] });

    expect(run.results.get('states/pages/force')?.message).toContain('status 202, for later');
  });

  it('is reported if it takes force=1 for false', async () => {
    const literal = handling('pages.delete', (call, next) =>
      next({ ...call, args: { ...call.args, force: call.request.query.force === 'true' } }),
    );
    const run = await recordRun({ behaviour: literal, only: ['states/pages/again'] });

    expect(run.results.get('states/pages/again')?.message).toBe(
      'a record that was deleted with force=1 is still shown to the user',
    );
  });

  it('may move a record to the trash, where only its filter shows it', async () => {
    const hidden = handling('posts.read', (call, next) => {
      if (recordOf(call, 'posts')?.status === 'trash') throw new Refusal('no', 'In the trash.', 404);
      return next(call);
    });

    expect(await failing(hidden)).toEqual([]);
  });
});
