import { assert, expect, it } from 'vitest';
import { isFinding } from '../../../engine/aborted.ts';
import { byMember, shows } from './member-rules.ts';
import { postsSite, wholeList } from './snapshot.fixture.ts';

it('tries a filter on records that are all alike with their value, and with a stated one that none has', async () => {
  const records = [2, 1].map((id) => ({ id, json: { id, format: 'aside' } }));
  const snapshot = wholeList(records);

  const trials = await byMember('format', { what: 'format', values: shows('format') }).rule(
    snapshot,
    postsSite(),
  );

  assert(!isFinding(trials));
  const [all, none] = trials;
  expect([all?.requests, none?.requests]).toEqual([[{ format: ['aside'] }], [{ format: ['standard'] }]]);
  expect(all?.evaluate([records], snapshot)).toBeUndefined();
  expect(none?.evaluate([[]], snapshot)).toBeUndefined();
  expect(all?.evaluate([[]], snapshot)?.message).toContain('leaves out records that match');
  expect(none?.evaluate([records], snapshot)?.message).toContain('returns records that do not match');
});
