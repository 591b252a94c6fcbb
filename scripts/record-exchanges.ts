import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject, member } from '../target/json.ts';
import type { Recording } from './exchanges/exchange.ts';
import { startRecorder } from './exchanges/record-exchanges.ts';
import { serveExchanges } from './exchanges/serve-exchanges.ts';
import { writeRecording } from './exchanges/write-recording.ts';

// Records a run in mode read against a real WordPress, for the tests:
// `npm run wordpress -- exec -- node scripts/record-exchanges.ts FILE`.

const SEED = 1;

/** Runs the product against a site. @returns verdicts by check id, without what was skipped */
async function verdictsOf(url: string, user: string): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'record-'));
  try {
    const target = ['--target', url, '--deployment', 'core', '--vocabulary', 'wordpress', '--mode', 'read'];
    const args = ['run', ...target, '--user', user, '--seed', String(SEED), '--out', folder];
    const main = join(import.meta.dirname, '..', 'cli', 'main.ts');
    const run = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    await new Promise((resolve) => run.once('exit', resolve));
    const checks = member(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')), 'checks');
    const rows = (Array.isArray(checks) ? checks : []).filter(isObject);
    return Object.fromEntries(
      rows
        .filter(({ verdict }) => verdict !== 'skip')
        .map(({ id, verdict }) => [String(id), String(verdict)]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Verdicts of a run against what was kept: what was left out must not have told anything. */
async function replayed(recording: Recording, user: string): Promise<Record<string, string>> {
  const replay = await serveExchanges(recording.exchanges);
  try {
    return await verdictsOf(replay.url, user);
  } finally {
    replay.close();
  }
}

const [file] = process.argv.slice(2);
const { WORDPRESS_URL: site, SITE_CONFORMANCE_USER: user } = process.env;
const password = process.env.SITE_CONFORMANCE_PASSWORD;
if (file === undefined || site === undefined || user === undefined || password === undefined) {
  throw new Error('needs a file, WORDPRESS_URL, SITE_CONFORMANCE_USER and SITE_CONFORMANCE_PASSWORD');
}
const recorder = await startRecorder(site);
const verdicts = await verdictsOf(recorder.url, user);
const exchanges = recorder.exchanges();
recorder.close();
const recording = { seed: SEED, verdicts, exchanges };
const again = await replayed(recording, user);
const other = Object.entries(verdicts).filter(([id, verdict]) => again[id] !== verdict);
for (const [id, verdict] of other) console.error(`${id}: ${verdict}, replayed ${again[id] ?? 'skipped'}`);
writeRecording(file, recording);
const text = readFileSync(file, 'utf8');
const traces = [new URL(site).host, password, password.replaceAll(' ', ''), user, tmpdir()].filter((one) =>
  text.includes(one),
);
if (traces.length > 0)
  console.error(`the recording holds ${traces.length} traces of the site it was made with`);
console.error(
  `${exchanges.length} exchanges, ${Object.keys(verdicts).length} verdicts, ${Math.ceil(text.length / 1024)} KB`,
);
process.exitCode = other.length + traces.length > 0 ? 1 : 0;
