import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Client } from '../../../client/client.ts';
import { fetchIndex } from '../../../client/site-index.ts';
import type { StageReport } from '../../../engine/result.ts';
import { testCheck } from '../../../engine/session.fixture.ts';
import { createSession, type OwnerHints } from '../../../engine/session.ts';
import { forward, type Handle, proxiedSite } from '../../../sites/proxy.ts';
import type { Behaviour } from '../../../sites/reference/site.ts';
import { loadContract } from '../../../specs/contract.ts';
import { beginJournal, type CensusDifference, compareCensus, takeCensus } from '../clean-up/census.ts';
import { type CleanUp, cleanUp } from '../clean-up/clean-up.ts';
import { type StageSetting, setStage } from './set-stage.ts';

/** What setting the stage came to. */
export interface Staged {
  readonly report: StageReport | undefined;
  /** Methods and routes of what was sent, in its order. */
  readonly sent: readonly string[];
  /** What the site has after the clean-up beside what it had. */
  readonly left: readonly CensusDifference[];
  readonly cleaned: CleanUp;
}

/** The site on which the stage is set, and how. */
interface StageOptions extends StageSetting {
  readonly seed?: 'empty' | 'full';
  readonly behaviour?: Partial<Behaviour>;
  readonly hints?: OwnerHints;
}

/** Sets the stage for some operations on a site behind a proxy, and cleans up. */
export async function stageOn(
  operations: readonly string[],
  handle: Handle = forward,
  { seed = 'empty', behaviour = {}, hints = {}, ...setting }: StageOptions = {},
): Promise<Staged> {
  const sent: string[] = [];
  const site = await proxiedSite({ deployment: 'core', seed, behaviour }, (asked) => {
    sent.push(`${asked.method} ${asked.url.searchParams.get('rest_route') ?? ''}`);
    return handle(asked);
  });
  const folder = mkdtempSync(join(tmpdir(), 'stage-'));
  const { url, user, password } = site;
  const client = new Client({
    base: new URL(url),
    mode: 'write',
    concurrency: 4,
    timeout: 10,
    user,
    password,
  });
  onTestFinished(async () => {
    await Promise.all([client.close(), site.close()]);
    rmSync(folder, { recursive: true });
  });
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const journal = { path: join(folder, 'journal.ndjson'), tag: 'sc-stage-5b21' };
  const before = await beginJournal(client, contract, journal, { target: url, user });
  const { index } = await fetchIndex(client);
  const session = createSession({ contract, index, client, seed: 1, hints, journal });
  const lacking = operations.map((operation) => testCheck(`${operation}/x`, [], { operation }));
  const from = sent.length;
  const report = await setStage(session, lacking, { apart: 0, ...setting });
  const staged = sent.slice(from);
  const cleaned = await cleanUp(client, contract, journal.path);
  return { report, sent: staged, cleaned, left: compareCensus(before, await takeCensus(client, contract)) };
}
