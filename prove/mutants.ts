import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { matchesGlob } from 'node:path/posix';
import cliProgress from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import type { Alteration } from '../sites/alterations/alteration.ts';
import { mutantsOf } from '../sites/alterations/catalogue.ts';
import { VARIANTS } from '../sites/alterations/variants/site-variants.ts';
import { loadContract as loadRaw } from '../sites/reference/load-contract.ts';
import { checkIds, kill, killTogether } from './kill.ts';
import { isClean, type Outcome, readExceptions, renderMatrix, toMatrix } from './matrix.ts';
import { ofShard, readShard, type Shard, sampleOf, shareWork } from './share.ts';

interface Options {
  deployment: string;
  only?: string;
  beyond?: string;
  sample?: number;
  everything?: boolean;
  workers: number;
  out: string;
  list?: boolean;
  variants?: boolean;
  together?: number;
  seed: number;
  shard?: Shard;
  worker?: Shard;
}

const program = new Command('npm run mutants --')
  .description(
    'Runs the checks against a reference deployment with each of its mutants, and writes the kill matrix.',
  )
  .option('--deployment <name>', 'a, b, core, or the path of a deployment file', 'b')
  .option('--only <glob>', 'only the mutants, or benign variants, whose ids match')
  .option('--beyond <name>', 'only the mutants that this other deployment does not have')
  .option('--sample <n>', 'only so many of them, spread over all', count)
  .option('--everything', 'run the whole plan against each, in place of the checks of its operation or topic')
  .option('--workers <n>', 'processes', count, Math.min(availableParallelism(), 4))
  .option('--out <dir>', 'the folder for matrix.json and matrix.txt', 'reports/out/mutants')
  .option('--list', 'list the ids of the mutants, or benign variants, and run nothing')
  .option('--variants', 'run the whole plan against each benign variant: nothing may be reported')
  .option(
    '--together <n>',
    'run so many random sets of three mutants: each must be reported as itself',
    count,
  )
  .option('--seed <n>', 'the seed of the random sets', count, 1)
  .option('--shard <i/n>', 'only one of n shares of them', readShard)
  .option('--worker <i/n>', 'used by the workers', readShard)
  .action(async (options: Options) => {
    process.exitCode = await run(options);
  });
await program.parseAsync();

/** @returns the exit code: 1 when a mutant, a check or a benign variant is not as it must be, 2 for wrong usage */
async function run(options: Options): Promise<number> {
  const { deployment, together, worker, everything = false, variants = false } = options;
  const all: readonly Alteration[] = variants ? VARIANTS : mutantsOf(loadRaw(deployment));
  const chosen = choose(all, options);
  if (chosen.length === 0) {
    const what = variants ? 'benign variants' : `mutants of ${deployment}`;
    process.stderr.write(`none of the ${all.length} ${what} is selected\n`);
    return 2;
  }
  if (options.list === true) {
    process.stdout.write(`${chosen.map(({ id }) => id).join('\n')}\n`);
    return 0;
  }
  if (together !== undefined) return runTogether(deployment, together, options.seed);
  if (worker !== undefined) {
    await kill(deployment, ofShard(chosen, worker), {
      everything,
      onOutcome: (outcome) => process.send?.(outcome),
    });
    process.disconnect?.();
    return 0;
  }
  const ids = chosen.map(({ id }) => id);
  return variants ? runVariants(ids, options) : runMatrix(ids, options);
}

function choose(all: readonly Alteration[], { only, beyond, sample, shard }: Options): readonly Alteration[] {
  const others = new Set(beyond === undefined ? [] : mutantsOf(loadRaw(beyond)).map(({ id }) => id));
  const selected = all.filter(
    ({ id }) => (only === undefined || id === only || matchesGlob(id, only)) && !others.has(id),
  );
  const sampled = sample === undefined ? selected : sampleOf(selected, sample);
  return shard === undefined ? sampled : ofShard(sampled, shard);
}

/** Runs some alterations, shared among processes. @returns what came of them in the order of `ids` */
async function outcomesOf(
  ids: readonly string[],
  { workers }: Options,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const args = process.argv.slice(2);
  const shares = await shareWork<Outcome>(import.meta.filename, workers, args, onOutcome);
  const position = new Map(ids.map((id, at) => [id, at]));
  return shares.toSorted((one, other) => (position.get(one.id) ?? 0) - (position.get(other.id) ?? 0));
}

/** Writes `matrix.json` and `matrix.txt`. @returns the exit code: 1 for anything that is not excepted with a reason */
async function runMatrix(ids: readonly string[], options: Options): Promise<number> {
  const { out, deployment, only, sample, shard, beyond } = options;
  const started = performance.now();
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: '[{bar}] {value} of {total} mutants, {open} not killed',
    clearOnComplete: true,
    noTTYOutput: false,
  });
  let open = 0;
  bar.start(ids.length, 0, { open });
  const outcomes = await outcomesOf(ids, options, ({ end }) => {
    if (end !== 'killed') open += 1;
    bar.increment(1, { open });
  }).finally(() => bar.stop());
  const minutes = (performance.now() - started) / 60_000;
  // What some mutants do not need others may.
  const isWhole = only === undefined && sample === undefined && shard === undefined;
  const known = new Set(beyond === undefined ? [] : checkIds(beyond));
  const checks = isWhole ? checkIds(deployment).filter((id) => !known.has(id)) : [];
  const summed = toMatrix({ outcomes, checks, exceptions: readExceptions(), minutes });
  const matrix = isWhole ? summed : { ...summed, unused: [] };
  const text = renderMatrix(matrix);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'matrix.json'), `${JSON.stringify(matrix, undefined, 1)}\n`);
  writeFileSync(join(out, 'matrix.txt'), text);
  process.stdout.write(text);
  const lost = ids.length - outcomes.length;
  if (lost > 0) process.stdout.write(`${lost} mutants were not run: a worker broke\n`);
  return isClean(matrix) && lost === 0 ? 0 : 1;
}

/** @returns the exit code: 1 when a check reports a benign variant, or when one was not run */
async function runVariants(ids: readonly string[], options: Options): Promise<number> {
  const outcomes = await outcomesOf(ids, options, ({ id, failed }) => {
    process.stdout.write(`${id}: ${failed.length === 0 ? 'nothing reported' : failed.join(', ')}\n`);
  });
  const reports = outcomes.reduce((sum, { failed }) => sum + failed.length, 0);
  process.stdout.write(`${outcomes.length} benign variants, ${reports} reports\n`);
  const lost = ids.length - outcomes.length;
  if (lost > 0) process.stdout.write(`${lost} benign variants were not run: a worker broke\n`);
  return reports === 0 && lost === 0 ? 0 : 1;
}

/** Runs random sets of three mutants. @returns the exit code: 1 when one of them is not reported */
async function runTogether(deployment: string, sets: number, seed: number): Promise<number> {
  const together = await killTogether(deployment, sets, seed);
  const hidden = together.filter(({ lost }) => lost.length > 0);
  for (const { mutants, lost } of hidden) {
    process.stdout.write(`${lost.join(', ')} not reported beside ${mutants.join(', ')}\n`);
  }
  process.stdout.write(`${together.length} sets of three mutants, ${hidden.length} with one not reported\n`);
  return hidden.length === 0 ? 0 : 1;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return Number(text);
}
