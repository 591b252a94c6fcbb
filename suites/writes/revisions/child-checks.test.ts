import { describe, expect, it } from 'vitest';
import { requireRecord } from '../../../sites/reference/calls.ts';
import type { JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import {
  createAutosave,
  listAutosaves,
  listRevisions,
  readRevision,
} from '../../../sites/reference/revisions.ts';
import { answer, type Handler } from '../../../sites/reference/site.ts';
import { REVISION } from '../../../sites/reference/store.ts';
import { healthy } from '../mutant-site.fixture.ts';
import { idsWith, type Mutant, writingRun } from '../writing.fixture.ts';

const CHILDREN = ['revisions/**', 'autosaves/**'];
const DENIED = ['revisions/posts/force', 'revisions/pages/force'];

/** What a handler answers, with each record of it changed. */
function changing(handler: Handler, turn: (record: JsonObject) => JsonObject): Handler {
  return async (call) => {
    const shown = await handler(call);
    const { body } = shown;
    return {
      ...shown,
      body: Array.isArray(body) ? body.map((one) => turn(asObject(one))) : turn(asObject(body)),
    };
  };
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deletes revisions, with or without force. */
const deleteAlways: Handler = (call) => {
  const revision = requireRecord(call, REVISION);
  call.site.store.remove(revision);
  return answer({ deleted: true });
};

/** Deletes no revision of anybody. */
const denyDeletion: Handler = () => {
  throw new Refusal('rest_cannot_delete', 'No.', 403);
};

/** Deletes with success, and leaves it. */
const deleteInWords: Handler = (call) => {
  if (call.args.force !== true) throw new Refusal('rest_trash_not_supported', 'No trash.', 501);
  return answer({ deleted: true });
};

/** An autosave that is written into the record itself. */
const saveIntoRecord: Handler = async (call) => {
  const saved = await createAutosave(call);
  await healthy('posts.update')(call);
  return saved;
};

const MUTANTS: readonly [what: string, mutant: Mutant, failing: string[]][] = [
  [
    'keeps no revisions',
    { handlers: { 'post-revisions.list': () => answer([]) } },
    ['revisions/posts/created'],
  ],
  [
    'prints ids of revisions as text',
    {
      handlers: {
        'page-revisions.read': changing(readRevision, (one) => ({ ...one, id: String(one.id) })),
      },
    },
    ['revisions/pages/ids'],
  ],
  [
    'names no parent',
    { handlers: { 'post-revisions.list': changing(listRevisions, ({ parent: _, ...one }) => one) } },
    ['revisions/posts/ids'],
  ],
  [
    'does not answer a revision alone',
    {
      handlers: {
        'post-revisions.read': () => {
          throw new Refusal('rest_no', 'No.', 404);
        },
      },
    },
    ['revisions/posts/ids'],
  ],
  [
    'deletes revisions without force',
    { handlers: { 'post-revisions.delete': deleteAlways } },
    ['revisions/posts/force'],
  ],
  [
    'keeps revisions that it deletes',
    { handlers: { 'page-revisions.delete': deleteInWords } },
    ['revisions/pages/force'],
  ],
  [
    'writes an autosave into the record',
    { handlers: { 'post-autosaves.create': saveIntoRecord } },
    ['autosaves/posts/apart'],
  ],
  ['lists no autosaves', { handlers: { 'page-autosaves.list': () => answer([]) } }, ['autosaves/pages/ids']],
  [
    'names another parent of an autosave',
    {
      handlers: { 'post-autosaves.list': changing(listAutosaves, (one) => ({ ...one, parent: 1 })) },
    },
    ['autosaves/posts/ids'],
  ],
  [
    'does not answer an autosave alone',
    {
      handlers: {
        'post-autosaves.read': () => {
          throw new Refusal('rest_no', 'No.', 404);
        },
      },
    },
    ['autosaves/posts/read'],
  ],
];

describe('the checks of revisions and autosaves', () => {
  it('pass on a site that does as it should', async () => {
    const results = await writingRun(CHILDREN);

    expect(idsWith(results, 'pass')).toHaveLength(results.size);
  });

  it('is inconclusive about the deletion of revisions alone where a site denies it', async () => {
    const handlers = { 'post-revisions.delete': denyDeletion, 'page-revisions.delete': denyDeletion };
    const results = await writingRun(CHILDREN, { handlers });

    expect(idsWith(results, 'inconclusive')).toEqual(DENIED);
    expect(idsWith(results, 'pass')).toHaveLength(results.size - DENIED.length);
  });

  it('is inconclusive where an autosave of a published record is denied', async () => {
    const deny: Handler = () => {
      throw new Refusal('rest_no', 'No.', 403);
    };
    const results = await writingRun(['autosaves/posts/**'], { handlers: { 'post-autosaves.create': deny } });

    expect(idsWith(results, 'inconclusive')).toHaveLength(3);
  });

  it.each(MUTANTS)('fail on a site that %s', async (_what, mutant, failing) => {
    const results = await writingRun(CHILDREN, mutant);

    expect(idsWith(results, 'fail', 'warn', 'error').toSorted()).toEqual(failing.toSorted());
  });

  it('is found to be shown below any record', async () => {
    const anywhere: Handler = (call) => {
      const parent = call.site.store.get(Number(call.args.id), REVISION)?.parent ?? 0;
      return readRevision({ ...call, args: { ...call.args, parent } });
    };
    const results = await writingRun(['revisions/*/ids/**'], {
      handlers: { 'post-revisions.read': anywhere },
    });

    expect(idsWith(results, 'fail')).toEqual(['revisions/posts/ids/parent']);
  });
});
