import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';

/** The arguments of the program in a line, as a shell reads them. */
export function argumentsOf(line: string): string[] {
  expect(line).toMatch(/^npm (--prefix \S+ )?start -- /);
  const printed = execFileSync('bash', ['-c', `printf '%s\\n' ${line.replace(/^npm .*?start -- /, '')}`], {
    encoding: 'utf8',
  });
  return printed.trimEnd().split('\n');
}
