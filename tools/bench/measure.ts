import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { member } from '../../client/json.ts';

export const MEGABYTE: number = 2 ** 20;

/** The full size of a benchmark, or with `--small` one of seconds, which shows that it runs and meets its limits. */
export function scaled<T>(whole: T, small: T): T {
  return process.argv.includes('--small') ? small : whole;
}

/** A number for a table, with two digits after the point. */
export function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

/** The reference deployment core in a process of its own, so that its cost does not count as the suite's. */
export async function serveCore(): Promise<Record<'url' | 'user' | 'password', string> & { close(): void }> {
  const child = fork(join(import.meta.dirname, 'serve-core.ts'));
  const [about]: unknown[] = await once(child, 'message');
  const named = (name: string): string => String(member(about, name));
  return {
    url: named('url'),
    user: named('user'),
    password: named('password'),
    close: () => child.disconnect(),
  };
}
