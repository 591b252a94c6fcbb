import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { closedAfter, type TestServer, testServer } from '../../client/server.fixture.ts';
import type { Fleet } from '../../compare/fleet/document.ts';
import type { TargetShare } from '../../compare/fleet/tally.ts';
import type { RunResult } from '../../engine/result.ts';
import { serveMutant } from '../../sites/alterations/catalogue.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { readValidated } from '../../specs/validators.ts';
import { type Spawned, spawnMain } from '../spawn-main.fixture.ts';
import { startPool } from './pool.ts';
import type { FleetJob } from './share.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-conformance-fleet-'));
const deployment = smallDeployment(afterAll);
/** Enough writing checks to interrupt a run among them. */
const WRITING = ['states/**', 'posts.create/**', 'batch/**'];

afterAll(() => rmSync(folder, { recursive: true }));

function site(mutant?: string): Promise<Served> {
  return closedAfter(
    mutant === undefined ? serve({ deployment: 'core' }) : serveMutant({ deployment: 'core', mutant }),
  );
}

function small(): Promise<Served> {
  return closedAfter(serve({ deployment }));
}

function hangingServer(): Promise<TestServer> {
  return testServer(() => undefined);
}

function start(name: string, config: unknown, args: readonly string[] = [], env = {}): Spawned {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  return spawnMain(['run', '--all-targets', '--config', file, '--out', join(folder, name), ...args], env);
}

function fleetOf(name: string): Fleet {
  return readValidated<Fleet>(join(folder, name, 'fleet.json'), 'fleet.schema.json');
}

function resultOf(...path: string[]): RunResult {
  return readValidated<RunResult>(join(folder, ...path, 'results.json'), 'result.schema.json');
}

/** What two runs of the same target have in common: everything except times, ids of runs and addresses of records. */
function comparable({ conclusion, reason, counts, checks }: RunResult): unknown {
  return {
    conclusion,
    reason,
    counts,
    checks: checks.map(({ seconds: _, reproduce, observed: __, ...check }) => ({
      ...check,
      reproduce: reproduce?.length,
    })),
  };
}

it('reports a fleet of which three are ill, one is slow, one is down and one has no password', async () => {
  const slow = await hangingServer();
  const healthy = await site();
  const ill = ['index/name/present~dropped', 'index/home/type~another', 'index/name/present~dropped'];
  const targets = {
    healthy: { url: healthy.url },
    ...Object.fromEntries(
      await Promise.all(ill.map(async (mutant, at) => [`ill-${at}`, { url: (await site(mutant)).url }])),
    ),
    slow: { url: slow.url, budget: 3 },
    down: { url: 'http://127.0.0.1:9' },
    locked: { url: healthy.url, user: 'admin', passwordFrom: 'NO_SUCH_PASSWORD' },
  };
  const config = { deployment: 'core', only: ['index/**'], targets };
  const { code, stdout, stderr } = await start('fleet', config, ['--parallel', '2']).ended;
  const fleet = fleetOf('fleet');
  const codes = Object.fromEntries(fleet.targets.map(({ name, exitCode }) => [name, exitCode]));
  const reasons = Object.fromEntries(fleet.targets.map(({ name, reason }) => [name, reason]));

  expect(code).toBe(1);
  expect(codes).toMatchObject({
    healthy: 0,
    'ill-0': 1,
    'ill-1': 1,
    'ill-2': 1,
    slow: 3,
    down: 3,
    locked: 2,
  });
  expect(fleet.checks).toMatchObject([
    { id: 'index/name/present', fail: 2, targets: expect.arrayContaining(['ill-0', 'ill-2']) },
    { id: 'index/home/type', fail: 1, targets: ['ill-1'] },
  ]);
  expect(stdout).toMatch(/2 of 7 {3}index\/name\/present/);
  expect(reasons).toMatchObject({
    slow: expect.stringContaining('the time for the run was over'),
    down: expect.stringContaining('nothing listens there'),
    locked: expect.stringContaining('NO_SUCH_PASSWORD'),
  });
  for (const name of ['slow', 'down', 'locked']) {
    expect(resultOf('fleet', name).reason).toBe(reasons[name]);
  }
  // One line on standard error for the whole fleet; the output of each run is in its folder.
  expect(stderr.trim().split('\n').at(-1)).toBe('7/7 targets, 3 failing, 3 not evaluated');
  expect(stderr).not.toContain('checks');
  expect(readFileSync(join(folder, 'fleet', 'ill-1', 'terminal.txt'), 'utf8')).toContain('NOT CONFORMANT');
}, 120_000);

