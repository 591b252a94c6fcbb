import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';

/** Parses the arguments of the program in a line like a shell. */
export function argumentsOf(line: string): string[] {
  expect(line).toMatch(/^npm (--prefix \S+ )?start -- /);
  const printed = execFileSync('bash', ['-c', `printf '%s\\n' ${line.replace(/^npm .*?start -- /, '')}`], {
    encoding: 'utf8',
  });
  return printed.trimEnd().split('\n');
}
