import { describe, expect, it } from 'vitest';
import type { Check } from './check.ts';
import { Engine } from './engine.ts';
import { failure } from './findings.ts';
import { plan } from './plan.ts';
import { reportOnce } from './report-once.ts';
import { testCheck, testSession } from './session.fixture.ts';

const failing = (id: string, more: Partial<Check> = {}): Check => testCheck(id, [failure('no')], more);

/** The results of checks by id: the verdict, and which check reports a failure or blocks. */
async function run(checks: readonly Check[], accepted: readonly string[] = []) {
  const session = { ...testSession(), isAccepted: (id: string) => accepted.includes(id) };
  const selection = { only: [], skip: [], mode: 'read', hasUser: false } as const;
  const results = await new Engine(session, plan(checks, selection)).all();
  return Object.fromEntries(results.map(({ id, verdict, skip }) => [id, skip ?? verdict]));
}

const same = (by: string) => ({ kind: 'blocked', by, same: true });

describe('a failure of several checks', () => {
  it('is reported by the first of them', async () => {
    const results = await run(reportOnce(['a', 'b', 'c'].map((id) => failing(id))));

    expect(results).toEqual({ a: 'fail', b: same('a'), c: same('a') });
  });

  it('is several ones if a check passes', async () => {
    const results = await run(reportOnce([...['a', 'b', 'c'].map((id) => failing(id)), testCheck('d')]));

    expect(results).toEqual({ a: 'fail', b: 'fail', c: 'fail', d: 'pass' });
  });

  it('is not left to a check that another cause blocks', async () => {
    const grouped = [failing('a', { buildsOn: ['root'] }), ...['b', 'c', 'd'].map((id) => failing(id))];
    const results = await run([...reportOnce(grouped), failing('root')]);

    expect(results).toEqual({
      a: { kind: 'blocked', by: 'root' },
      b: 'fail',
      c: same('b'),
      d: same('b'),
      root: 'fail',
    });
  });

  it('is not left to a check whose failure is waived or in the baseline', async () => {
    const results = await run(reportOnce(['a', 'b', 'c'].map((id) => failing(id))), ['a', 'b']);

    expect(results).toEqual({ a: 'fail', b: same('a'), c: 'fail' });
  });
});