it('finds on each target what a run of that target alone finds, each with its own password', async () => {
  const [one, other] = [await small(), await small()];
  const env = { ONE_PASSWORD: one.password, OTHER_PASSWORD: other.editor.password };
  const config = {
    deployment,
    mode: 'write',
    seed: 7,
    examples: 3,
    only: ['states/posts/trash', 'posts.list/{search,status,fuzz}/**'],
    targets: {
      one: { url: one.url, user: one.user, passwordFrom: 'ONE_PASSWORD' },
      other: { url: other.url, user: other.editor.user, passwordFrom: 'OTHER_PASSWORD' },
    },
  };
  const { code } = await start('same', config, ['--parallel', '1'], env).ended;
  const args = ['--config', join(folder, 'same.json'), '--target', 'one', '--out', join(folder, 'alone')];
  const alone = await spawnMain(['run', ...args], env).ended;

  expect({ code, alone: alone.code }).toEqual({ code: 0, alone: 0 });
  expect(comparable(resultOf('same', 'one'))).toEqual(comparable(resultOf('alone')));
  expect(resultOf('same', 'other').writing).toMatchObject({ left: [], doubts: [] });
  expect(resultOf('same', 'other').counts.pass).toBeGreaterThan(0);
  const written = readdirSync(join(folder, 'same'), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, 'same', path))
    .filter((path) => existsSync(path) && /\.\w+$/.test(path));
  const texts = written.map((path) => readFileSync(path, 'utf8')).join('\n');
  expect(texts).not.toContain(one.password);
  expect(texts).not.toContain(other.editor.password);
}, 120_000);

it('ends all targets with their clean-up at the first interruption', async () => {
  const sites = [await small(), await small(), await small()];
  const targets = Object.fromEntries(
    sites.map(({ url, user }, at) => [`site-${at}`, { url, user, passwordFrom: 'ALL_PASSWORDS' }]),
  );
  const config = { deployment, mode: 'write', only: WRITING, targets };
  const env = { ALL_PASSWORDS: sites[0]?.password ?? '' };
  // Slow enough that none has ended before.
  const run = start('stopped', config, ['--parallel', '2', '--rate', '20'], env);
  for (let turn = 0; turn < 600 && !existsSync(join(folder, 'stopped/site-0/journals')); turn += 1)
    await sleep(25);
  run.child.kill('SIGINT');
  const { code, stdout } = await run.ended;
  const fleet = fleetOf('stopped');

  expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining('interrupted') });
  expect(fleet).toMatchObject({ run: { ended: 'interrupted' }, counts: { targets: 3, inconclusive: 3 } });
  for (const { name } of fleet.targets) {
    expect(resultOf('stopped', name).writing?.left ?? []).toEqual([]);
    const journals = join(folder, 'stopped', name, 'journals');
    expect(existsSync(journals) ? readdirSync(journals) : []).toEqual([]);
  }
}, 60_000);

