import { expect, it } from 'vitest';
import { handling, withList } from '../../../sites/alterations/handling.ts';
import { on } from '../../../sites/alterations/selecting.ts';
import { idsWith, writingRun } from '../records.fixture.ts';

const ONLY = ['states/posts/modified'];

it('an update that does not count as a modification is a failure', async () => {
  const unnoticed = handling(on('records', 'update'), async (call, next) => {
    const record = call.site.store.get(Number(call.args.id));
    const before = record?.modified ?? 0;
    const shown = await next(call);
    if (record !== undefined) record.modified = before;
    return shown;
  });
  const results = await writingRun(ONLY, unnoticed);

  expect(idsWith(results, 'fail')).toEqual(ONLY);
  expect(results.get(ONLY[0] ?? '')?.message).toMatch(/^an update does not count as a modification/);
});

it('a list that does not show the records says nothing about their order', async () => {
  const hiding = handling('posts.list', async (call, next) => {
    const shown = await next(call);
    return call.args.orderby === 'modified' ? withList(shown, () => []) : shown;
  });

  expect(idsWith(await writingRun(ONLY, hiding), 'inconclusive')).toEqual(ONLY);
});
