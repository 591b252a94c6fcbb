import { expect, it } from 'vitest';
import { type Ran, runWatched } from './run-watched.ts';

function run(script: string, limit = 30): Promise<Ran> {
  return runWatched({ file: process.execPath, args: ['-e', script], env: { PATH: '' }, limit });
}

it('reports the exit code and what was printed', async () => {
  const ran = await run('console.log("out"); console.error("err"); process.exitCode = 7');

  expect({ ...ran, stdout: String(ran.stdout), stderr: String(ran.stderr) }).toMatchObject({
    code: 7,
    stdout: 'out\n',
    stderr: 'err\n',
    survivors: 0,
  });
});

it('sees memory that was held for a moment only', async () => {
  const ran = await run(`
    Buffer.alloc(400_000_000, 1);
    require('node:v8').setFlagsFromString('--expose-gc');
    require('node:vm').runInNewContext('gc')();
    setTimeout(() => {}, 500);
  `);

  expect(ran.bytes).toBeGreaterThan(300_000_000);
});

it('adds up the memory of all processes', async () => {
  const hold = 'const held = Buffer.alloc(150_000_000, 1);';
  const inner = JSON.stringify(`${hold} setTimeout(() => held.length, 500)`);
  const ran = await run(
    `${hold} require('node:child_process').spawn(process.execPath, ['-e', ${inner}]).on('exit', () => held.length)`,
  );

  expect(ran.bytes).toBeGreaterThan(300_000_000);
});

it('ends by force what takes longer than it may', async () => {
  const ran = await run('setInterval(() => {}, 1000)', 0.5);

  expect(ran.code).toBeUndefined();
  expect(ran.survivors).toBe(0);
});

it('counts and ends processes that outlive the first', async () => {
  const script = `
    const child = require('node:child_process').spawn(
      process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    child.unref();
    console.log(process.pid);
  `;
  const ran = await run(script);

  expect(ran.survivors).toBe(1);
});
