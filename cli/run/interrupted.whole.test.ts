import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Census } from '../../client/ownership.ts';
import { closedAfter, testClient } from '../../client/server.fixture.ts';
import { takeCensus } from '../../probing/records/clean-up/census.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import { answer, type Behaviour, type Handler } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { smallDeployment } from '../../specs/small-deployment.fixture.ts';
import { spawnMain } from '../spawn-main.fixture.ts';
import { tryMain, tryMainAs } from '../try-main.fixture.ts';

const FEW = ['states/posts/trash', 'batch/one'];
const folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
const deployment = smallDeployment(afterAll);
const contract = loadContract({ deployment, vocabulary: 'neutral' });
let site: Served;

beforeAll(async () => {
  site = await serve({ deployment });
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

function census(): Promise<Census> {
  const { url, user, password } = site;
  return takeCensus(testClient(url, { user, password }), contract);
}

function start(args: string[]): { child: ChildProcess; ended: Promise<{ code: number; text: string }> } {
  const { child, ended } = spawnMain(args, { SITE_CONFORMANCE_PASSWORD: site.password });
  return { child, ended: ended.then(({ code, stdout, stderr }) => ({ code, text: stdout + stderr })) };
}

/** @param only default: enough checks to interrupt a run among them */
function runArgs(out: string, only = ['states/**', 'posts.create/**', 'batch/**']): string[] {
  const about = ['--target', site.url, '--deployment', deployment, '--user', site.user, '--mode', 'write'];
  return ['run', ...about, '--only', ...only, '--out', out];
}

function clean(
  id: string | undefined,
  out: string,
  password: string = site.password,
): ReturnType<typeof tryMain> {
  const which = id === undefined ? [] : ['--run', id];
  return tryMainAs({ password }, 'clean', ...which, '--out', out);
}

async function untilWriting(before: Census): Promise<void> {
  for (let turn = 0; turn < 600; turn += 1) {
    await sleep(25);
    if (JSON.stringify(await census()) !== JSON.stringify(before)) return;
  }
  throw new Error('the run never wrote');
}

describe('a run that writes', () => {
  it('is cleaned up after a kill, and clean is safe to repeat', async () => {
    const before = await census();
    const out = join(folder, 'killed');
    const run = start(runArgs(out));
    await untilWriting(before);
    run.child.kill('SIGKILL');
    await run.ended;
    const [journal] = readdirSync(join(out, 'journals'));
    const id = journal?.replace('.ndjson', '') ?? '';
    const left = expect.stringMatching(
      new RegExp(
        `run ${id} left up to \\d+ records? on http.* \\(\\d+ \\w+.*\\); to remove them: .* clean --run ${id} --out `,
      ),
    );
    const reading = start([...runArgs(out, ['index/**']), '--mode', 'read']);
    expect(await reading.ended).toMatchObject({ code: 0, text: left });
    for (const command of [
      ['report', out],
      ['diff', out, out],
    ]) {
      expect((await tryMain(...command)).lines).toContainEqual(left);
    }
    expect(await clean(undefined, out, 'wrong password')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(
        /^nothing is removed from .* does not accept the user "\w+" and the password.*\n$/,
      ),
    });
    expect(await clean(undefined, out)).toMatchObject({ code: 0 });
    expect(await census()).toEqual(before);
    expect(await clean(undefined, out)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('holds nothing that a run left behind'),
    });
    const again = await clean(id, out);
    expect(again.code).toBe(2);
    expect(again.lines.join()).toContain('nothing is left of any run');
  }, 60_000);

  it('removes leftovers of an earlier run before it begins, and leaves nothing at a normal end', async () => {
    const before = await census();
    const out = join(folder, 'next');
    const first = start(runArgs(out));
    await untilWriting(before);
    // Later than the other kill, so that the journal may have more entries.
    await sleep(100);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = start(runArgs(out, FEW));
    const { code, text } = await second.ended;
    expect(code, text).toBe(0);
    expect(text).toMatch(/removed \d+ records? that run [\w-]+ had left/);
    expect(text).toMatch(/records? written with the tag sc-[\w-]+, all removed/);
    expect(readdirSync(join(out, 'journals'))).toEqual([]);
    expect(await census()).toEqual(before);
  }, 60_000);

  it('cleans up at the first interruption, which npm may pass on a second time, and says so', async () => {
    const before = await census();
    const run = start(runArgs(join(folder, 'twice')));
    await untilWriting(before);
    run.child.kill('SIGINT');
    await sleep(20);
    run.child.kill('SIGINT');
    const { code, text } = await run.ended;
    expect(code, text).toBe(3);
    expect(text).toContain('interrupted');
    expect(text).not.toContain('left at once');
    expect(await census()).toEqual(before);
  }, 60_000);

  it('exits at once at a second interruption, and reports what remains and how to remove it', async () => {
    const healthy = site;
    onTestFinished(() => {
      site = healthy;
    });
    site = await closedAfter(serve({ deployment, behaviour: slowly(STANDARD_BEHAVIOUR) }));
    const before = await census();
    const out = join(folder, 'left');
    const run = start(runArgs(out));
    await untilWriting(before);
    // A busy process hears signals late, and two that arrive together count as one.
    const again = setInterval(() => run.child.kill('SIGINT'), 700);
    onTestFinished(() => clearInterval(again));
    run.child.kill('SIGINT');
    const { code, text } = await run.ended;
    expect(code, text).toBe(3);
    const [, id = ''] = /left at once: .* clean --run ([\w-]+)/.exec(text) ?? [];
    expect(await clean(id, out)).toMatchObject({ code: 0 });
    expect(await census()).toEqual(before);
  }, 60_000);
});

/** Slow deletions, so that the clean-up is still running at the second interruption. */
function slowly({ handlers, roles }: Behaviour): Partial<Behaviour> {
  const late = (handler: Handler | undefined): Handler => {
    return async (call) => {
      await sleep(1500);
      return handler?.(call) ?? answer({}, 500);
    };
  };
  const records = { ...roles.records, delete: late(roles.records.delete) };
  const uploads = { ...roles.uploads, delete: late(roles.uploads.delete) };
  return {
    handlers: { ...handlers, 'batch.run': late(handlers['batch.run']) },
    roles: { ...roles, records, uploads },
  };
}
