import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../client/client.ts';
import { fetchIndex } from '../../client/site-index.ts';
import { beginJournal, takeCensus } from '../../probing/records/clean-up/census.ts';
import { cleanUp } from '../../probing/records/clean-up/clean-up.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { openBenchTarget } from './bench-target.ts';
import { renderTable, scaled } from './measure.ts';

// What the checks that write cost: requests and seconds, and the share that goes into counting and cleaning up.
// Against the embedded deployment B, or against WORDPRESS_URL with the user of SITE_CONFORMANCE_USER.

const { url, user, password, words, close } = await openBenchTarget();
const folder = mkdtempSync(join(tmpdir(), 'site-conformance-bench-'));
try {
  const contract = loadContract(words);
  const client = new Client({
    base: new URL(url),
    mode: 'write',
    user,
    password,
    concurrency: 4,
    timeout: 30,
  });
  const { index } = await fetchIndex(client);
  const journal = { path: join(folder, 'journal.ndjson'), tag: `sc-bench-${process.pid}` };
  const counted = await timed(() => beginJournal(client, contract, journal, { target: url, user }));
  const checks = allChecks(contract).filter(({ effect }) => effect === 'writes');
  const checked = await timed(() =>
    runChecks({ client, contract, checks, index, journal, only: scaled([], ['posts.create/**']) }),
  );
  const cleaned = await timed(() => cleanUp(client, contract, journal.path));
  const again = await timed(() => takeCensus(client, contract));
  await client.close();

  const around = counted.seconds + cleaned.seconds + again.seconds;
  const figures = {
    checks: [...checked.value.results.values()].filter(({ verdict }) => verdict !== 'skip').length,
    requests: checked.requests,
    seconds: checked.seconds,
    cleanUpRequests: cleaned.requests,
    cleanUpSeconds: cleaned.seconds,
    censusRequests: counted.requests + again.requests,
    censusSeconds: counted.seconds + again.seconds,
    left: cleaned.value.left.length,
    share: around / (around + checked.seconds),
  };
  console.log(
    renderTable([
      ['', 'requests', 'seconds'],
      [`${figures.checks} checks that write`, String(figures.requests), figures.seconds.toFixed(1)],
      ['clean-up', String(figures.cleanUpRequests), figures.cleanUpSeconds.toFixed(1)],
      ['census, twice', String(figures.censusRequests), figures.censusSeconds.toFixed(1)],
      ['share of census and clean-up', '', `${(figures.share * 100).toFixed(0)} %`],
    ]),
  );
  process.exitCode = figures.left === 0 ? 0 : 1;

  /** Runs one part and prints what it took. */
  async function timed<T>(work: () => Promise<T>): Promise<{ value: T; requests: number; seconds: number }> {
    const before = client.traffic.requests;
    const begun = performance.now();
    const value = await work();
    return { value, requests: client.traffic.requests - before, seconds: (performance.now() - begun) / 1000 };
  }
} finally {
  await close();
  rmSync(folder, { recursive: true, force: true });
}
