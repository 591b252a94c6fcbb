import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { ignoreBrokenPipes } from './output.ts';

it('ends quietly if nobody reads its output', () => {
  const program = `"${process.execPath}" "${join(import.meta.dirname, '..', 'main.ts')}"`;
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `${program} plan --deployment core | true; echo "\${PIPESTATUS[0]}"`],
    {
      encoding: 'utf8',
    },
  );

  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
});

it('does not hide other errors of a stream, and listens once', () => {
  const stream = new PassThrough();
  ignoreBrokenPipes([stream]);
  ignoreBrokenPipes([stream]);

  expect(stream.listenerCount('error')).toBe(1);
  expect(() => stream.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full');
  expect(() => stream.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }))).not.toThrow();
});
