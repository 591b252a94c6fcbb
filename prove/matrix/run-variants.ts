import { shareWork, tellOutcome } from './share-work.ts';
import { spare } from './spare.ts';

/** What the whole plan said of one benign variant. */
interface VariantOutcome {
  readonly id: string;
  /** What was reported, each in words. */
  readonly reported: readonly string[];
}

/** A run of the benign variants. */
export interface VariantsRun {
  readonly ids: readonly string[];
  /** How many processes share them. */
  readonly workers: number;
  /** The command line, which the workers get as well. */
  readonly args: readonly string[];
}

/**
 * Runs the whole plan against each benign variant, shared among processes.
 * @returns the exit code: 1 when a check reports one, or when one was not run
 */
export async function runVariants({ ids, workers, args }: VariantsRun): Promise<number> {
  const outcomes = await shareWork<VariantOutcome>(workers, args, ({ id, reported }) => {
    process.stdout.write(`${id}: ${reported.length === 0 ? 'nothing reported' : reported.join(', ')}\n`);
  });
  const reports = outcomes.reduce((sum, { reported }) => sum + reported.length, 0);
  process.stdout.write(`${outcomes.length} benign variants, ${reports} reports\n`);
  const lost = ids.length - outcomes.length;
  if (lost > 0) process.stdout.write(`${lost} benign variants were not run: a worker broke\n`);
  return reports === 0 && lost === 0 ? 0 : 1;
}

/** A worker: each outcome is told to the parent. @returns the exit code */
export async function workOnVariants(deployment: string, ids: readonly string[]): Promise<number> {
  for (const id of ids) {
    const [outcome] = await spare(deployment, [id]);
    tellOutcome({ id, reported: outcome?.reported ?? [] } satisfies VariantOutcome);
  }
  process.disconnect?.();
  return 0;
}
