import { readFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import {
  type Recording,
  serveExchanges,
  startRecorder,
  TRACES,
  writeRecording,
} from '../sites/recordings/recording.ts';
import { RECORDED_RUNS, type RecordedRun, runRecorded } from './run-recorded.ts';

// Records runs against a real WordPress for the tests: `npm run record`.

/** Records one run and replays it twice. @returns the number of different verdicts and of traces of the site */
async function record(
  run: RecordedRun,
  site: { readonly url: string; readonly user: string; readonly password: string },
): Promise<number> {
  const recorder = await startRecorder(site.url);
  let exchanges: Recording['exchanges'] = [];
  const beforeCleanUp = (): void => {
    exchanges = recorder.exchanges();
  };
  const through = { ...site, url: recorder.url };
  const { seed, verdicts } = await runRecorded(run, through, { beforeCleanUp }).finally(() =>
    recorder.close(),
  );
  const recording = { seed, verdicts, exchanges };
  const { file } = run;
  writeRecording(file, recording);
  let problems = 0;
  for (const turn of ['first', 'second']) problems += await compare(run, recording, turn);
  const text = readFileSync(file, 'utf8');
  const own = [new URL(site.url).host, site.password, site.password.replaceAll(' ', ''), tmpdir()];
  const traces = [...own, `${userInfo().homedir}/`, TRACES.exec(text)?.[0] ?? ''].filter(
    (one) => one.length > 1 && text.includes(one),
  );
  for (const trace of traces) console.error(`${file} holds ${JSON.stringify(trace)}`);
  const counted = `${exchanges.length} exchanges, ${Object.keys(recording.verdicts).length} verdicts`;
  console.error(`${run.name}: ${counted}, ${Math.ceil(text.length / 1024)} KB`);
  return problems + traces.length;
}

/** Replays a recording. The parts that it leaves out must not change a verdict. */
async function compare(run: RecordedRun, recording: Recording, turn: string): Promise<number> {
  const replay = await serveExchanges(recording.exchanges);
  try {
    const site = { url: replay.url, user: 'somebody', password: 'any password at all' };
    const { verdicts: again } = await runRecorded(run, site);
    const other = Object.entries(recording.verdicts).filter(([id, verdict]) => again[id] !== verdict);
    for (const [id, verdict] of other)
      console.error(`${turn} replay, ${id}: ${verdict} became ${again[id] ?? 'skip'}`);
    return other.length;
  } finally {
    replay.close();
  }
}

const { WORDPRESS_URL: url, SITE_CONFORMANCE_USER: user, SITE_CONFORMANCE_PASSWORD: password } = process.env;
if (url === undefined || user === undefined || password === undefined)
  throw new Error('needs WORDPRESS_URL, SITE_CONFORMANCE_USER and SITE_CONFORMANCE_PASSWORD');
let problems = 0;
// Arguments name the runs to record; default: all.
const named = process.argv.slice(2);
for (const run of RECORDED_RUNS.filter(({ name }) => named.length === 0 || named.includes(name)))
  problems += await record(run, { url, user, password });
process.exitCode = problems > 0 ? 1 : 0;
