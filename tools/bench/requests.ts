import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { routeUrl } from '../../client/address.ts';
import { Client } from '../../client/client.ts';
import { fetchIndex } from '../../client/fetch-index.ts';
import type { Observation, RequestSpec } from '../../client/observation.ts';
import { loadContract } from '../../specs/contract.ts';
import { allChecks } from '../../suites/all-checks.ts';
import { declaredChecks } from '../../suites/index/declared-checks.ts';
import { runChecks } from '../../suites/run-checks.ts';
import { openBenchTarget } from './bench-target.ts';
import { renderTable } from './render-table.ts';

// What the checks of behaviour cost: requests for each check, the time of a run beside the time that the same requests
// take when they are merely replayed, and the rate that is reached beside the best that the target can do.
// Against the embedded deployment B, or against WORDPRESS_URL with the user of SITE_CONFORMANCE_USER.

const CONCURRENCY = 4;
const BURST = 200;
const ROOT = join(import.meta.dirname, '../..');

/** A client that remembers what it sent, in its order. */
class RecordingClient extends Client {
  readonly sent: RequestSpec[] = [];

  override request(spec: RequestSpec, bytes?: number): Promise<Observation> {
    this.sent.push(spec);
    return super.request(spec, bytes);
  }
}

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
  const { results } = await runChecks({ client, contract, checks, index });
  const runSeconds = (performance.now() - begun) / 1000;
  const behavioural = [...results.values()].filter(
    ({ id, verdict }) => !declared.has(id) && verdict !== 'skip',
  ).length;

  const reads = client.sent.filter(({ method }) => method === 'GET');
  const replaySeconds = await replay(client.sent);
  const [cheapest] = reads;
  const burstSeconds =
    cheapest === undefined ? 0 : await replay(Array.from({ length: BURST }, () => cheapest));
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
  const out = join(ROOT, 'reports', 'out');
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'bench-requests.json'), `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await close();
}

/** Sends the same requests again at the same concurrency, without looking at the answers. @returns seconds */
async function replay(specs: readonly RequestSpec[]): Promise<number> {
  const agent = new Agent({ connections: CONCURRENCY });
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const queue = specs.values();
  const worker = async (): Promise<void> => {
    for (const spec of queue) {
      const address = new URL(routeUrl(new URL(url), spec.route, spec.query));
      const json =
        spec.body !== undefined && 'json' in spec.body ? JSON.stringify(spec.body.json) : undefined;
      const answer = await agent.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method: spec.method,
        headers: {
          ...(spec.as === 'user' && user !== undefined && { authorization: basic }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
        },
        ...(json !== undefined && { body: json }),
      });
      await answer.body.dump();
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const seconds = (performance.now() - begun) / 1000;
  await agent.close();
  return seconds;
}
