import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { closedAfter } from '../../client/server.fixture.ts';
import { proxiedSite, withJson } from '../../sites/proxied-site.fixture.ts';
import { forward, jsonOf } from '../../sites/proxy.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { outputOf } from '../spawn-main.fixture.ts';

const PROGRAM = join(import.meta.dirname, '..', 'site-conformance.js');

it('runs again what failed when a file changes, a line is entered or a signal comes, and ends at the next signal', {
  timeout: 90_000,
}, async () => {
  let isMended = false;
  const proxied = proxiedSite({ deployment: 'core' }, async (asked) => {
    const answer = await forward(asked);
    const isIndex = asked.url.searchParams.get('rest_route') === '/';
    if (isMended || !isIndex) return answer;
    return withJson(answer, { ...Object(jsonOf(answer.body)), description: 7 });
  });
  const site = await closedAfter(proxied);
  const folder = testFolder({ built: '1' });
  const file = join(folder, 'built');
  const args = ['run', '--target', site.url, '--deployment', 'core', '--only', 'index/**'];
  const watching = ['--watch', '--watch-file', file, '--out', join(folder, 'out')];
  const child = spawn(process.execPath, [PROGRAM, ...args, ...watching]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = outputOf(child);
  const shown = async (text: string, times = 1): Promise<void> => {
    while (output.stdout.split(text).length <= times) {
      if (child.exitCode !== null) throw new Error(`ended before it showed "${text}": ${output.stderr}`);
      await sleep(50);
    }
  };

  await shown('watching: ');
  isMended = true;
  writeFileSync(file, '2');
  await shown('since the last run: ');
  await shown(' checks (100 %) pass, 0 fail, 0 inconclusive, 0 blocked');
  const round = output.stdout.slice(output.stdout.indexOf('watching: ')).split('\n');
  expect(round).toContain('  + index/description/type');
  expect(round.length).toBeLessThan(10);

  child.stdin.write('\n');
  await shown('everything passes: ');
  child.kill('SIGUSR2');
  await shown('everything passes: ', 2);
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect((await exit)[0]).toBe(0);
});
