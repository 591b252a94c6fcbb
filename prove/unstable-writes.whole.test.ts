import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readJournal } from '../client/journal.ts';
import { testClient } from '../client/server.fixture.ts';
import { takeCensus } from '../probing/records/clean-up/census.ts';
import { proxiedSite } from '../sites/proxied-site.fixture.ts';
import { forward, type Handle } from '../sites/proxy.ts';
import { loadContract } from '../specs/contract.ts';
import { testFolder } from '../specs/folder.fixture.ts';
import { allChecks } from '../suites/all-checks.ts';
import { runInProcess } from '../suites/run-checks.ts';

const LIMIT_MS = 240_000;
/** The number of writes among which some fail; all later ones succeed. */
const ILL = 60;
const EVERY = 4;

/** Carries out every write, but answers every fourth of the first ones with a server error. */
function failingNowAndThen(): Handle {
  let writes = 0;
  return async (asked) => {
    const answer = await forward(asked);
    if (asked.method === 'GET' || asked.method === 'HEAD') return answer;
    writes += 1;
    // The first deletion only tests whether deletions get through.
    return writes <= ILL && writes % EVERY === 1
      ? { ...answer, status: 500, body: Buffer.from('{}') }
      : answer;
  };
}

it(
  'writes that fail now and then make unstable checks and no failures, and everything is removed',
  async () => {
    const contract = loadContract({ deployment: 'core', vocabulary: 'neutral' });
    const folder = testFolder();
    const site = await proxiedSite({ deployment: 'core' }, failingNowAndThen());
    onTestFinished(() => site.close());
    const { url, user, password } = site;
    const client = testClient(url, { user, password, timeout: 30 });
    const before = await takeCensus(client, contract);
    const path = join(folder, 'journal.ndjson');
    const { results } = await runInProcess({
      url,
      user: { user, password },
      mode: 'write',
      contract,
      checks: allChecks(contract).filter(({ fuzz }) => fuzz !== true),
      only: ['posts.create', 'posts.update', 'posts.delete'],
      journal: { path, tag: 'sc-unstable-writes' },
      knownFailures: [],
    });
    const all = [...results.values()];

    expect(all.filter(({ verdict }) => verdict === 'fail').map(({ id, message }) => [id, message])).toEqual(
      [],
    );
    expect(all.filter(({ unstable }) => unstable !== undefined).length).toBeGreaterThan(0);
    expect(readJournal(path)).toMatchObject({ left: [] });
    expect(await takeCensus(client, contract)).toEqual(before);
  },
  LIMIT_MS,
);
