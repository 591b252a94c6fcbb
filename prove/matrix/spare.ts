import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VARIANTS_ANSWERS } from '../../sites/alterations/variants/answer-variants.ts';
import { VARIANTS_INDEXES } from '../../sites/alterations/variants/index-variants.ts';
import { VARIANTS_SITES } from '../../sites/alterations/variants/site-variants.ts';
import { serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runBehaviour } from './run-behaviour.ts';

const VARIANTS = [...VARIANTS_INDEXES, ...VARIANTS_ANSWERS, ...VARIANTS_SITES];

/** The ids of all benign variants. */
export function harmlessIds(): string[] {
  return VARIANTS.map(({ id }) => id);
}

/**
 * Runs the whole plan against a site with each of some benign variants.
 * @returns for each change the ids of the checks that reported something, which they must not
 */
export async function spare(
  deployment: string,
  ids: readonly string[],
): Promise<{ readonly change: string; readonly reported: readonly string[] }[]> {
  const contract = loadContract({ deployment, vocabulary: 'neutral' });
  const checks = allChecks(contract);
  const folder = mkdtempSync(join(tmpdir(), 'harmless-'));
  const outcomes: { change: string; reported: readonly string[] }[] = [];
  try {
    for (const { id, behaviour } of VARIANTS.filter((one) => ids.includes(one.id))) {
      const site = await serve({ deployment, behaviour: behaviour() });
      try {
        const reported = await runBehaviour({ contract, checks, folder, seed: 1 }, site, []);
        outcomes.push({ change: id, reported });
      } finally {
        await site.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return outcomes;
}
