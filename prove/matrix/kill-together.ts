import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mutantsOf } from '../../sites/alterations/mutants/catalogue.ts';
import type { Mutant } from '../../sites/alterations/mutants/mutant.ts';
import { composed } from '../../sites/alterations/toolkit/compose.ts';
import { loadContract as loadRaw } from '../../sites/reference/load-contract.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { combine } from './combine.ts';
import { exceptionFor, readExceptions } from './exceptions.ts';
import { inParallel } from './in-parallel.ts';
import { isOwn } from './outcome.ts';
import { examplesFor, globsFor, runBehaviour } from './run-behaviour.ts';

/** Mutants that a site had at once, and those of them that no check of their own reported. */
export interface Together {
  readonly mutants: readonly string[];
  readonly lost: readonly string[];
}

const SIZE = 3;
const AT_A_TIME = 4;
/** Without the index, or what serves the records, nothing else can be told: these are blocked by it, as they must be. */
const ROOTS = /^(index\/|namespaces\/cms\/v2\/|routes\/(index|cms\/v2)\b)/;

/** Runs the checks against sites with three mutants at once, of anything about different topics, drawn by a seed. */
export async function killTogether(deployment: string, count: number, seed: number): Promise<Together[]> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const { survivors } = readExceptions();
  const raw = loadRaw(deployment);
  const mutants = mutantsOf(raw).filter(
    ({ id, breaks }) => !ROOTS.test(breaks) && exceptionFor(id, survivors) === undefined,
  );
  const runs = {
    contract,
    checks: allChecks(contract),
    folder: mkdtempSync(join(tmpdir(), 'together-')),
    seed: 1,
  };

  async function lostOf(set: readonly Mutant[]): Promise<Together> {
    const site = await serve({ deployment, behaviour: composed(set.map(({ behaviour }) => behaviour)) });
    try {
      const failed = await runBehaviour(
        runs,
        site,
        set.flatMap((one) => globsFor(one, raw)),
        // What only sets of arguments show takes as many of them beside others as alone.
        set
          .map(examplesFor)
          .filter((one) => one !== undefined)
          .sort((one, other) => other - one)[0],
      );
      const lost = set.filter((one) => !failed.some((id) => isOwn(one, id)));
      return { mutants: set.map(({ id }) => id), lost: lost.map(({ id }) => id) };
    } finally {
      await site.close();
    }
  }

  try {
    return await inParallel(combine(mutants, raw.resources, count, SIZE, seed), AT_A_TIME, lostOf);
  } finally {
    rmSync(runs.folder, { recursive: true, force: true });
  }
}
