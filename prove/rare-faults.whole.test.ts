import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isObject } from '../client/json.ts';
import type { Check } from '../engine/check.ts';
import { type FuzzOptions, PROFILES } from '../engine/fuzz-options.ts';
import { withDependencies } from '../engine/plan.ts';
import type { CheckResult } from '../engine/result.ts';
import { RARE_MUTANTS, RARE_SEQUENCES, rareMutants } from '../sites/alterations/mutants/rare-mutants.ts';
import { loadContract as loadRaw } from '../sites/reference/load-contract.ts';
import { type Served, serve } from '../sites/reference/serve.ts';
import { loadContract } from '../specs/contract.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runAgainst } from './kill.ts';
import { ofToday } from './todays-share.fixture.ts';

/** Deviations that few requests show: the mutant, the check that finds it, and what matters in the set or sequence. */
const RARE = [
  ...RARE_MUTANTS.map(({ operation, aspect, how, title, matters }) => ({
    check: `${operation}/fuzz/${aspect}`,
    how,
    title,
    matters,
    examples: PROFILES[aspect === 'robust' ? 'deep' : 'nightly'],
  })),
  ...RARE_SEQUENCES.map(({ resource, how, title, matters }) => ({
    check: `lifecycle/${resource}`,
    how,
    title,
    matters,
    examples: PROFILES.deep,
  })),
];

const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const checks = new Map(allChecks(contract).map((check) => [check.id, check]));
const raw = loadRaw('core');
const mutants = new Map(rareMutants(raw).map((one) => [one.id, one]));
let healthy: Served;

beforeAll(async () => {
  healthy = await serve({ deployment: 'core' });
});

afterAll(async () => {
  await healthy.close();
});

/** A check and its dependencies only: planning all checks for each mutant would take longer than the search. */
function withRoots(id: string): Check[] {
  return withDependencies([...checks.values()], [id]).flatMap((one) => checks.get(one) ?? []);
}

async function resultOf(site: Served, id: string, fuzz: FuzzOptions): Promise<CheckResult | undefined> {
  const mode = checks.get(id)?.effect === 'writes' ? 'write' : 'read';
  const { results } = await runAgainst(site, { contract, checks: withRoots(id), mode, only: [id], fuzz });
  return results.get(id);
}

/** What matters in a saved set: the names of its arguments, or the kinds of its steps. */
function whatMatters({ steps, ...args }: Readonly<Record<string, unknown>>): unknown[] {
  if (!Array.isArray(steps)) return Object.keys(args).sort();
  const kinds = steps.flatMap((step) => (isObject(step) ? [step.kind] : []));
  return kinds.filter((kind) => kind !== 'list').sort();
}

describe('a deviation that few requests show', () => {
  it('is one of at least twenty different ones', () => {
    expect(mutants.size).toBe(RARE.length);
    expect(RARE.length).toBeGreaterThanOrEqual(20);
  });

  it('is not reported as fixed if the saved set is not a sequence of steps', async () => {
    const kept = [{ check: 'lifecycle/posts', args: { steps: [{ kind: 'destroy' }] } }];
    const result = await resultOf(healthy, 'lifecycle/posts', { examples: 0, kept });

    expect(result?.verdict).toBe('inconclusive');
  });

  // Many are of one kind: sets accepted, refused, wrongly listed or malformed, and sequences.
  it.each(ofToday(RARE, 4))(
    'is found, shrunk to what matters, and replayed: $title',
    async ({ check, how, matters, examples }) => {
      const site = await serve({
        deployment: 'core',
        behaviour: mutants.get(`${check}~${how}`)?.behaviour ?? {},
      });
      onTestFinished(() => site.close());
      const found = await resultOf(site, check, { examples, kept: [] });
      const sets = found?.replay?.sets ?? [];

      expect(found?.verdict, found?.message).toBe(how === 'traces' ? 'warn' : 'fail');
      expect(sets.map(({ args }) => whatMatters(args))).toEqual([[...matters]]);

      const kept = sets.map(({ args, id, shows }) => ({ check, args, id, shows }));
      const fuzz = { examples: 0, kept, replay: true } as const;
      const [still, gone] = [await resultOf(site, check, fuzz), await resultOf(healthy, check, fuzz)];

      expect([still?.verdict, gone?.verdict]).toEqual([found?.verdict, 'pass']);
      expect(still?.tried?.replayed).toMatchObject(sets.map(({ id }) => ({ id, end: 'there' })));
      expect(gone?.tried?.replayed).toMatchObject(sets.map(({ id }) => ({ id, end: 'gone' })));
    },
    120_000,
  );
});
