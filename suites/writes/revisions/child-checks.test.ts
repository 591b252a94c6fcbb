import { describe, expect, it } from 'vitest';
import { handling } from '../../../sites/alterations/handling.ts';
import { Refusal } from '../../../sites/reference/request.ts';
import { type Alter, answer } from '../../../sites/reference/site.ts';
import { idsWith, writingRun } from '../records.fixture.ts';

const CHILDREN = ['revisions/**', 'autosaves/**'];
const DENIED = ['revisions/posts/force', 'revisions/pages/force'];

/** A site that refuses calls of some operations. */
function refusing(which: string | readonly string[], status: number): Alter {
  return handling(which, () => {
    throw new Refusal('rest_no', 'No.', status);
  });
}

const MUTANTS: readonly [what: string, mutant: Alter, failing: string][] = [
  ['does not answer a revision alone', refusing('post-revisions.read', 404), 'revisions/posts/ids'],
  ['lists no autosaves', handling('page-autosaves.list', () => answer([])), 'autosaves/pages/ids'],
  ['does not answer an autosave alone', refusing('post-autosaves.read', 404), 'autosaves/posts/read'],
];

describe('the checks of revisions and autosaves', () => {
  it('are only inconclusive about deletions of revisions if a site denies them', async () => {
    const denying = refusing(['post-revisions.delete', 'page-revisions.delete'], 403);
    const results = await writingRun(CHILDREN, denying);

    expect(idsWith(results, 'inconclusive')).toEqual(DENIED);
    expect(idsWith(results, 'pass')).toHaveLength(results.size - DENIED.length);
  });

  it('are inconclusive if an autosave of a published record is denied', async () => {
    const results = await writingRun(['autosaves/posts/**'], refusing('post-autosaves.create', 403));

    expect(idsWith(results, 'inconclusive')).toHaveLength(3);
  });

  it.each(MUTANTS)('fail on a site that %s', async (_what, mutant, failing) => {
    const results = await writingRun([`${failing.split('/', 2).join('/')}/**`], mutant);

    expect(idsWith(results, 'fail', 'warn', 'error')).toEqual([failing]);
  });
});
