import { availableParallelism } from 'node:os';
import { matchesGlob } from 'node:path/posix';
import { Command, InvalidArgumentError } from 'commander';
import { checkIds, mutantIds } from './matrix/kill.ts';
import { runMatrix, work } from './matrix/run-matrix.ts';
import { runTogether } from './matrix/run-together.ts';
import { runVariants, workOnVariants } from './matrix/run-variants.ts';
import { sampleOf } from './matrix/sample.ts';
import { harmlessIds } from './matrix/spare.ts';
import { ofShard, readShard, type Shard } from './shard.ts';

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
  .option('--list', 'list the ids of the mutants, and run nothing')
  .option('--variants', 'run the whole plan against each benign variant: nothing may be reported')
  .option(
    '--together <n>',
    'run so many random sets of three mutants: each must be reported as itself',
    count,
  )
  .option('--seed <n>', 'the seed of the random sets', count, 1)
  .option('--shard <i/n>', 'only one of n shares of the mutants', readShard)
  .option('--worker <i/n>', 'used by the workers', readShard)
  .action(async (options: Options) => {
    process.exitCode = await run(options);
  });
await program.parseAsync();

/** @returns the exit code: 1 when a mutant, a check or a benign variant is not as it must be, 2 for wrong usage */
async function run(options: Options): Promise<number> {
  const { deployment, only, beyond, sample, shard, worker } = options;
  const { workers, out } = options;
  const isWanted = (id: string): boolean => only === undefined || id === only || matchesGlob(id, only);
  if (options.variants === true) {
    const benign = harmlessIds().filter(isWanted);
    if (benign.length === 0) {
      process.stderr.write(`none of the ${harmlessIds().length} benign variants is selected\n`);
      return 2;
    }
    if (worker !== undefined) return workOnVariants(deployment, ofShard(benign, worker));
    return runVariants({ ids: benign, workers, args: process.argv.slice(2) });
  }
  const all = mutantIds(deployment);
  const others = new Set(beyond === undefined ? [] : mutantIds(beyond));
  const selected = all.filter(isWanted).filter((id) => !others.has(id));
  if (selected.length === 0) {
    process.stderr.write(`none of the ${all.length} mutants of ${deployment} is selected\n`);
    return 2;
  }
  const sampled = sample === undefined ? selected : sampleOf(selected, sample);
  const ids = shard === undefined ? sampled : ofShard(sampled, shard);
  if (options.list === true) {
    process.stdout.write(`${ids.join('\n')}\n`);
    return 0;
  }
  if (options.together !== undefined) return runTogether(deployment, options.together, options.seed);
  const everything = options.everything === true;
  if (worker !== undefined) return work({ deployment, ids: ofShard(ids, worker), everything });
  const known = new Set(beyond === undefined ? [] : checkIds(beyond));
  const whole = only === undefined && sample === undefined && shard === undefined;
  const checks = whole ? checkIds(deployment).filter((id) => !known.has(id)) : [];
  return runMatrix({ ids, checks, workers, out, args: process.argv.slice(2) });
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return Number(text);
}
