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
