import { expect, it } from 'vitest';
import { tryMain } from '../try-main.fixture.ts';

it.each([
  ['an address without a scheme', ['--target', 'me:s3cret4711@host.example']],
  ['an address of another scheme', ['--target', 'ftp://me:s3cret4711@host.example']],
  ['an address that is none', ['--target=http://me:s3cret4711@[']],
  ['an address in place of a command', ['me:s3cret4711@host.example']],
  ['a header of another form', ['--target', 'http://127.0.0.1:9', '--header', 's3cret4711 and more']],
  ['a header that is not sent', ['--target', 'http://127.0.0.1:9', '--header', 'Content-Type: s3cret4711']],
  ['a header after an equals sign', ['--target', 'x', '--header=X-Gate: s3cret4711', '--only', 's3cret4711']],
  ['an option that does not exist', ['--password', 's3cret4711', '--header', 'X-A: s3cret4711']],
])('shows no secret of a wrong command line: %s', async (_case, args) => {
  const { code, lines, stdout } = await tryMain('run', ...args);

  expect(code).toBe(2);
  expect(lines.join('\n') + stdout).not.toContain('s3cret4711');
  expect(lines).not.toEqual([]);
});
