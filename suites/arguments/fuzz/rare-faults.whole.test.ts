import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type FuzzOptions, PROFILES } from '../../../engine/fuzz-options.ts';
import type { CheckResult } from '../../../engine/result.ts';
import { findMutant } from '../../../mutation/mutants/find-mutant.ts';
import { RARE_MUTANTS } from '../../../mutation/mutants/rare-mutants.ts';
import { loadContract as loadRaw } from '../../../reference/load-contract.ts';
import { serve } from '../../../reference/serve.ts';
import { loadContract } from '../../../specs/contract.ts';
import { allChecks } from '../../all-checks.ts';
import { runInProcess } from '../../run-in-process.ts';

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const raw = loadRaw('core');
const folder = mkdtempSync(join(tmpdir(), 'rare-'));
let runs = 0;

afterAll(() => rmSync(folder, { recursive: true }));

async function resultOf(
  check: string,
  mutant: string | undefined,
  fuzz: FuzzOptions,
): Promise<CheckResult | undefined> {
  const behaviour = mutant === undefined ? {} : findMutant(raw, mutant).behaviour;
  const site = await serve({ deployment: 'core', behaviour });
  onTestFinished(() => site.close());
  runs += 1;
  const { results } = await runInProcess({
    url: site.url,
    contract,
    checks: allChecks(contract),
    mode: 'write',
    user: { user: site.user, password: site.password },
    only: [check],
    fuzz,
    journal: { path: join(folder, `${runs}.ndjson`), tag: `sc-rare-${runs}` },
  });
  return results.get(check);
}

describe('a deviation that hardly any request shows', () => {
  it.each(RARE_MUTANTS)(
    'is found, shrunk to the arguments that matter, and replayed: $title',
    async ({ operation, aspect, how, matters }) => {
      const check = `${operation}/fuzz/${aspect}`;
      const found = await resultOf(check, `${check}~${how}`, {
        examples: PROFILES[aspect === 'robust' ? 'deep' : 'nightly'],
        kept: [],
      });
      const sets = found?.replay?.sets ?? [];

      expect(found?.verdict, found?.message).toBe(how === 'traces' ? 'warn' : 'fail');
      expect(sets.map(({ args }) => Object.keys(args).sort())).toEqual([[...matters]]);
      expect(found?.message).toContain(`what matters: `);

      const kept = sets.map(({ args }) => ({ check, args }));
      const still = await resultOf(check, `${check}~${how}`, { examples: 0, kept });
      const gone = await resultOf(check, undefined, { examples: 0, kept });

      expect([still?.verdict, gone?.verdict]).toEqual([found?.verdict, 'pass']);
      expect(gone?.tried?.judged).toBe(kept.length);
    },
    30_000,
  );
});
