import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ModeViolation, type RunMode } from '../client/mode.ts';
import { TargetError } from '../client/target-error.ts';
import type { Check, Finding } from './check.ts';
import { Engine } from './engine.ts';
import { blocked, reportedBy } from './findings.ts';
import { type PlannedCheck, plan } from './plan.ts';
import { resultsOf, testCheck, testSession } from './session.fixture.ts';

const FAILURE: Finding = { kind: 'failure', message: 'no' };

function planned(
  checks: readonly Check[],
  only: readonly string[] = [],
  mode: RunMode = 'read',
): PlannedCheck[] {
  return plan(checks, { only, skip: [], mode, hasUser: false });
}

async function run(
  checks: readonly Check[],
  only: readonly string[] = [],
  options: ConstructorParameters<typeof Engine>[2] = {},
): Promise<Record<string, string>> {
  const plan = planned(checks, only);
  const results = await resultsOf(new Engine(testSession(), plan, options), plan);
  return Object.fromEntries(
    results.map(({ id, verdict, message }) => [id, [verdict, message].filter(Boolean).join(': ')]),
  );
}

describe('the order of a run', () => {
  it('is reads, then writes, then what may alter the site', async () => {
    const order: string[] = [];
    const note = (id: string) => (): Finding[] => {
      order.push(id);
      return [];
    };
    const checks = [
      testCheck('alters', note('alters'), { effect: 'alters-site' }),
      testCheck('invalid', note('invalid'), { effect: 'validates', operation: 'posts.create' }),
      testCheck('writes', note('writes'), { effect: 'writes' }),
      testCheck('reads', note('reads')),
    ];
    const plan = planned(checks, [], 'full');
    await resultsOf(new Engine(testSession(), plan), plan);

    expect(order).toEqual(['reads', 'invalid', 'writes', 'alters']);
  });

  it('puts late checks at the end of their phase, when all other answers are known', async () => {
    const order: string[] = [];
    const note = (id: string) => async (): Promise<Finding[]> => {
      await sleep(id === 'late' ? 0 : 20);
      order.push(id);
      return [];
    };
    const checks = [
      testCheck('late', note('late'), { kind: 'defaults' }),
      testCheck('first', note('first')),
      testCheck('writes', note('writes'), { effect: 'writes' }),
    ];
    const plan = planned(checks, [], 'full');
    await resultsOf(new Engine(testSession(), plan), plan);

    expect(order).toEqual(['first', 'late', 'writes']);
  });
});

describe('a check with a soft dependency on a plain read', () => {
  const READ = 'posts.list/answers/anonymous';

  it.each<[string, Check[], string]>([
    ['is skipped if that fails for the caller', [testCheck(READ, [FAILURE])], `skip: blocked by ${READ}`],
    [
      'is skipped if another check reports what that finds',
      [testCheck(READ, [reportedBy('root')]), testCheck('root', [FAILURE])],
      'skip: blocked by root',
    ],
    [
      'is skipped if that is, because it would fail as well',
      [testCheck(READ, [], { buildsOn: ['root'] }), testCheck('root', [FAILURE])],
      'skip: blocked by root',
    ],
    [
      'runs if that cannot run without another',
      [testCheck(READ, [], { dependsOn: ['root'] }), testCheck('root', [FAILURE])],
      'pass',
    ],
    [
      'runs if that is inconclusive because of another',
      [testCheck(READ, [blocked('root')]), testCheck('root', [FAILURE])],
      'pass',
    ],
    [
      'runs if that is inconclusive, or fails for another caller',
      [
        testCheck(READ, [{ kind: 'inconclusive', message: 'throttled' }]),
        testCheck('posts.list/answers/user', [FAILURE]),
      ],
      'pass',
    ],
  ])('%s', async (_what, reads, expected) => {
    const check = testCheck('b', [], { buildsOn: ['posts.list/answers/{caller}'] });

    expect(await run([check, ...reads])).toMatchObject({ b: expected });
  });
});

