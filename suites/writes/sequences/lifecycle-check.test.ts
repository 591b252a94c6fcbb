import { describe, expect, it } from 'vitest';
import { isObject, member } from '../../../client/json.ts';
import { runBatch } from '../../../sites/reference/dispatch.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { answer, type Call, type Handler } from '../../../sites/reference/site.ts';
import { createRecord, deleteRecord, updateRecord } from '../../../sites/reference/write-record.ts';
import { idsWith, type Mutant, writingRun } from '../writing.fixture.ts';

const SEQUENCES = ['lifecycle/**'];
const MOST_SEEDS = 6;

/** A call without one of its arguments. */
function without(call: Call, name: string): Call {
  const { [name]: _, ...args } = call.args;
  return { ...call, args };
}

/** Answers that a record is deleted, but moves it to the trash. */
const trashAlways: Handler = (call) => {
  const record = call.site.store.get(Number(call.args.id), 'posts');
  return record?.status === 'trash'
    ? answer({ deleted: true })
    : deleteRecord({ ...call, args: { ...call.args, force: false } });
};

const MUTANTS: readonly [what: string, mutant: Mutant, steps: RegExp][] = [
  [
    'does not store what an update writes',
    { handlers: { 'posts.update': (call) => updateRecord(without(call, 'title')) } },
    /create record 1 with [^;]+; update record 1 with [^;]+; list them$/,
  ],
  [
    'does not store what an update of a published record writes',
    {
      handlers: {
        'posts.update': (call) => {
          const record = call.site.store.get(Number(call.args.id), 'posts');
          return updateRecord(record?.status === 'publish' ? without(call, 'title') : call);
        },
      },
    },
    /publish[^;]*;( list them;)? update record \d with [^;]+; list them$/,
  ],
  [
    'keeps in the trash what it deletes',
    { handlers: { 'posts.delete': trashAlways } },
    /; (in one batch: )?delete record 1 with force; (list them|read record 1)$/,
  ],
];

describe('the checks of command sequences', () => {
  it('pass on a healthy site', async () => {
    const results = await writingRun(SEQUENCES);

    expect(idsWith(results, 'pass')).toEqual(['lifecycle/posts', 'lifecycle/pages']);
  });

  it('pass on a site without a trash', async () => {
    const noTrash: Handler = (call) => {
      if (call.args.force !== true) throw new Refusal('rest_trash_not_supported', 'No trash.', 501);
      return deleteRecord(call);
    };
    const handlers = { 'posts.delete': noTrash, 'pages.delete': noTrash };
    const results = await writingRun(SEQUENCES, { handlers });

    expect(idsWith(results, 'pass')).toEqual(['lifecycle/posts', 'lifecycle/pages']);
  });

  it('leave open which slug a record has that comes back from the trash', async () => {
    const keepsIt: Handler = async (call) => {
      const record = call.site.store.get(Number(call.args.id));
      const slug = record?.status === 'trash' ? record.slug : undefined;
      const shown = await updateRecord(call);
      if (record !== undefined && slug !== undefined) record.slug = slug;
      return shown;
    };
    for (let seed = 1; seed < MOST_SEEDS; seed += 1) {
      const results = await writingRun(['lifecycle/posts'], { handlers: { 'posts.update': keepsIt } }, seed);
      expect(idsWith(results, 'pass')).toEqual(['lifecycle/posts']);
    }
  });

  it('share requests: a batch sends the writes of several sequences', async () => {
    const { largest } = await countingBatches();

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
    const forgetting: Handler = (call) => {
      const requests: readonly unknown[] = Array.isArray(call.args.requests) ? call.args.requests : [];
      const turned = requests
        .filter(isObject)
        .map((part) =>
          requests.length > 3 && /\d$/.test(String(part.path)) && part.method !== 'DELETE'
            ? { ...part, body: {} }
            : part,
        );
      return runBatch({ ...call, args: { ...call.args, requests: JSON.parse(JSON.stringify(turned)) } });
    };
    const results = await writingRun(['lifecycle/posts'], { handlers: { 'batch.run': forgetting } });

    expect(results.get('lifecycle/posts')).toMatchObject({
      verdict: 'inconclusive',
      message: expect.stringContaining('in batches with other sequences and not alone'),
    });
  });

  it('are inconclusive about batches if the user may not publish, in a batch or alone', async () => {
    const contributing: Handler = (call) => {
      if (call.args.status !== 'draft') throw new Refusal('rest_cannot_publish', 'No.', 403);
      return createRecord(call);
    };
    for (let seed = 1; seed < MOST_SEEDS; seed += 1) {
      const results = await writingRun(
        ['lifecycle/posts'],
        { handlers: { 'posts.create': contributing } },
        seed,
      );
      expect(idsWith(results, 'fail', 'error')).toEqual([]);
    }
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
  const counting: Handler = (call) => {
    const requests: readonly unknown[] = Array.isArray(call.args.requests) ? call.args.requests : [];
    // The clean-up deletes many records in one batch.
    const parts = requests.filter((part) => member(part, 'method') !== 'DELETE').length;
    const status = statusOf(parts);
    if (status !== false) return answer({}, status);
    sizes.push(parts);
    return runBatch(call);
  };
  const results = await writingRun(SEQUENCES, { handlers: { 'batch.run': counting } });
  return { results, batches: sizes.length, largest: Math.max(...sizes) };
}

/** Tries several seeds, because a run only has a few random sequences. */
async function firstFailing(mutant: Mutant): Promise<Awaited<ReturnType<typeof writingRun>>> {
  for (let seed = 1; seed < MOST_SEEDS; seed += 1) {
    const results = await writingRun(SEQUENCES, mutant, seed);
    if (results.get('lifecycle/posts')?.verdict === 'fail') return results;
  }
  return writingRun(SEQUENCES, mutant, MOST_SEEDS);
}
