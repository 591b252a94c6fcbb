import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../engine/check.ts';
import { failure, inconclusive } from '../../../engine/findings.ts';
import { testSession } from '../../../engine/session.fixture.ts';
import { confirmed, replaySequences } from './lifecycle-checks.ts';

const STEPS = { steps: [{ kind: 'trash', pick: 0 }, { kind: 'list' }] };
const FAILED: Finding = { ...failure('a record is gone'), replay: STEPS };

/** Fails in the given turns. */
function failingIn(...turns: number[]): () => Promise<Finding | undefined> {
  let turn = 0;
  return async () => {
    turn += 1;
    return turns.includes(turn) ? FAILED : undefined;
  };
}

describe('a sequence that failed', () => {
  it('is a failure if it fails each time', async () => {
    expect(await confirmed(testSession(), FAILED, failingIn(1, 2), 'sequences')).toMatchObject({
      kind: 'failure',
      witnesses: { parameters: ['trash'], kind: 'sequence', shows: 'always' },
    });
  });

  it('is unstable, and no failure, if it only fails sometimes', async () => {
    expect(await confirmed(testSession(), FAILED, failingIn(2), 'sequences')).toMatchObject({
      kind: 'inconclusive',
      message: 'unstable: a record is gone, but only 2 of 3 times',
      replay: STEPS,
      witnesses: { shows: 'sometimes' },
    });
  });

  it('is not called unstable if it cannot be repeated', async () => {
    const full = async (): Promise<Finding> => inconclusive('nothing more is written');
    expect(await confirmed(testSession(), FAILED, full, 'sequences')).toMatchObject({
      kind: 'inconclusive',
      message: 'a record is gone, and not repeated: nothing more is written',
    });
  });

  it.each([
    ['there', failingIn(1, 2, 3), ['failure']],
    ['gone', failingIn(), []],
  ] as const)('is %s in a replay, which runs exactly its steps', async (end, run, kinds) => {
    const session = testSession();
    const kept = [{ check: 'lifecycle/posts', args: STEPS }];
    const findings = await replaySequences(session, 'lifecycle/posts', kept, run);

    expect(findings.map(({ kind }) => kind)).toEqual(kinds);
    expect(session.tried.get('lifecycle/posts')?.replayed).toMatchObject([
      { id: 'lifecycle/posts#trash:sequence', end },
    ]);
  });
});