describe('a check that depends on another', () => {
  it('runs after it if that passes', async () => {
    const order: string[] = [];
    const note = (id: string) => async (): Promise<Finding[]> => {
      await sleep(1);
      order.push(id);
      return [];
    };
    const results = await run([
      testCheck('c', note('c'), { dependsOn: ['b'] }),
      testCheck('b', note('b'), { dependsOn: ['a'] }),
      testCheck('a', note('a')),
    ]);

    expect(results).toEqual({ a: 'pass', b: 'pass', c: 'pass' });
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['failure', 'fail'],
    ['warning', 'warn'],
    ['inconclusive', 'inconclusive'],
  ] as const)('is skipped if that ends with a %s, and does not run', async (kind, verdict) => {
    const results = await run([
      testCheck('a', [{ kind, message: 'so' }]),
      testCheck('b', () => expect.fail('ran'), { dependsOn: ['a'] }),
    ]);

    expect(results).toEqual({ a: `${verdict}: so`, b: 'skip: blocked by a' });
  });

  it('does not apply if that does not, however far away', async () => {
    const results = await run([
      testCheck('a', [{ kind: 'not-applicable', message: 'so' }]),
      testCheck('b', () => expect.fail('ran'), { dependsOn: ['a'] }),
      testCheck('c', () => expect.fail('ran'), { dependsOn: ['b'] }),
    ]);

    expect(results).toEqual({ a: 'skip: so', b: 'skip: so', c: 'skip: so' });
  });

  it('names the root cause that blocks it, however far away', async () => {
    const results = await run([
      testCheck('a', [FAILURE]),
      testCheck('b', [], { dependsOn: ['a'] }),
      testCheck('c', [], { dependsOn: ['b'] }),
      testCheck('d', [blocked('a')]),
      testCheck('e', [], { dependsOn: ['d'] }),
    ]);

    expect([results.b, results.c, results.d, results.e]).toEqual(Array(4).fill('skip: blocked by a'));
  });

  it('runs if that was not selected or planned, because it may be fine', async () => {
    const checks = [testCheck('a', [FAILURE]), testCheck('b', [FAILURE], { dependsOn: ['a', 'elsewhere'] })];

    expect(await run(checks, ['b'])).toEqual({ a: 'skip: not selected by --only', b: 'fail: no' });
  });

  it('is skipped if that needs another mode', async () => {
    const checks = [
      testCheck('a', [], { effect: 'writes' }),
      testCheck('b', [FAILURE], { dependsOn: ['a'] }),
    ];

    expect(await run(checks)).toEqual({ a: 'skip: needs mode write', b: 'skip: blocked by a' });
  });
});

it.each([
  ['an error', () => Promise.reject(new Error('our fault')), /^error: Error: our fault\n {4}at /],
  [
    'an error thrown at once',
    (): never => {
      throw new TypeError('our fault');
    },
    /^error: TypeError: our fault/,
  ],
  ['something that is no error', () => Promise.reject('our fault'), /^error: our fault$/],
  ['a forbidden request', () => Promise.reject(new ModeViolation('never')), /^error: ModeViolation: never/],
  ['a slow target', () => Promise.reject(new TargetError('timeout', 'slow')), /^error: TargetError: slow/],
])('a fault of the suite is reported as one: %s', async (_case, fails, expected) => {
  const results = await run([
    testCheck('a', fails),
    testCheck('b', [], { dependsOn: ['a'] }),
    testCheck('c'),
  ]);

  expect(results.a).toMatch(expected);
  expect(results.b).toBe('skip: blocked by a');
  expect(results.c).toBe('pass');
});

