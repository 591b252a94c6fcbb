import { describe, expect, it } from 'vitest';
import type { SiteIndex } from '../client/site-index.ts';
import type { Check, Finding } from './check.ts';
import { Engine } from './engine.ts';
import { blocked } from './findings.ts';
import { plan } from './plan.ts';
import type { CheckResult } from './result.ts';
import { resultsOf, testCheck, testSession } from './session.fixture.ts';
import { fixture, type Session } from './session.ts';

const FAILURE: Finding = { kind: 'failure', message: 'no', expected: 'yes', observed: 'no' };

function reread(document: unknown = { namespaces: [], routes: {} }): () => Promise<SiteIndex> {
  const { index } = testSession({ document });
  return async () => index;
}

function turns(id: string, found: readonly (readonly Finding[])[], more: Partial<Check> = {}): Check {
  let time = 0;
  return testCheck(id, () => found[Math.min(time++, found.length - 1)] ?? [], more);
}

async function run(
  checks: readonly Check[],
  { knownFailures = [], ...options }: ConstructorParameters<typeof Engine>[2] = {},
): Promise<Record<string, CheckResult>> {
  const planned = plan(checks, { only: [], skip: [], mode: 'full', hasUser: true });
  const engine = new Engine(testSession(), planned, { knownFailures, rereadIndex: reread(), ...options });
  return Object.fromEntries((await resultsOf(engine, planned)).map((result) => [result.id, result]));
}

describe('a check that fails and did not fail in the baseline', () => {
  it('is retried twice, and fails if it fails every time', async () => {
    let asked = 0;
    const { a } = await run([
      testCheck('a', () => {
        asked += 1;
        return [FAILURE];
      }),
    ]);

    expect(asked).toBe(3);
    expect(a).toMatchObject({ verdict: 'fail', message: 'no' });
    expect(a).not.toHaveProperty('unstable');
  });

  it('is the current activity during its retries only', async () => {
    const seen: (string | undefined)[] = [];
    const failing = testCheck('a', () => {
      seen.push(engine.activity);
      return [FAILURE];
    });
    const planned = plan([failing], { only: [], skip: [], mode: 'full', hasUser: true });
    const engine: Engine = new Engine(testSession(), planned, { knownFailures: [], rereadIndex: reread() });
    await resultsOf(engine, planned);

    expect([...seen, engine.activity]).toEqual([undefined, 'again', 'again', undefined]);
  });

  it('is unstable if a retry passes, and keeps the details of its failure', async () => {
    const { a } = await run([turns('a', [[FAILURE], [], [FAILURE]])]);

    expect(a).toMatchObject({
      verdict: 'inconclusive',
      unstable: { failed: 2, asked: 3 },
      message: 'unstable: it failed 2 of 3 times that it was asked; when it did: no',
      expected: 'yes',
      observed: 'no',
    });
  });

  it('is retried with a fresh memory and a fresh index', async () => {
    const seen: unknown[] = [];
    let computed = 0;
    const compute = fixture('key', async () => (computed += 1));
    const ask = async (session: Session): Promise<Finding[]> => {
      seen.push([await compute(session), session.index.document]);
      return [FAILURE];
    };
    await run([testCheck('a', ask), testCheck('b', ask)], {
      rereadIndex: reread({ namespaces: ['x'], routes: {} }),
    });

    const [before, after] = [
      { namespaces: [], routes: {} },
      { namespaces: ['x'], routes: {} },
    ];
    expect(seen).toEqual([
      [1, before],
      [1, before],
      [2, after],
      [2, after],
      [3, after],
      [3, after],
    ]);
  });

  it('is retried alone, after the other checks of its phase and before writes', async () => {
    const order: string[] = [];
    let under = 0;
    const failing = (id: string): Check =>
      testCheck(id, async () => {
        under += 1;
        order.push(`${id} of ${under}`);
        await new Promise((resolve) => setImmediate(resolve));
        under -= 1;
        return [FAILURE];
      });
    const writing = testCheck(
      'w',
      () => {
        order.push('w');
        return [];
      },
      { effect: 'writes' },
    );
    await run([failing('a'), failing('b'), writing]);

    expect(order).toEqual(['a of 1', 'b of 2', 'a of 1', 'b of 1', 'a of 1', 'b of 1', 'w']);
  });

  it('stays a failure if it cannot be retried, and says why', async () => {
    const fails = async (): Promise<SiteIndex> => {
      throw new Error('no index any more');
    };
    const { a } = await run([turns('a', [[FAILURE]])], { rereadIndex: fails });

    expect(a).toMatchObject({ verdict: 'fail', message: 'no (not retried: no index any more)' });
  });

  it('is an error if the suite itself fails in a retry', async () => {
    let time = 0;
    const { a } = await run([
      testCheck('a', () => {
        time += 1;
        if (time > 1) throw new Error('ours');
        return [FAILURE];
      }),
    ]);

    expect(a).toMatchObject({ verdict: 'error' });
  });
});

