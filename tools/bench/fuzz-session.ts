import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isObject } from '../../client/json.ts';
import { fetchIndex } from '../../client/site-index.ts';
import type { FuzzCoverage } from '../../engine/fuzz-options.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { RecordingClient } from './bench-target.ts';

/** A site whose reads are fuzzed, and as whom. */
export interface FuzzedSite {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly vocabulary: string;
}

/** What a run of fuzz checks did. */
interface FuzzSession {
  /** Sets of arguments that were checked. */
  readonly cases: number;
  readonly seconds: number;
  /** Time of the processor, in this process. */
  readonly ownSeconds: number;
  readonly client: RecordingClient;
}

/** The reference deployment core in a process of its own. */
export async function serveCore(): Promise<FuzzedSite & { close(): void }> {
  const child = fork(join(import.meta.dirname, 'serve-core.ts'));
  const [message]: unknown[] = await once(child, 'message');
  if (!isObject(message)) throw new Error('the reference deployment does not report its address');
  const { url, user, password } = message;
  return {
    url: String(url),
    user: String(user),
    password: String(password),
    vocabulary: 'neutral',
    close: () => child.disconnect(),
  };
}

/**
 * Runs fuzz checks of reads.
 * @param only globs of check ids; @param examples how many each tries; @param client that reaches the site
 */
export async function fuzzReads(
  { vocabulary }: Pick<FuzzedSite, 'vocabulary'>,
  client: RecordingClient,
  only: readonly string[],
  examples: number,
): Promise<FuzzSession> {
  const contract = loadContract({ deployment: 'core', vocabulary });
  const { index } = await fetchIndex(client);
  const checks = allChecks(contract);
  client.sent.length = 0;
  const fuzz = { examples, kept: [] };
  const [begun, used] = [performance.now(), process.cpuUsage()];
  const { results } = await runChecks({ client, contract, checks, index, only, fuzz });
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(used);
  const evaluated = [...results.values()].map(({ tried }): FuzzCoverage['judged'] => tried?.judged ?? 0);
  const cases = evaluated.reduce((sum, count) => sum + count, 0);
  return { cases, seconds, ownSeconds: (user + system) / 1e6, client };
}

/** A client for a site. @param concurrency requests under way at once */
export function clientOf(
  { url, user, password }: FuzzedSite,
  concurrency: number,
  Kind: typeof RecordingClient = RecordingClient,
): RecordingClient {
  return new Kind({ base: new URL(url), mode: 'read', user, password, concurrency, timeout: 60 });
}
