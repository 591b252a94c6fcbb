import { expect, it } from 'vitest';
import { sameSnapshot } from './open-list.ts';
import { toRecords } from './record.ts';

it('takes records for unchanged whatever the order of their members, which a site may change in each answer', () => {
  const of = (...items: object[]) => ({ records: toRecords(items) });
  const one = { id: 1, title: { raw: 'a', rendered: 'b' }, tags: [1, 2] };
  const shuffled = { tags: [2, 1], title: { rendered: 'b', raw: 'a' }, id: 1 };

  expect(sameSnapshot(of(one), of(shuffled))).toBe(true);
  expect(sameSnapshot(of(one), of({ ...one, title: { raw: 'b', rendered: 'b' } }))).toBe(false);
  expect(sameSnapshot(of(one, { id: 2 }), of({ id: 2 }, one))).toBe(false);
});
