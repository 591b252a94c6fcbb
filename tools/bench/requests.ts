import { fetchIndex } from '../../client/site-index.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { declaredChecks } from '../../suites/index/declared-checks.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { openBenchTarget, RecordingClient, replay } from './bench-target.ts';
import { renderTable, scaled } from './measure.ts';

// What the checks of behaviour cost: requests for each check, the time of a run beside the time that the same requests
// take when they are merely replayed, and the rate that is reached beside the best that the target can do.
// Against the embedded deployment B, or against WORDPRESS_URL with the user of SITE_CONFORMANCE_USER.

const CONCURRENCY = 4;
const BURST = 200;

const { label, url, user, password, words, close } = await openBenchTarget();
try {
  const contract = loadContract(words);
  const mode = 'validate';
  const client = new RecordingClient({
    base: new URL(url),
    mode,
    user,
    password,
    concurrency: CONCURRENCY,
    timeout: 30,
  });
  const { index } = await fetchIndex(client);
  const declared = new Set(declaredChecks(contract).map(({ id }) => id));
  const checks = allChecks(contract);

  const begun = performance.now();
  const { results } = await runChecks({
    client,
    contract,
    checks,
    index,
    only: scaled([], ['posts.list/**']),
  });
  const runSeconds = (performance.now() - begun) / 1000;
  const behavioural = [...results.values()].filter(
    ({ id, verdict }) => !declared.has(id) && verdict !== 'skip',
  ).length;

  const reads = client.sent.filter(({ method }) => method === 'GET');
  const again = { url, user, password, concurrency: CONCURRENCY };
  const replaySeconds = await replay(client.sent, again);
  const [cheapest] = reads;
  const burstSeconds =
    cheapest === undefined
      ? 0
      : await replay(
          Array.from({ length: BURST }, () => cheapest),
          again,
        );
  await client.close();

  const requests = client.sent.length;
  const figures = {
    target: label,
    behavioural,
    requests,
    requestsPerCheck: requests / behavioural,
    runSeconds,
    replaySeconds,
    runToReplay: runSeconds / replaySeconds,
    reached: requests / runSeconds,
    best: BURST / burstSeconds,
  };
  console.log(
    renderTable([
      ['', figures.target, 'goal'],
      ['checks of behaviour', String(behavioural), ''],
      ['requests for each', figures.requestsPerCheck.toFixed(2), 'at most 1.0'],
      ['run beside replay', figures.runToReplay.toFixed(2), 'at most 1.15'],
      ['requests a second', figures.reached.toFixed(0), ''],
      ['one read, repeated', figures.best.toFixed(0), ''],
    ]),
  );
} finally {
  await close();
}