it('a check that failed in the baseline is not retried', async () => {
  const { a } = await run([turns('a', [[FAILURE], []])], { knownFailures: ['a'] });

  expect(a).toMatchObject({ verdict: 'fail', message: 'no' });
});

it('without a baseline nothing is retried', async () => {
  const planned = plan([turns('a', [[FAILURE], []])], { only: [], skip: [], mode: 'read', hasUser: false });

  expect(await resultsOf(new Engine(testSession(), planned), planned)).toMatchObject([{ verdict: 'fail' }]);
});

describe('a check that an unstable one blocks', () => {
  it('runs if the last retry passed', async () => {
    const results = await run([
      turns('a', [[FAILURE], []]),
      turns('b', [[]], { dependsOn: ['a'] }),
      turns('c', [[FAILURE], []], { dependsOn: ['b'] }),
      turns('d', [[blocked('a')], []]),
    ]);

    expect(results).toMatchObject({
      a: { unstable: { failed: 1, asked: 3 } },
      b: { verdict: 'pass' },
      c: { unstable: { failed: 1, asked: 3 } },
      d: { verdict: 'pass' },
    });
  });

  it('runs even if it was evaluated after it', async () => {
    const results = await run([
      turns('d', [[blocked('a')], []]),
      turns('e', [[blocked('f')], []]),
      turns('a', [[FAILURE], []]),
      turns('f', [[]]),
    ]);

    expect(results).toMatchObject({
      a: { unstable: { failed: 1, asked: 3 } },
      d: { verdict: 'pass' },
      e: { verdict: 'pass' },
    });
  });

  it('stays blocked by a check of a later phase', async () => {
    const { d } = await run([
      turns('d', [[blocked('w')], []]),
      turns('w', [[FAILURE]], { effect: 'writes' }),
    ]);

    expect(d).toMatchObject({ verdict: 'skip', message: 'blocked by w' });
  });

  it('stays blocked, and says so, if the last retry failed', async () => {
    const { b } = await run([turns('a', [[FAILURE], [], [FAILURE]]), turns('b', [[]], { dependsOn: ['a'] })]);

    expect(b).toMatchObject({
      verdict: 'skip',
      skip: { kind: 'blocked', by: 'a' },
      message: 'blocked by a, which is unstable',
    });
  });

  it('stays blocked by a failure that persists', async () => {
    const { b } = await run([turns('a', [[FAILURE]]), turns('b', [[]], { dependsOn: ['a'] })]);

    expect(b).toMatchObject({ verdict: 'skip', message: 'blocked by a' });
  });

  it('is evaluated with the latest answers in later phases', async () => {
    let answer = 'wrong';
    const remembered = fixture('answer', async () => answer);
    const evaluate = async (session: Session): Promise<Finding[]> =>
      (await remembered(session)) === 'wrong' ? [FAILURE] : [];
    const results = await run([
      testCheck('a', async (session) => {
        const found = await evaluate(session);
        answer = 'right';
        return found;
      }),
      testCheck('w', evaluate, { effect: 'writes' }),
    ]);

    expect(results).toMatchObject({ a: { unstable: { failed: 1, asked: 3 } }, w: { verdict: 'pass' } });
  });
});

it('the notes of a run for its reports are kept in one place, before and after answers are forgotten', async () => {
  const seen = new Set<unknown>();
  await run([
    testCheck('a', (session) => {
      seen.add(session.fields);
      return [FAILURE];
    }),
  ]);

  expect(seen.size).toBe(1);
});

it('a search with findings is retried for exactly its findings', async () => {
  const kept: unknown[] = [];
  const witnesses = {
    parameters: ['page'],
    kind: 'refused',
    shows: 'always' as const,
    seed: 1,
    path: 'pairs:1',
    witnesses: 1,
    judged: 2,
  };
  await run([
    testCheck('a', (session) => {
      kept.push(session.fuzz.replay === true ? session.fuzz.kept : undefined);
      return [{ ...FAILURE, replay: { page: 1 }, witnesses }];
    }),
  ]);

  const set = { check: 'a', args: { page: 1 }, shows: 'always', id: expect.any(String) };
  expect(kept).toEqual([undefined, [set], [set]]);
});
