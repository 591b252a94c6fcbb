import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { HARMLESS_ANSWERS } from '../variants/harmless-answers.ts';
import { HARMLESS_INDEXES } from '../variants/harmless-indexes.ts';
import { HARMLESS_SITES } from '../variants/harmless-sites.ts';
import { runBehaviour } from './run-behaviour.ts';

const HARMLESS = [...HARMLESS_INDEXES, ...HARMLESS_ANSWERS, ...HARMLESS_SITES];

/** The ids of all harmless changes. */
export function harmlessIds(): string[] {
  return HARMLESS.map(({ id }) => id);
}

/**
 * Runs the whole plan against a site with each of some harmless changes.
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
    for (const { id, behaviour } of HARMLESS.filter((one) => ids.includes(one.id))) {
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
