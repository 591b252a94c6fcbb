import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { member } from '../../client/json.ts';

export const MEGABYTE: number = 2 ** 20;

/** Set by `--small`. */
export const SMALL_VARIABLE = 'BENCH_SMALL';

/** The full size of a benchmark, or one of seconds, which shows that it runs and meets its limits. */
export function scaled<T>(whole: T, small: T): T {
  return process.env[SMALL_VARIABLE] === '1' ? small : whole;
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
