import { onTestFinished } from 'vitest';
import { readBase } from '../client/address.ts';
import { Client, type ClientOptions } from '../client/client.ts';
import { looksLikeIndex, readIndex } from '../client/site-index.ts';
import { loadContract } from '../specs/contract.ts';
import type { Contract } from '../specs/model.ts';
import { areaOf, type Check, type Finding } from './check.ts';
import type { Engine } from './engine.ts';
import type { PlannedCheck } from './plan.ts';
import type { CheckResult } from './result.ts';
import { createSession, type Session } from './session.ts';

interface TestSessionOptions extends Partial<Omit<ClientOptions, 'base'>> {
  readonly contract?: Contract;
  readonly document?: unknown;
  readonly url?: string;
}

/** A session with a given index. Its client reaches `url`, where nobody listens by default. */
export function testSession(options: TestSessionOptions = {}): Session {
  const {
    contract,
    document = { namespaces: [], routes: {} },
    url = 'http://127.0.0.1:9',
    ...client
  } = options;
  if (!looksLikeIndex(document)) throw new Error('the document is no index');
  const session = createSession({
    contract: contract ?? loadContract({ deployment: 'core', vocabulary: 'neutral' }),
    index: readIndex(document, JSON.stringify(document)),
    client: new Client({ base: readBase(url), mode: 'read', concurrency: 8, timeout: 5, ...client }),
    seed: 1,
  });
  onTestFinished(() => session.client.close());
  return session;
}

/** A check that returns given findings, or runs a given function. */
export function testCheck(
  id: string,
  found: readonly Finding[] | Check['run'] = [],
  more: Partial<Check> = {},
): Check {
  const run = typeof found === 'function' ? found : (): readonly Finding[] => found;
  return {
    id,
    area: areaOf(id),
    title: `does ${id}`,
    section: '1',
    basis: 'stated',
    effect: 'reads',
    ...more,
    run,
  };
}

/** The results of all checks of a plan, in its order. */
export function resultsOf(engine: Engine, plan: readonly PlannedCheck[]): Promise<CheckResult[]> {
  return Promise.all(plan.map((planned) => engine.result(planned)));
}
