import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '../../client/client.ts';
import { member } from '../../client/json.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';

export const MEGABYTE: number = 2 ** 20;

/** Set by `--small`. */
export const SMALL_VARIABLE = 'BENCH_SMALL';

/** The full size of a benchmark, or one of seconds, which shows that it runs and meets its limits. */
export function scaled<T>(whole: T, small: T): T {
  return process.env[SMALL_VARIABLE] === '1' ? small : whole;
}

/** Rows as aligned lines, the first column to the left, the others to the right, with a final line feed. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}\n`)
    .join('');
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

/** A client that remembers its requests in order. */
export class RecordingClient extends Client {
  readonly sent: RequestSpec[] = [];

  override request(spec: RequestSpec, bytes?: number): Promise<Observation> {
    this.sent.push(spec);
    return super.request(spec, bytes);
  }
}
