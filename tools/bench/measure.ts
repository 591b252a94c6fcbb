import { join } from 'node:path';
import { endAll, type Ran, runWatched } from '../../prove/hostile/run-watched.ts';

export const MEGABYTE: number = 2 ** 20;
/** The arguments of Node for the command line, as `npm start` gives them. */
export const COMMAND: readonly string[] = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=20',
  join(import.meta.dirname, '../../cli/main.ts'),
];
const LONGEST_SECONDS = 3600;

/** What one process took: wall time in seconds, peak memory in bytes, and what it printed. */
export interface Measured {
  readonly seconds: number;
  readonly bytes: number;
  readonly stdout: string;
}

/** Runs Node in a fresh process, which ends with this one, and measures it with all that it starts. */
export async function runNode(args: readonly string[]): Promise<Ran> {
  const stop = (): void => {
    endAll();
    process.exit(130);
  };
  process.once('SIGINT', stop);
  try {
    return await runWatched({ file: process.execPath, args, env: process.env, limit: LONGEST_SECONDS });
  } finally {
    process.removeListener('SIGINT', stop);
  }
}

/**
 * Runs Node in a fresh process and measures it; of several runs the median by time.
 * @param args the arguments of Node
 * @param runs how often
 * @throws Error when a run ends with another exit code than 0
 */
export async function measure(args: readonly string[], runs: number): Promise<Measured> {
  const all: Measured[] = [];
  while (all.length < runs) {
    const { code, seconds, bytes, stdout, stderr } = await runNode(args);
    if (code !== 0) throw new Error(`node ${args.join(' ')} ended with exit code ${code}: ${stderr}`);
    all.push({ seconds, bytes, stdout: String(stdout) });
  }
  const median = all.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(all.length / 2)];
  if (median === undefined) throw new Error('nothing was measured');
  return median;
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
