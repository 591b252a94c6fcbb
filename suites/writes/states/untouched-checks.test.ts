import { assert, expect, it } from 'vitest';
import { foundBy } from '../../../engine/check.ts';
import { freshSession } from '../../../engine/session.ts';
import { setUpOwn, TAG } from '../../../probing/records/own/own.fixture.ts';
import { ownRecordsOf } from '../../../probing/records/own/own-check.ts';
import type { OwnRecords } from '../../../probing/records/own/own-records.ts';
import { listRecords } from '../../../sites/reference/read-records.ts';
import type { Handler } from '../../../sites/reference/site.ts';
import { untouchedChecks } from './untouched-checks.ts';

it('is not misled by a record that another check writes while the records are listed', async () => {
  let own: OwnRecords | undefined;
  const written: number[] = [];
  const list: Handler = async (call) => {
    const { include } = call.args;
    const [record] = own?.unwritten('posts') ?? [];
    if (record !== undefined && Array.isArray(include) && include.includes(record.id)) {
      written.push(record.id);
      await own?.update(record, { title: 'written meanwhile' });
    }
    return listRecords(call);
  };
  const { session, contract, path } = await setUpOwn({ handlers: { 'posts.list': list } });
  const running = freshSession({ ...session, journal: { path, tag: TAG } }, session.index);
  own = ownRecordsOf(running);
  const check = untouchedChecks(contract).find(({ id }) => id === 'states/posts/untouched');
  assert(check !== undefined);

  expect(await foundBy(check, running)).toEqual([]);
  expect(written).not.toEqual([]);
});
