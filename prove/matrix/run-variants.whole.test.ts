import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

function variants(only: string): {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const args = ['--deployment', 'core', '--variants', '--only', only, '--workers', '2'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '../mutants.ts'), ...args],
    { encoding: 'utf8' },
  );
  return { code: status, stdout, stderr };
}

it('tells of each benign variant that processes share what was reported, and how many were run', () => {
  const { code, stdout } = variants('{reversed-members,reversed-lists}');

  expect(stdout.split('\n').toSorted()).toEqual([
    '',
    '2 benign variants, 0 reports',
    'reversed-lists: nothing reported',
    'reversed-members: nothing reported',
  ]);
  expect(code).toBe(0);
}, 120_000);

it('refuses a choice that no benign variant is in', () => {
  expect(variants('unheard-of')).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^none of the \d+ benign variants is selected\n$/),
  });
});