it.runIf(existsSync('/proc/self/task'))(
  'loses no other target with the process of one',
  async () => {
    const hanging = await hangingServer();
    const healthy = await site();
    const targets = { a: { url: hanging.url }, b: { url: healthy.url }, c: { url: healthy.url } };
    const run = start('killed', { only: ['index/**'], targets }, ['--parallel', '1']);
    while (hanging.seen.length === 0) await sleep(20);
    const { pid } = run.child;
    const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    process.kill(Number(child), 'SIGKILL');
    const { code } = await run.ended;

    expect(code).toBe(4);
    expect(fleetOf('killed').targets.map(({ name, exitCode }) => [name, exitCode])).toEqual([
      ['a', 4],
      ['b', 0],
      ['c', 0],
    ]);
    expect(resultOf('killed', 'a').reason).toContain('its process ended (SIGKILL)');
  },
  60_000,
);

it('shows which site is worse than in an earlier run, and fails for what is new alone', async () => {
  const ill = await site('index/home/type~another');
  const changing = await serve({ deployment: 'core' });
  const { port } = changing;
  const targets = { ill: { url: ill.url }, changing: { url: changing.url } };
  const config = { only: ['index/**'], targets };
  const before = await start('monday', { only: ['index/**'], targets: { ...targets } }).ended;
  await changing.close();
  await closedAfter(serveMutant({ deployment: 'core', mutant: 'index/name/present~dropped', port }));
  const withNew = { ...config, targets: { ...targets, fresh: { url: (await site()).url } } };
  const after = await start('tuesday', withNew, ['--baseline', join(folder, 'monday')]).ended;
  const fleet = fleetOf('tuesday');

  expect({ before: before.code, after: after.code }).toEqual({ before: 1, after: 1 });
  expect(fleet.targets).toMatchObject([
    { name: 'changing', exitCode: 1, baseline: { new: 1, still: 0, worst: ['index/name/present'] } },
    { name: 'ill', exitCode: 0, baseline: { new: 0, still: 1 } },
    { name: 'fresh', exitCode: 0 },
  ]);
  expect(fleet.counts).toMatchObject({ compared: 2, worse: 1 });
  expect(fleet.notes).toEqual([expect.stringContaining('no baseline for fresh')]);
  expect(fleet.checks[0]).toMatchObject({ id: 'index/name/present', new: 1, targets: ['changing'] });
  expect(after.stdout).toContain('1 target worse than the baseline');
}, 120_000);

it('ends a process that hangs, and reports which target it was', async () => {
  const hanging = await hangingServer();
  const shares: TargetShare[] = [];
  const job = { ...jobOf('hanging', hanging.url), limit: 2 };
  await startPool([job], { parallel: 1, begins: () => undefined, ended: (share) => shares.push(share) }).done;

  expect(shares).toMatchObject([{ target: { name: 'hanging', exitCode: 4 } }]);
  expect(resultOf('hanging').reason).toContain('its process hung for 2 seconds');
}, 60_000);

it('interrupts a run whose process has received it and does not listen yet', async () => {
  const { url } = await site();
  // Loaded before the run listens to signals.
  const module = join(folder, 'interrupting.mjs');
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 100));';
  const reporter = "export default { file: 'none.txt', render: () => '' };";
  writeFileSync(module, `process.kill(process.pid, 'SIGINT');\n${wait}\n${reporter}\n`);
  const shares: TargetShare[] = [];
  const early = { ...jobOf('early', url), settings: { only: ['index/**'], reporter: [module] } };
  await startPool([early], { parallel: 1, begins: () => undefined, ended: (share) => shares.push(share) })
    .done;

  expect(shares).toMatchObject([{ target: { name: 'early', exitCode: 3, conclusion: 'inconclusive' } }]);
  expect(resultOf('early').reason).toBe('interrupted before it began');
}, 60_000);

function jobOf(name: string, url: string): FleetJob {
  return {
    name,
    folder: join(folder, name),
    settings: { only: ['index/**'] },
    file: { targets: { [name]: { url } } },
    about: { mode: 'read', target: { url, deployment: 'core', vocabulary: 'neutral' } },
    limit: undefined,
  };
}
