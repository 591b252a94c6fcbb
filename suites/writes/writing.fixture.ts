import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CheckResult, Verdict } from '../../engine/result.ts';
import { serve } from '../../sites/reference/serve.ts';
import type { Behaviour, Handler } from '../../sites/reference/site.ts';
import { STANDARD_BEHAVIOUR } from '../../sites/reference/standard-behaviour.ts';
import { loadContract } from '../../specs/contract.ts';
import { testFolder } from '../../specs/folder.fixture.ts';
import { allChecks } from '../all-checks.ts';
import { runInProcess } from '../run-checks.ts';

const CONTRACT = loadContract({ deployment: 'core', vocabulary: 'neutral' });
const CHECKS = allChecks(CONTRACT);

/** How a faulty site differs from a healthy one: handlers by operation id, or other behaviour. */
export interface Mutant extends Partial<Omit<Behaviour, 'handlers'>> {
  readonly handlers?: Readonly<Record<string, Handler>>;
}

/** Runs checks in mode write against a new deployment of `core`, with or without a mutant. @param only globs */
export async function writingRun(
  only: readonly string[],
  mutant: Mutant = {},
  seed = 1,
): Promise<ReadonlyMap<string, CheckResult>> {
  const { handlers, ...others } = mutant;
  const behaviour = { ...others, handlers: { ...STANDARD_BEHAVIOUR.handlers, ...handlers } };
  const served = await serve({ deployment: 'core', behaviour });
  onTestFinished(() => served.close());
  const { url, user, password } = served;
  const folder = testFolder();
  const journal = { path: join(folder, 'journal.ndjson'), tag: `sc-${randomUUID().slice(0, 8)}` };
  const run = { url, contract: CONTRACT, checks: CHECKS, mode: 'write', user: { user, password } } as const;
  return (await runInProcess({ ...run, only, journal, seed })).results;
}

/** The ids of the checks with one of the verdicts. */
export function idsWith(results: ReadonlyMap<string, CheckResult>, ...verdicts: Verdict[]): string[] {
  return [...results.values()].filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}
