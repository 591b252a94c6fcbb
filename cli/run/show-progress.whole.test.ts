import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testClient } from '../../client/server.fixture.ts';
import { fetchIndex } from '../../client/site-index.ts';
import { Engine } from '../../engine/engine.ts';
import { PROFILES } from '../../engine/fuzz-options.ts';
import { plan } from '../../engine/plan.ts';
import { expectedRequests } from '../../engine/progress.ts';
import { createSession } from '../../engine/session.ts';
import { requestsLeft } from '../../reports/progress.ts';
import { type Served, serve } from '../../sites/reference/serve.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';

/** The worst relative error of the predicted total of requests, after its first tenth. */
async function worstError(site: Served, only: readonly string[], examples: number): Promise<number> {
  const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
  const { url, user, password } = site;
  const client = testClient(url, { user, password, timeout: 30 });
  const { index } = await fetchIndex(client);
  const session = createSession({ contract, index, client, seed: 1, fuzz: { examples, kept: [] } });
  const planned = plan(allChecks(contract), { only, skip: [], mode: 'read', hasUser: true });
  const asked = planned.filter(({ skip }) => skip === undefined);
  const engine = new Engine(session, planned);
  const weight = new Map(asked.map(({ check }) => [check.id, expectedRequests(check, examples)]));
  const expected = [...weight.values()].reduce((sum, one) => sum + one, 0);
  let expectedDone = 0;
  const seen: { requests: number; told: number }[] = [];
  await Promise.all(
    asked.map(async (one) => {
      const { id } = await engine.result(one);
      expectedDone += weight.get(id) ?? 0;
      const { requests } = client.traffic;
      seen.push({ requests, told: requests + requestsLeft({ requests, expectedDone, expected }) });
    }),
  );
  const { requests: total } = client.traffic;
  const late = seen.filter(({ requests }) => requests >= total / 10);
  return Math.max(...late.map(({ told }) => Math.abs(told - total) / total));
}

describe('the requests that a run is expected to send', () => {
  let site: Served;
  beforeAll(async () => {
    site = await serve({ deployment: 'core' });
  });
  afterAll(() => site.close());

  it.each([
    ['a whole run', [], PROFILES.standard],
    ['one that tries three times as much', ['*.list/**'], 3 * PROFILES.standard],
    ['one resource', ['posts.*/**', 'records/posts/**'], PROFILES.standard],
    ['all but what is drawn', ['*.*/*/**'], 0],
  ])('are never wrong by more than half after the first tenth: %s', async (_, only, examples) => {
    expect(await worstError(site, only, examples)).toBeLessThan(0.5);
  });
});
