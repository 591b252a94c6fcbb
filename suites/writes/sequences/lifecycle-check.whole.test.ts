import { describe, expect, it } from 'vitest';
import { isObject, member } from '../../../client/json.ts';
import { together } from '../../../sites/alterations/alteration.ts';
import { handling, turningArgs, without } from '../../../sites/alterations/handling.ts';
import { recordOf } from '../../../sites/alterations/selecting.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { type Alter, answer } from '../../../sites/reference/site.ts';
import { idsWith, writingRun } from '../records.fixture.ts';

const SEQUENCES = ['lifecycle/**'];
const MOST_SEEDS = 6;

/** Answers that a record is deleted, but moves it to the trash. */
const trashAlways = handling('posts.delete', (call, next) =>
  recordOf(call, 'posts')?.status === 'trash'
    ? answer({ deleted: true })
    : next({ ...call, args: { ...call.args, force: false } }),
);

const MUTANTS: readonly [what: string, mutant: Alter, steps: RegExp][] = [
  [
    'does not store what an update writes',
    turningArgs('posts.update', (args) => without(args, 'title')),
    /create record 1 with [^;]+; update record 1 with [^;]+; list them$/,
  ],
  [
    'does not store what an update of a published record writes',
    turningArgs('posts.update', (args, call) =>
      recordOf(call, 'posts')?.status === 'publish' ? without(args, 'title') : args,
    ),
    /publish[^;]*;( list them;)? update record \d with [^;]+; list them$/,
  ],
  [
    'keeps in the trash what it deletes',
    trashAlways,
    /; (in one batch: )?delete record 1 with force; (list them|read record 1)$/,
  ],
];

describe('the checks of command sequences', () => {
  it('pass on a healthy site, and share requests: a batch sends the writes of several sequences', async () => {
    const { results, largest } = await countingBatches();

    expect(idsWith(results, 'pass')).toEqual(['lifecycle/posts', 'lifecycle/pages']);
    expect(largest).toBeGreaterThan(3);
  });

  it.each([
    ['refuses', 413],
    ['fails at', 500],
  ])('run each by itself on a site that %s a batch of several sequences', async (_, status) => {
    const { results, batches } = await countingBatches((parts) => parts > 3 && status);

    expect(idsWith(results, 'pass')).toEqual(['lifecycle/posts', 'lifecycle/pages']);
    // Batches within one sequence are still sent as batches.
    expect(batches).toBeGreaterThan(4);
  });

  it('are inconclusive on a site that only loses writes in batches of several sequences', async () => {
    const forgetting = handling('batch.run', (call, next) => {
      const requests: readonly unknown[] = Array.isArray(call.args.requests) ? call.args.requests : [];
      const turned = requests
        .filter(isObject)
        .map((part) =>
          requests.length > 3 && /\d$/.test(String(part.path)) && part.method !== 'DELETE'
            ? { ...part, body: {} }
            : part,
        );
      return next({ ...call, args: { ...call.args, requests: JSON.parse(JSON.stringify(turned)) } });
    });
    const results = await writingRun(['lifecycle/posts'], forgetting);

    expect(results.get('lifecycle/posts')).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringContaining('in batches with other sequences and not alone'),
    });
  });

  const drafting = handling(
    ({ id }) => id === 'posts.create' || id === 'posts.update',
    (call, next) => {
      if (call.args.status !== undefined && call.args.status !== 'draft')
        throw new Refusal('rest_cannot_publish', 'No.', 403);
      return next(call);
    },
  );

  it('pass where the user may not publish, in a batch or alone', async () => {
    const results = await writingRun(['lifecycle/posts'], drafting);

    expect(idsWith(results, 'pass')).toEqual(['lifecycle/posts']);
  });

  it('find for such a user what drafts do', async () => {
    const results = await firstFailing(together(drafting, trashAlways));

    expect(results.get('lifecycle/posts')?.message).toMatch(/delete record \d with force; (list|read)/);
  });

  it.each(MUTANTS)('find a site that %s, in the fewest steps that show it', async (_what, mutant, steps) => {
    const results = await firstFailing(mutant);
    const found = results.get('lifecycle/posts');

    expect(found?.verdict).toBe('fail');
    expect(found?.message).toMatch(steps);
    expect(found?.reproduce?.[0]).toMatch(/^curl .*-X POST/);
    expect(idsWith(results, 'pass')).toEqual(['lifecycle/pages']);
  });
});

/**
 * Runs the checks on a site that answers some batches with another status. @returns the results and the batches it ran
 */
async function countingBatches(statusOf: (parts: number) => number | false = () => false): Promise<{
  readonly results: Awaited<ReturnType<typeof writingRun>>;
  readonly batches: number;
  readonly largest: number;
}> {
  const sizes: number[] = [];
  const counting = handling('batch.run', (call, next) => {
    const requests: readonly unknown[] = Array.isArray(call.args.requests) ? call.args.requests : [];
    // The clean-up deletes many records in one batch.
    const parts = requests.filter((part) => member(part, 'method') !== 'DELETE').length;
    const status = statusOf(parts);
    if (status !== false) return answer({}, status);
    sizes.push(parts);
    return next(call);
  });
  const results = await writingRun(SEQUENCES, counting);
  return { results, batches: sizes.length, largest: Math.max(...sizes) };
}

/** Tries several seeds, because a run only has a few random sequences. */
async function firstFailing(mutant: Alter): Promise<Awaited<ReturnType<typeof writingRun>>> {
  for (let seed = 1; seed < MOST_SEEDS; seed += 1) {
    const results = await writingRun(SEQUENCES, mutant, seed);
    if (results.get('lifecycle/posts')?.verdict === 'fail') return results;
  }
  return writingRun(SEQUENCES, mutant, MOST_SEEDS);
}
