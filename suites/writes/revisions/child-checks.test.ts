import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../sites/reference/json.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { AUTOSAVE_ROLES, REVISION_ROLES } from '../../../sites/reference/revisions.ts';
import { answer, type Handler } from '../../../sites/reference/site.ts';
import { idsWith, type Mutant, writingRun } from '../writing.fixture.ts';

const CHILDREN = ['revisions/**', 'autosaves/**'];
const DENIED = ['revisions/posts/force', 'revisions/pages/force'];

/** The answer of a handler, with each record changed. */
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

/** Denies every deletion of a revision. */
const denyDeletion: Handler = () => {
  throw new Refusal('rest_cannot_delete', 'No.', 403);
};

const MUTANTS: readonly [what: string, mutant: Mutant, failing: string[]][] = [
  [
    'prints ids of revisions as text',
    {
      handlers: {
        'page-revisions.read': changing(REVISION_ROLES.read, (one) => ({ ...one, id: String(one.id) })),
      },
    },
    ['revisions/pages/ids'],
  ],
  [
    'names no parent',
    { handlers: { 'post-revisions.list': changing(REVISION_ROLES.list, ({ parent: _, ...one }) => one) } },
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
  ['lists no autosaves', { handlers: { 'page-autosaves.list': () => answer([]) } }, ['autosaves/pages/ids']],
  [
    'names another parent of an autosave',
    {
      handlers: { 'post-autosaves.list': changing(AUTOSAVE_ROLES.list, (one) => ({ ...one, parent: 1 })) },
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
  it('are only inconclusive about deletions of revisions if a site denies them', async () => {
    const handlers = { 'post-revisions.delete': denyDeletion, 'page-revisions.delete': denyDeletion };
    const results = await writingRun(CHILDREN, { handlers });

    expect(idsWith(results, 'inconclusive')).toEqual(DENIED);
    expect(idsWith(results, 'pass')).toHaveLength(results.size - DENIED.length);
  });

  it('are inconclusive if an autosave of a published record is denied', async () => {
    const deny: Handler = () => {
      throw new Refusal('rest_no', 'No.', 403);
    };
    const results = await writingRun(['autosaves/posts/**'], { handlers: { 'post-autosaves.create': deny } });

    expect(idsWith(results, 'inconclusive')).toHaveLength(3);
  });

  it.each(MUTANTS)('fail on a site that %s', async (_what, mutant, failing) => {
    const results = await writingRun([`${failing[0]?.split('/', 2).join('/')}/**`], mutant);

    expect(idsWith(results, 'fail', 'warn', 'error').toSorted()).toEqual(failing.toSorted());
  });
});
