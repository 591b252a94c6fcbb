import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import cliProgress from 'cli-progress';
import { readExceptions } from './exceptions.ts';
import { kill } from './kill.ts';
import { isClean, toMatrix } from './matrix.ts';
import type { MutantOutcome } from './outcome.ts';
import { renderMatrix } from './render-matrix.ts';
import { shareWork, tellOutcome } from './share-work.ts';

/** A run of the kill matrix. */
export interface MatrixRun {
  readonly ids: readonly string[];
  /** Ids of the checks of which each must be failed by one of them; none where they are but some of the mutants. */
  readonly checks: readonly string[];
  /** How many processes share the mutants. */
  readonly workers: number;
  /** The folder for the matrix. */
  readonly out: string;
  /** The command line, which the workers get as well. */
  readonly args: readonly string[];
}

/**
 * Runs the checks against a site with each mutant, shared among processes, and writes `matrix.json` and `matrix.txt`.
 * @returns the exit code: 1 when the matrix shows anything that is not excepted with a reason
 */
export async function runMatrix({ ids, checks, workers, out, args }: MatrixRun): Promise<number> {
  const exceptions = readExceptions();
  const started = performance.now();
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: '[{bar}] {value} of {total} mutants, {open} not killed',
    clearOnComplete: true,
    noTTYOutput: false,
  });
  let open = 0;
  bar.start(ids.length, 0, { open });
  const onOutcome = ({ end }: MutantOutcome): void => {
    if (end !== 'killed') open += 1;
    bar.increment(1, { open });
  };
  const shares = await shareWork(workers, args, onOutcome).finally(() => bar.stop());
  const minutes = (performance.now() - started) / 60_000;
  const position = new Map(ids.map((id, at) => [id, at]));
  const outcomes = shares.toSorted(
    (one, other) => (position.get(one.mutant) ?? 0) - (position.get(other.mutant) ?? 0),
  );
  const summed = toMatrix({ outcomes, checks, exceptions, minutes });
  // What some mutants do not need others may.
  const matrix = checks.length > 0 ? summed : { ...summed, unused: [] };
  const text = renderMatrix(matrix);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'matrix.json'), `${JSON.stringify(matrix, undefined, 1)}\n`);
  writeFileSync(join(out, 'matrix.txt'), text);
  process.stdout.write(text);
  const lost = ids.length - outcomes.length;
  if (lost > 0) process.stdout.write(`${lost} mutants were not run: a worker broke\n`);
  return isClean(matrix) && lost === 0 ? 0 : 1;
}

/** A worker: each outcome is told to the parent. @returns the exit code */
export async function work(run: {
  readonly deployment: string;
  readonly ids: readonly string[];
  readonly everything: boolean;
}): Promise<number> {
  await kill(run.deployment, run.ids, {
    everything: run.everything,
    onOutcome: tellOutcome,
  });
  process.disconnect?.();
  return 0;
}