it('a target that is gone ends the run: results stay, and the rest is skipped with the reason', async () => {
  const session = testSession();
  const plan = planned([
    testCheck('a', [FAILURE]),
    testCheck('b', () => Promise.reject(new TargetError('gone', 'the target stopped answering: x'))),
    testCheck('c', () => expect.fail('ran')),
    testCheck('d', () => expect.fail('ran'), { dependsOn: ['b'] }),
  ]);
  const engine = new Engine(session, plan, { parallel: 1 });

  expect(engine.ended).toBeUndefined();
  expect((await resultsOf(engine, plan)).map(({ verdict, message }) => `${verdict}: ${message}`)).toEqual([
    'fail: no',
    'inconclusive: the target stopped answering: x',
    'skip: the target stopped answering: x',
    'skip: blocked by b',
  ]);
  expect(engine.ended).toBe('the target stopped answering: x');
});

describe('the engine', () => {
  it('runs each check once, in whatever order and however often it is requested', async () => {
    let runs = 0;
    const plan = planned([
      testCheck('a', () => {
        runs += 1;
        return [];
      }),
      testCheck('b', [], { dependsOn: ['a'] }),
    ]);
    const engine = new Engine(testSession(), plan);
    await Promise.all([...plan, ...plan.toReversed()].map((one) => engine.result(one)));
    await resultsOf(engine, plan);

    expect(runs).toBe(1);
  });

  it('returns each result once it is available, not at the end of the run', async () => {
    const hold = Promise.withResolvers<Finding[]>();
    const plan = planned([testCheck('a'), testCheck('b'), testCheck('last', () => hold.promise)]);
    const engine = new Engine(testSession(), plan, { parallel: 1 });
    const [a, b, last] = plan.map((one) => engine.result(one));

    expect((await a)?.verdict).toBe('pass');
    expect((await b)?.verdict).toBe('pass');
    hold.resolve([FAILURE]);
    expect((await last)?.verdict).toBe('fail');
  });

  it('keeps within the number of checks at once', async () => {
    let running = 0;
    let most = 0;
    const busy = async (): Promise<Finding[]> => {
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      return [];
    };
    await run(
      Array.from({ length: 20 }, (_, n) => testCheck(`c${n}`, busy)),
      [],
      { parallel: 3 },
    );

    expect(most).toBe(3);
  });

  it('starts no check after the budget is spent', async () => {
    const deadline = Date.now() + 1000;
    const slow = async (): Promise<Finding[]> => {
      await sleep(deadline + 10 - Date.now());
      return [];
    };
    const results = await run([testCheck('a', slow), testCheck('b')], [], { parallel: 1, deadline });

    expect(results.a).toBe('pass');
    expect(results.b).toMatch(/^skip: .*budget/);
  });

  it('keeps secrets out of results, wherever a check has them from', async () => {
    const text = 'it says hush-hush';
    const found: Finding = {
      kind: 'failure',
      message: text,
      expected: text,
      observed: text,
      reproduce: [text],
      replay: { a: 'plain', b: { c: text } },
      witnesses: {
        parameters: ['a'],
        kind: 'broken',
        shows: 'always',
        seed: 1,
        path: 'pairs:1',
        witnesses: 1,
        judged: 1,
      },
    };
    const plan = planned([testCheck('a', [found]), testCheck('b', () => Promise.reject(new Error(text)))]);
    const results = await resultsOf(
      new Engine(testSession({ user: 'admin', password: 'hush-hush' }), plan),
      plan,
    );

    expect(JSON.stringify(results)).not.toContain('hush-hush');
    expect(results[0]).toMatchObject({ message: 'it says [redacted]', reproduce: ['it says [redacted]'] });
    expect(results[0]?.replay?.sets).toMatchObject([
      { args: { a: 'plain', b: { c: 'it says [redacted]' } }, masked: true },
    ]);
  });
});

it('a check that the budget cuts off is inconclusive, and says why', async () => {
  const cut = (): never => {
    throw new TargetError('over-budget', 'the time for the run was over');
  };

  expect(await run([testCheck('a', cut), testCheck('b')])).toEqual({
    a: 'inconclusive: over budget',
    b: 'pass',
  });
});
