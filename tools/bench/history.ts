import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conclude } from '../../engine/conclusion.ts';
import type { CheckResult, RunResult, Verdict } from '../../engine/result.ts';
import { temporaryFolder } from '../../engine/temporary-folder.ts';
import { COMMAND } from '../../prove/hostile/run-watched.ts';
import { MEGABYTE, renderTable, runNode, scaled } from './measure.ts';

// What the history of many runs costs: time, and peak memory, which is bounded.

const CHECKS = 3000;
const RUNS = scaled([30, 90, 365], [10]);
const MOST_BYTES = 512 * MEGABYTE;

const rows = [['runs', 'checks', 'results', 'seconds', 'memory', 'history.json']];
for (const runs of RUNS) {
  using folder = temporaryFolder('history');
  let written = 0;
  for (let at = 0; at < runs; at += 1) {
    const text = JSON.stringify(realistic(at), undefined, 2);
    writeFileSync(join(folder.path, `${at}.json`), text);
    written += text.length;
  }
  const { seconds, bytes, stdout } = await runNode([...COMMAND, 'history', folder.path, '--json']);
  const [results = '', memory = '', document = ''] = [written, bytes, stdout.length].map(
    (size) => `${(size / MEGABYTE).toFixed(1)} MB`,
  );
  rows.push([String(runs), String(CHECKS), results, seconds.toFixed(1), memory, document]);
  if (bytes > MOST_BYTES) process.exitCode = 1;
}
console.log(renderTable(rows));

/** A run in which some checks fail for long, some come and go, and many are inconclusive; with texts of a usual length. */
function realistic(at: number): RunResult {
  const checks = Array.from({ length: CHECKS }, (_, number) => checkOf(number, verdictOf(number, at)));
  const digest = `sha256:${'c0'.repeat(32)}`;
  return {
    format: 1,
    tool: { name: 'site-conformance', version: '0.1.0', contract: digest },
    target: {
      url: 'https://staging.example.test/',
      deployment: 'core',
      vocabulary: 'neutral',
      index: digest,
    },
    run: {
      id: `run-${at}`,
      started: new Date(Date.UTC(2025, 0, 1 + at)).toISOString(),
      seconds: 60,
      mode: 'write',
      seed: 1,
      requests: 1000,
      retries: 0,
    },
    ...conclude(checks, { strict: false }),
    notices: [],
    checks,
  };
}

function verdictOf(number: number, at: number): Verdict {
  if (number % 50 === 0) return at > number / 10 ? 'fail' : 'pass';
  if (number % 331 === 0) return (at + number) % 7 === 0 ? 'fail' : 'pass';
  return number % 4 === 0 ? 'inconclusive' : 'pass';
}

function checkOf(number: number, verdict: Verdict): CheckResult {
  const reproduce = [`curl -sS 'https://staging.example.test/wp-json/wp/v2/posts?${'x'.repeat(300)}'`];
  return {
    id: `posts.list/parameter-${number}/keyword/enforced`,
    title: `does what it should (${number})`,
    section: '2',
    basis: 'stated',
    operation: 'posts.list',
    verdict,
    ...(verdict !== 'pass' && { message: 'm'.repeat(150), reproduce }),
    seconds: 0.1,
  };
}
