import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mutantsOf } from '../../sites/alterations/mutants/catalogue.ts';
import type { Mutant } from '../../sites/alterations/mutants/mutant.ts';
import { indexDocument } from '../../sites/reference/index-document.ts';
import { loadContract as loadRaw } from '../../sites/reference/load-contract.ts';
import { serve } from '../../sites/reference/serve.ts';
import type { Behaviour } from '../../sites/reference/site.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { decidedByIndex } from '../../suites/index/declared-checks.ts';
import { inParallel } from './in-parallel.ts';
import { judgeMutant, type MutantOutcome } from './outcome.ts';
import { examplesFor, globsFor, runBehaviour } from './run-behaviour.ts';
import { declaredRuns } from './run-declared.ts';

/** Sites under way at once. */
const AT_A_TIME = 4;

/** The ids of all mutants of a deployment. */
export function mutantIds(deployment: string): string[] {
  return mutantsOf(loadRaw(deployment)).map(({ id }) => id);
}

/** The ids of all checks of a deployment. */
export function checkIds(deployment: string): string[] {
  return allChecks(loadContract({ deployment, vocabulary: 'neutral' })).map(({ id }) => id);
}

/**
 * Runs the checks against a site with each of some mutants: declarations against its index document alone, behaviour
 * against a site of its own on loopback.
 * @param ids of mutants; unknown ones are left out; @param everything whether each runs against the whole plan
 */
export async function kill(
  deployment: string,
  ids: readonly string[],
  options: { everything?: boolean; onOutcome?: (outcome: MutantOutcome) => void } = {},
): Promise<MutantOutcome[]> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const raw = loadRaw(deployment);
  const wanted = new Set(ids);
  const mutants = mutantsOf(raw).filter(({ id }) => wanted.has(id));
  const offline = decidedByIndex(contract);
  const declared = declaredRuns(contract, offline);
  const checks = allChecks(contract);
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const texts = { name: 'Reference', description: 'A site in memory', url: 'http://127.0.0.1:9' };

  async function failedFor(one: Mutant): Promise<string[]> {
    if (isDeclaration(one.behaviour)) {
      const document = indexDocument(raw, texts);
      one.behaviour.declare?.(document);
      return declared.failed(document);
    }
    const site = await serve({ deployment, behaviour: one.behaviour });
    try {
      const only = options.everything === true ? [] : globsFor(one, raw);
      return await runBehaviour({ contract, checks, folder, seed: 1 }, site, only, examplesFor(one));
    } finally {
      await site.close();
    }
  }

  try {
    return await inParallel(mutants, AT_A_TIME, async (one) => {
      const started = performance.now();
      const failed = await failedFor(one);
      const outcome = judgeMutant(one, failed, Math.round(performance.now() - started));
      options.onOutcome?.(outcome);
      return outcome;
    });
  } finally {
    await declared.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function isDeclaration(behaviour: Partial<Behaviour>): boolean {
  return behaviour.declare !== undefined && Object.keys(behaviour).length === 1;
}
