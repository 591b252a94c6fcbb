import { describe, expect, it } from 'vitest';
import { together } from '../../../sites/alterations/alteration.ts';
import {
  handling,
  reading,
  showing,
  shownRecord,
  turningArgs,
  withObject,
  without,
} from '../../../sites/alterations/handling.ts';
import { VARIANTS } from '../../../sites/alterations/variants/site-variants.ts';
import { isObject, type Json, type JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import type { Alter, Call } from '../../../sites/reference/site.ts';
import { idsWith, recordRun, writingRun } from '../records.fixture.ts';

const BATCH = ['batch/**'];
const STATUS = 'not-a-status';

/** A site whose batch handler gets changed parts. */
function withParts(turn: (parts: JsonObject[]) => JsonObject[]): Alter {
  return turningArgs('batch.run', (args) => ({ ...args, requests: turn(partsOf(args)) }));
}

/** A site that refuses some batches as a whole. */
function refusing(isRefused: (call: Call) => boolean): Alter {
  return handling('batch.run', (call, next) => {
    if (isRefused(call)) throw new Refusal('rest_no', 'No.', 400);
    return next(call);
  });
}

/** A site that answers batches otherwise. */
function answering(more: { readonly status?: number; readonly body: Json }): Alter {
  return handling('batch.run', async (call, next) => ({ ...(await next(call)), ...more }));
}

function partsOf({ requests }: JsonObject): JsonObject[] {
  return Array.isArray(requests) ? requests.filter((one) => isObject(one)) : [];
}

const isUpdateOrDelete = ({ path }: JsonObject): boolean => /\/\d+(\?|$)/.test(String(path));

/** Validates arguments as usual, except the number of requests. */
const anyNumber = reading('batch.run', (given, read) => {
  const { requests } = given;
  if (!Array.isArray(requests) || requests.length <= 25) return read(given);
  return { ...read({ ...given, requests: requests.slice(0, 25) }), requests };
});

const withoutLast = reading('batch.run', (given, read) => {
  const { requests } = given;
  return read(Array.isArray(requests) ? { ...given, requests: requests.slice(0, 25) } : given);
});

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
const lateSearch = reading(
  () => true,
  (given, read) => read(/^sc-/.test(String(given.search)) ? { ...given, search: 'nothing' } : given),
);

const forcedByQuery = reading(
  ({ role }) => role === 'delete',
  (given, read, { request }) => read('force' in request.query ? given : { ...given, force: false }),
);

/** Mutants that the kill matrix does not have; those that do not hide each other share a site. */
const MUTANTS: readonly [what: string, mutant: Alter, failing: string[]][] = [
  [
    'takes any number of requests and no unknown members',
    together(
      anyNumber,
      refusing(({ args }) =>
        partsOf(args).some(({ body = null }) => isObject(body) && Object.hasOwn(body, 'x_sample')),
      ),
    ),
    ['batch/cap', 'batch/body'],
  ],
  [
    'cuts a batch at 25, and keeps to one method for a record',
    together(withoutLast, withParts(oneMethodEach)),
    ['batch/cap', 'batch/order'],
  ],
  [
    'carries out no DELETE beside a creation, and nothing under require-all-validate',
    together(
      withParts((parts) =>
        parts.filter(({ method }) => method !== 'DELETE' || parts.every(isUpdateOrDelete)),
      ),
      refusing(({ args }) => args.validation === 'require-all-validate'),
    ),
    ['batch/same/posts.delete', 'batch/require-all-validate'],
  ],
  [
    'loses one field of its updates, whatever their method',
    withParts((parts) =>
      parts.map((part) => (isUpdateOrDelete(part) ? withoutField(part, 'excerpt') : part)),
    ),
    ['batch/same/posts.update'],
  ],
  [
    'loses one field of all that it writes, be it valid or not',
    withParts((parts) => parts.map((part) => withoutField(part, 'date'))),
    ['batch/same/posts.create'],
  ],
];

function withoutField({ body, ...part }: JsonObject, name: string): JsonObject {
  return isObject(body) ? { ...part, body: without(body, name) } : { ...part, ...(body && { body }) };
}

/** Shows lists and members of records as they are stored in one answer, and turned round in the next. */
function shuffling(): Alter {
  let answers = 0;
  const turn = (value: Json | undefined): Json | undefined => {
    if (Array.isArray(value)) return value.toReversed();
    return isObject(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value;
  };
  return showing(['posts.read', 'posts.list', 'pages.read', 'pages.list'], (record) => {
    answers += 1;
    if (answers % 2 === 0) return record;
    const { categories, tags, meta } = record;
    const turned = Object.entries({ categories, tags, meta }).filter(([name]) => name in record);
    return { ...record, ...Object.fromEntries(turned.map(([name, value]) => [name, turn(value) ?? null])) };
  });
}

describe('the checks of batches', () => {
  it('read only those records by their ids of which no answer says that they are gone', async () => {
    let gone = 0;
    const counting = handling(['posts.read', 'pages.read'], async (call, next) => {
      try {
        return await next(call);
      } catch (refusal) {
        gone += 1;
        throw refusal;
      }
    });

    const results = await writingRun(['batch/same/pages.delete'], counting);

    expect(results.get('batch/same/pages.delete')?.verdict).toBe('pass');
    // One was deleted with `force` in the body alone, and one is another record of the same batch.
    expect(gone).toBe(2);
  });

  it.each<[string, Alter]>([
    ['says nothing of its parts', answering({ body: {} })],
    [
      'answers a plain list, and refuses an empty batch',
      together(
        answering({ status: 200, body: [] }),
        refusing(({ args }) => partsOf(args).length === 0),
      ),
    ],
    [
      'finds new records late, and reads the arguments of a deletion in the query alone',
      together(lateSearch, forcedByQuery),
    ],
    ['shows the terms and the members of a record in changing order', shuffling()],
  ])('pass on a site that %s', async (_what, harmless) => {
    const results = await writingRun(BATCH, harmless);

    expect(idsWith(results, 'pass')).toHaveLength(results.size);
  });

  it('report a deletion that a batch does not carry out, also where a search finds no records', async () => {
    const spared = withParts((parts) =>
      parts.map((part) => (part.method === 'DELETE' ? { ...part, method: 'POST', body: {} } : part)),
    );
    const results = await writingRun(['batch/method/DELETE'], together(spared, lateSearch));

    expect(results.get('batch/method/DELETE')).toMatchObject({ verdict: 'fail' });
  });

  it('report a method that a batch does not carry out once, and no switch that it does not turn on', async () => {
    const spared = withParts((parts) => parts.filter(({ method }) => method !== 'PUT'));
    const results = await writingRun(['batch/method/PUT', 'posts.update/sticky/others'], spared);

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual(['batch/method/PUT']);
  });

  it('leave nothing on a site that stores a status which no list shows, and wraps its answers otherwise', async () => {
    const hidden = new Set<number>();
    const hiding = together(
      reading('posts.create', (given, read) =>
        given.status === STATUS ? { ...read({ ...given, status: 'draft' }), status: STATUS } : read(given),
      ),
      handling('posts.create', async (call, next) => {
        const answer = await next(call);
        const record = call.args.status === STATUS ? shownRecord(answer, call) : undefined;
        if (record !== undefined) record.status = STATUS;
        if (record !== undefined) hidden.add(record.id);
        return answer;
      }),
      handling('posts.delete', async (call, next) => {
        const answer = await next(call);
        hidden.delete(Number(call.args.id));
        return answer;
      }),
      handling('batch.run', async (call, next) =>
        withObject(await next(call), ({ responses = [] }) => ({
          parts: partsOf({ requests: responses }).map(({ body }) => ({ payload: body ?? null })),
        })),
      ),
    );
    const results = await writingRun(['batch/normal'], hiding);

    expect(results.get('batch/normal')?.message).toBe('blocked by posts.create/status/enum/enforced');
    expect([...hidden]).toEqual([]);
  });

  it('compare a sequence on a site without a trash, which a deletion without force leaves as it is', async () => {
    const behaviour = VARIANTS.find(({ id }) => id === 'no-trash')?.behaviour;
    const results = await writingRun(['batch/sequence', 'batch/same/posts.delete'], behaviour);

    expect(idsWith(results, 'pass')).toEqual(['batch/same/posts.delete', 'batch/sequence']);
  });

  it('fail for no part that was throttled', async () => {
    const throttled: Json = { body: {}, status: 429, headers: {} };
    const batch = handling('batch.run', async (call, next) => {
      const parts = partsOf(call.args);
      if (parts.length < 3) return next(call);
      const shown = await next({ ...call, args: { ...call.args, requests: parts.slice(1) } });
      return withObject(shown, ({ responses = [] }) => ({ responses: [throttled, responses].flat() }));
    });
    const results = await writingRun(BATCH, batch);

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual([]);
    expect(results.get('batch/normal')?.message).toBe('a part of the batch was throttled');
  });

  it.each(MUTANTS)('fail on a site that %s', async (_what, mutant, failing) => {
    const results = await writingRun(BATCH, mutant);

    expect(idsWith(results, 'fail', 'warn', 'error').toSorted()).toEqual(failing.toSorted());
  });
});

describe('a batch that loses the bodies of its parts', () => {
  it('leaves empty drafts, which the clean-up names', async () => {
    const losing = handling('batch.run', async ({ args, site }) => {
      const responses = partsOf(args).map(() => {
        const { id } = site.store.add({ kind: 'posts', status: 'draft', author: 1, date: 0 });
        return { status: 201, headers: {}, body: { id, status: 'draft' } };
      });
      return { status: 207, headers: {}, body: { responses } };
    });
    const about = { behaviour: losing, batches: true, only: ['batch/one'] } as const;
    const { cleaned, difference } = await recordRun(about);
    const left = cleaned.left.map(({ id }) => id).sort();
    expect(left).toEqual(difference.flatMap(({ appeared }) => appeared).sort());
    expect(left).not.toEqual([]);
  });
});
