import { describe, expect, it } from 'vitest';
import { TargetError } from '../../client/target-error.ts';
import { failure, inconclusive } from '../../engine/findings.ts';
import type { KeptSet } from '../../engine/fuzz-options.ts';
import { testSession } from '../../engine/session.fixture.ts';
import type { Session } from '../../engine/session.ts';
import type { Args } from '../../generators/wire-forms.ts';
import type { Evaluation, Property } from './fuzz-sets.ts';
import { search } from './search.ts';

const KEPT: KeptSet = { check: 'check', id: 'check#a:broken', args: { a: 'x', b: 1 }, shows: 'always' };
const FAILS: Evaluation = { end: 'other', kind: 'broken', finding: failure('it fails') };
const ACCEPTED: Evaluation = { end: 'accepted', kind: 'accepted' };
const REFUSED: Evaluation = { end: 'refused', kind: 'refused' };

function replaying(kept: KeptSet): Session {
  return { ...testSession(), fuzz: { examples: 0, kept: [kept], replay: true } };
}

/** A property with a sequence of results, of which the last one repeats; it keeps the evaluated sets. */
function answering(...answers: readonly (Evaluation | Error)[]): Property & { readonly seen: Args[] } {
  const seen: Args[] = [];
  return {
    seen,
    async evaluate(args) {
      seen.push(args);
      const answer = answers[Math.min(seen.length, answers.length) - 1] ?? ACCEPTED;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    simpler: () => [],
  };
}

async function replay(kept: KeptSet, property: Property): Promise<unknown> {
  const session = replaying(kept);
  const findings = await search({ session, check: 'check', free: [] }, [], property);
  const [replayed] = session.tried.get('check')?.replayed ?? [];
  return { ...replayed, findings: findings.map(({ kind }) => kind) };
}

describe('a replay', () => {
  it('evaluates exactly the kept set several times, and reproduces it', async () => {
    const property = answering(FAILS);

    expect(await replay(KEPT, property)).toEqual({
      id: 'check#a:broken',
      end: 'there',
      shown: 3,
      of: 3,
      findings: ['failure'],
    });
    expect(property.seen).toEqual([KEPT.args, KEPT.args, KEPT.args]);
  });

  it.each([
    ['accepted', ACCEPTED],
    ['refused, where the property honours that', REFUSED],
  ])('finds it gone when it is %s', async (_how, evaluated) => {
    expect(await replay(KEPT, answering(evaluated))).toMatchObject({ end: 'gone', shown: 0, findings: [] });
  });

  it('reproduces a violation that shows only sometimes, as unstable', async () => {
    expect(await replay(KEPT, answering(ACCEPTED, FAILS, ACCEPTED))).toMatchObject({
      end: 'there',
      shown: 1,
      of: 3,
      findings: ['inconclusive'],
    });
  });

  it.each<[string, KeptSet, Evaluation | Error]>([
    ['what it is compared with is refused', KEPT, { end: 'refused' }],
    ['it is denied', KEPT, { end: 'other', kind: 'denied' }],
    ['the property is inconclusive', KEPT, { end: 'other', finding: inconclusive('throttled') }],
    ['it was unstable before and does not show', { ...KEPT, shows: 'sometimes' }, ACCEPTED],
    ['the target is gone', KEPT, new TargetError('gone', 'the target has stopped answering')],
  ])('is inconclusive when %s', async (_why, kept, evaluated) => {
    expect(await replay(kept, answering(evaluated))).toMatchObject({
      end: 'untold',
      shown: 0,
      reason: expect.any(String),
      findings: ['inconclusive'],
    });
  });
});
