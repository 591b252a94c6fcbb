import { expect, it } from 'vitest';
import { isFinding } from '../../../engine/aborted.ts';
import type { Records } from '../../../probing/records/reading/trials.ts';
import { byMoment } from './moment-rules.ts';
import { postsSite, wholeList } from './snapshot.fixture.ts';

const record = (id: number, date: string, modified: string) => ({
  id,
  json: { id, date: `${date}T08:00:00`, modified: `${modified}T08:00:00` },
});

/** @param at the trial: of bounds in the time of the site, or of one instant with two offsets */
async function spansOf(records: Records, at: 0 | 1 = 0): Promise<unknown[]> {
  const sides = [byMoment('', 'date', 'after'), byMoment('', 'date', 'before')];
  const trials = await Promise.all(sides.map(({ rule }) => rule(wholeList(records), postsSite())));
  return trials.map((some) => (isFinding(some) ? some : some[at]?.requests[0]));
}

const OTHERS = [
  record(2, '2024-02-01', '2024-03-20'),
  record(3, '2024-03-01', '2024-03-01'),
  record(4, '2024-04-01', '2024-04-01'),
  record(5, '2024-05-01', '2024-05-01'),
];
const SINCE_JANUARY = { after: '2024-01-01T08:00:01', before: '2024-02-01T08:00:01' };

it('shares two moments between both bounds, if they show for both which date is read', async () => {
  const spans = await spansOf([record(1, '2024-01-01', '2024-02-20'), ...OTHERS]);

  expect(spans).toEqual([SINCE_JANUARY, SINCE_JANUARY]);
});

it('chooses moments for each bound, if none show for both which date is read', async () => {
  const spans = await spansOf([record(1, '2024-01-01', '2024-01-01'), ...OTHERS]);

  expect(spans).toEqual([{ after: '2024-02-01T08:00:01', before: '2024-03-01T08:00:01' }, SINCE_JANUARY]);
});

it('shares the bounds with offsets in any case', async () => {
  const [after, before] = await spansOf([record(1, '2024-01-01', '2024-01-01'), ...OTHERS], 1);

  expect(after).toEqual({ after: expect.any(String), before: expect.any(String) });
  expect(before).toEqual(after);
});

it('leaves out records whose date is no day of a calendar', () => {
  const { predicted } = byMoment('', 'date', 'after');
  const dateless = record(1, '0000-00-00', '2024-01-01');

  expect(predicted.values([dateless, ...OTHERS])).toEqual(predicted.values(OTHERS));
  expect(predicted.keeps('2024-03-10T00:00:00')?.(dateless)).toBeUndefined();
});
