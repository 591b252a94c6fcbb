import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../sites/reference/arguments.ts';
import { runBatch } from '../../../sites/reference/dispatch.ts';
import type { Json, JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { type Asked, type Call, type Handler, Text } from '../../../sites/reference/site.ts';
import { createRecord, deleteRecord } from '../../../sites/reference/write-record.ts';
import { idsWith, type Mutant, writingRun } from '../writing.fixture.ts';

const BATCH = ['batch/**'];
const STATUS = 'not-a-status';

/** A site whose batch handler gets changed arguments. */
function withArgs(turn: (args: JsonObject, call: Call) => JsonObject): Mutant {
  return { handlers: { 'batch.run': (call) => runBatch({ ...call, args: turn(call.args, call) }) } };
}

/** A site whose batch handler gets changed parts. */
function withParts(turn: (parts: JsonObject[]) => JsonObject[]): Mutant {
  return withArgs((args) => ({ ...args, requests: turn(partsOf(args)) }));
}

/** A site that refuses a whole batch for one wrong part. */
function refusing(isWrong: (part: JsonObject) => boolean): Mutant {
  return inFront((call) => {
    if (partsOf(call.args).some(isWrong)) throw new Refusal('rest_no', 'No.', 400);
  });
}

/** A site that does something before it runs a batch. */
function inFront(first: (call: Call) => void): Mutant {
  const batch: Handler = (call) => {
    first(call);
    return runBatch(call);
  };
  return { handlers: { 'batch.run': batch } };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function partsOf({ requests }: JsonObject): JsonObject[] {
  return Array.isArray(requests) ? requests.filter(isObject) : [];
}

const isUpdateOrDelete = ({ path }: JsonObject): boolean => /\/\d+$/.test(String(path));

/** Validates arguments as usual, except the number of requests. */
const anyNumber: typeof readArguments = (parameters, given) => {
  const { requests } = given;
  if (!Array.isArray(requests) || requests.length <= 25) return readArguments(parameters, given);
  return { ...readArguments(parameters, { ...given, requests: requests.slice(0, 25) }), requests };
};

const withoutLast: typeof readArguments = (parameters, given) => {
  const { requests } = given;
  return readArguments(
    parameters,
    Array.isArray(requests) ? { ...given, requests: requests.slice(0, 25) } : given,
  );
};

/** Drops the first part on each path whose method differs from the one before. */
function oneMethodEach(parts: JsonObject[]): JsonObject[] {
  const methods = new Map<Json | undefined, Json | undefined>();
  return parts.filter(({ path, method }) => {
    if (String(path).endsWith('posts') || String(path).endsWith('pages')) return true;
    const known = methods.get(path) ?? method;
    methods.set(path, known);
    return known === method || method === 'DELETE';
  });
}

/** A site whose search does not find new records yet. */
const lateSearch: typeof readArguments = (parameters, given) =>
  readArguments(parameters, /^sc-/.test(String(given.search)) ? { ...given, search: 'nothing' } : given);

/** Mutants that the kill matrix does not have. */
const MUTANTS: readonly [what: string, mutant: Mutant, failing: string[]][] = [
  ['takes any number of requests', { readArguments: anyNumber }, ['batch/cap']],
  ['cuts a batch at 25', { readArguments: withoutLast }, ['batch/cap']],
  [
    'takes no unknown members',
    refusing(({ body }) => isObject(body) && Object.hasOwn(body, 'x_sample')),
    ['batch/body'],
  ],
  [
    'carries out no DELETE beside a creation',
    withParts((parts) => parts.filter(({ method }) => method !== 'DELETE' || parts.every(isUpdateOrDelete))),
    ['batch/same/posts.delete', 'batch/same/pages.delete'],
  ],
  [
    'carries out nothing under require-all-validate',
    inFront(({ args }) => {
      if (args.validation === 'require-all-validate') throw new Refusal('rest_no', 'No.', 400);
    }),
    ['batch/require-all-validate'],
  ],
  ['keeps to one method for a record', withParts(oneMethodEach), ['batch/sequence']],
];

describe('the checks of batches', () => {
  it.each<[string, Mutant]>([
    [
      'says nothing of its parts',
      { handlers: { 'batch.run': async (call) => ({ ...(await runBatch(call)), body: {} }) } },
    ],
    [
      'answers a plain list',
      { handlers: { 'batch.run': async (call) => ({ ...(await runBatch(call)), status: 200, body: [] }) } },
    ],
    [
      'refuses an empty batch',
      inFront(({ args }) => {
        if (partsOf(args).length === 0) throw new Refusal('rest_no', 'No.', 400);
      }),
    ],
    ['finds new records late', { readArguments: lateSearch }],
  ])('pass on a site that %s', async (_what, harmless) => {
    const results = await writingRun(BATCH, harmless);

    expect(idsWith(results, 'pass')).toHaveLength(results.size);
  });

  it('report a deletion that a batch does not carry out, also where a search finds no records', async () => {
    const spared = withParts((parts) =>
      parts.map((part) => (part.method === 'DELETE' ? { ...part, method: 'POST', body: {} } : part)),
    );
    const results = await writingRun(['batch/method/DELETE'], { ...spared, readArguments: lateSearch });

    expect(results.get('batch/method/DELETE')).toMatchObject({ verdict: 'fail' });
  });

  it('report a method that a batch does not carry out once, and no switch that it does not turn on', async () => {
    const spared = withParts((parts) => parts.filter(({ method }) => method !== 'PUT'));
    const results = await writingRun(['batch/method/PUT', 'posts.update/sticky/others'], spared);

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['batch/method/PUT']);
  });

  it('leave nothing on a site that stores a status which no list shows, and wraps its answers otherwise', async () => {
    const hidden = new Set<number>();
    const results = await writingRun(['batch/normal'], {
      readArguments: (parameters, given, { operation }: Asked) => {
        if (operation.id !== 'posts.create' || given.status !== STATUS)
          return readArguments(parameters, given);
        return { ...readArguments(parameters, { ...given, status: 'draft' }), status: STATUS };
      },
      handlers: {
        'posts.create': async (call) => {
          const answer = await createRecord(call);
          const { id } = answer.body instanceof Text || !isObject(answer.body) ? {} : answer.body;
          const record = call.args.status === STATUS ? call.site.store.get(Number(id)) : undefined;
          if (record !== undefined) record.status = STATUS;
          if (record !== undefined) hidden.add(record.id);
          return answer;
        },
        'posts.delete': async (call) => {
          const answer = await deleteRecord(call);
          hidden.delete(Number(call.args.id));
          return answer;
        },
        'batch.run': async (call) => {
          const answer = await runBatch(call);
          const { responses } = answer.body instanceof Text || !isObject(answer.body) ? {} : answer.body;
          const parts = Array.isArray(responses) ? responses.filter(isObject) : [];
          return { ...answer, body: { parts: parts.map(({ body }) => ({ payload: body ?? null })) } };
        },
      },
    });

    expect(results.get('batch/normal')?.message).toBe('blocked by posts.create/status/enum/enforced');
    expect([...hidden]).toEqual([]);
  });

  it('fail for no part that was throttled', async () => {
    const throttled: Json = { body: {}, status: 429, headers: {} };
    const batch: Handler = async (call) => {
      const parts = partsOf(call.args);
      if (parts.length < 3) return runBatch(call);
      const shown = await runBatch({ ...call, args: { ...call.args, requests: parts.slice(1) } });
      const { responses } = shown.body instanceof Text || !isObject(shown.body) ? {} : shown.body;
      return { ...shown, body: { responses: [throttled, ...(Array.isArray(responses) ? responses : [])] } };
    };
    const results = await writingRun(BATCH, { handlers: { 'batch.run': batch } });

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual([]);
    expect(results.get('batch/normal')?.message).toBe('a part of the batch was throttled');
  });

  it.each(MUTANTS)('fail on a site that %s', async (_what, mutant, failing) => {
    const results = await writingRun(BATCH, mutant);

    expect(idsWith(results, 'fail', 'warn', 'error').toSorted()).toEqual(failing.toSorted());
  });
});
