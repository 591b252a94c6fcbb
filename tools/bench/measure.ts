import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PRELOAD: string = join(import.meta.dirname, 'report-usage.ts');

/** What one process took: wall time in seconds, peak memory in bytes, and what it printed. */
export interface Measured {
  readonly seconds: number;
  readonly bytes: number;
  readonly stdout: string;
}

/**
 * Runs Node in a fresh process and measures it; of several runs the median by time.
 * @param args the arguments of Node
 * @param runs how often
 * @throws Error when a run ends with another exit code than 0
 */
export async function measure(args: readonly string[], runs: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-bench-'));
  const usage = join(folder, 'usage');
  try {
    const all: Measured[] = [];
    while (all.length < runs) {
      const begun = performance.now();
      const { stdout } = await promisify(execFile)(process.execPath, ['--import', PRELOAD, ...args], {
        env: { ...process.env, BENCH_USAGE: usage },
        maxBuffer: 100_000_000,
      });
      const seconds = (performance.now() - begun) / 1000;
      all.push({ seconds, bytes: Number(readFileSync(usage, 'utf8')), stdout });
    }
    const median = all.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(all.length / 2)];
    if (median === undefined) throw new Error('nothing was measured');
    return median;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Set by `--small`. */
export const SMALL_VARIABLE = 'BENCH_SMALL';

/** One of two sizes of a benchmark: the whole one, or one of seconds, which shows that it runs and that its bounds hold. */
export function scaled<T>(whole: T, small: T): T {
  return process.env[SMALL_VARIABLE] === '1' ? small : whole;
}

/** Rows as lines with columns that line up: the first to the left, the others to the right. Ends with a line feed. */
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
