import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import cliProgress from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import type { Shard } from '../compare/fleet/document.ts';
import { selectorOf } from '../engine/glob.ts';
import type { Alteration } from '../sites/alterations/alteration.ts';
import { mutantsOf } from '../sites/alterations/catalogue.ts';
import { VARIANTS } from '../sites/alterations/variants/site-variants.ts';
import { loadContract as loadRaw } from '../sites/reference/load-contract.ts';
import { checkIds, kill, killTogether, setsOfThree, type Together } from './kill.ts';
import { EXCEPTIONS, isClean, type Outcome, renderMatrix, toMatrix } from './matrix.ts';
import { ofShard, readShare } from './share.ts';

interface Options {
  deployment: string;
  only?: string;
  beyond?: string;
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
  .option('--shard <i/n>', 'only one of n shares of them', readShare)
  .option('--worker <i/n>', 'used by the workers', readShare)
  .action(async (options: Options) => {
    process.exitCode = await run(options);
  });
await program.parseAsync();

/** @returns the exit code: 1 for an unexpected result of a mutant, a check or a benign variant, 2 for wrong usage */
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
    say(chosen.map(({ id }) => id).join('\n'));
    return 0;
  }
  if (worker !== undefined) {
    const onOutcome = (outcome: Outcome | Together): unknown => process.send?.(outcome);
    if (together === undefined) await kill(deployment, ofShard(chosen, worker), everything, onOutcome);
    else {
      const sets = setsOfThree(deployment, together, options.seed);
      await killTogether(deployment, ofShard(sets, worker), onOutcome);
    }
    process.disconnect?.();
    return 0;
  }
  if (together !== undefined) return runTogether(together, options);
  const ids = chosen.map(({ id }) => id);
  return variants ? runVariants(ids, options) : runMatrix(ids, options);
}

function choose(all: readonly Alteration[], { only, beyond, shard }: Options): readonly Alteration[] {
  const others = new Set(beyond === undefined ? [] : mutantsOf(loadRaw(beyond)).map(({ id }) => id));
  const selected = all.filter(
    ({ id }) => (only === undefined || id === only || selectorOf(only)(id)) && !others.has(id),
  );
  return shard === undefined ? selected : ofShard(selected, shard);
}

/** Runs alterations in several processes. @returns their outcomes in the order of `ids` */
async function outcomesOf(
  ids: readonly string[],
  { workers }: Options,
  onOutcome: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const shares = await shareWork<Outcome>(workers, onOutcome);
  const position = new Map(ids.map((id, at) => [id, at]));
  return shares.toSorted((one, other) => (position.get(one.id) ?? 0) - (position.get(other.id) ?? 0));
}

/** Writes `matrix.json` and `matrix.txt`. @returns the exit code: 1 for anything without an exception */
async function runMatrix(ids: readonly string[], options: Options): Promise<number> {
  const { out, deployment, only, shard, beyond } = options;
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
  // Exceptions that these mutants do not need may be needed by others.
  const isWhole = only === undefined && shard === undefined;
  const known = new Set(beyond === undefined ? [] : checkIds(beyond));
  const checks = isWhole ? checkIds(deployment).filter((id) => !known.has(id)) : [];
  const summed = toMatrix({ outcomes, checks, exceptions: EXCEPTIONS, minutes });
  const matrix = isWhole ? summed : { ...summed, unused: [] };
  const text = renderMatrix(matrix);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'matrix.json'), `${JSON.stringify(matrix, undefined, 1)}\n`);
  writeFileSync(join(out, 'matrix.txt'), text);
  process.stdout.write(text);
  return allRan(ids.length, outcomes, 'mutants') && isClean(matrix) ? 0 : 1;
}

/** @returns the exit code: 1 if a check reports a benign variant, or one was not run */
async function runVariants(ids: readonly string[], options: Options): Promise<number> {
  const outcomes = await outcomesOf(ids, options, ({ id, failed }) => {
    say(`${id}: ${failed.length === 0 ? 'nothing reported' : failed.join(', ')}`);
  });
  const reports = outcomes.reduce((sum, { failed }) => sum + failed.length, 0);
  say(`${outcomes.length} benign variants, ${reports} reports`);
  return allRan(ids.length, outcomes, 'benign variants') && reports === 0 ? 0 : 1;
}

/** Runs random sets of three mutants. @returns the exit code: 1 if one of them is not reported, or a set was not run */
async function runTogether(sets: number, { workers }: Options): Promise<number> {
  const outcomes = await shareWork<Together>(workers, ({ mutants, lost }) => {
    if (lost.length > 0) say(`${lost.join(', ')} not reported beside ${mutants.join(', ')}`);
  });
  const hidden = outcomes.filter(({ lost }) => lost.length > 0).length;
  say(`${outcomes.length} sets of three mutants, ${hidden} with one not reported`);
  return hidden === 0 && allRan(sets, outcomes, 'sets of three') ? 0 : 1;
}

/** Reports how many were not run because a worker broke. @returns whether all were run */
function allRan(wanted: number, outcomes: readonly unknown[], what: string): boolean {
  const lost = wanted - outcomes.length;
  if (lost > 0) say(`${lost} ${what} were not run: a worker broke`);
  return lost === 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return Number(text);
}

/**
 * Distributes work among processes. Each runs this program with the same arguments and its share, and sends each outcome.
 * @returns all outcomes, by worker; some are missing if a worker broke
 */
async function shareWork<T>(workers: number, onOutcome: (outcome: T) => void): Promise<T[]> {
  const shares = Array.from({ length: workers }, async (_, at) => {
    const outcomes: T[] = [];
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--worker', `${at + 1}/${workers}`]);
    child.on('message', (message: T & object) => {
      outcomes.push(message);
      onOutcome(message);
    });
    await once(child, 'exit');
    return outcomes;
  });
  return (await Promise.all(shares)).flat();
}
