import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { matchesGlob } from 'node:path/posix';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CATALOGUE } from '../sites/hostile/catalogue.ts';
import { CONTROLS } from '../sites/hostile/families/controls.ts';
import type { HostileServer } from '../sites/hostile/hostile-server.ts';
import { openServer } from '../sites/hostile/open-server.ts';
import { PASSWORD, USER } from '../sites/hostile/stage.ts';
import { renderOutcome, renderTable } from './hostile/render-outcome.ts';
import { type Calling, runServer, type ServerOutcome } from './hostile/run-server.ts';
import { endAll } from './hostile/run-watched.ts';
import { inParallel } from './matrix/in-parallel.ts';
import { ofShard, readShard, type Shard } from './shard.ts';

interface Options {
  only: string[];
  list?: boolean;
  mode?: HostileServer['mode'];
  shard?: Shard;
  workers: number;
  serve?: string;
  port: number;
}

/** As `npm start` calls it. */
const COMMAND = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=20',
  join(import.meta.dirname, '../cli/main.ts'),
];
/** Seconds of a run, before a control has shown how many it takes here. */
const FIRST_GUESS = 30;

const program = new Command('npm run hostile --')
  .description('Runs the suite against each hostile server of the catalogue, and judges it from outside.')
  .option('--only <glob...>', 'only the servers whose names match', ['**'])
  .option('--list', 'list the servers, and run nothing')
  .addOption(new Option('--mode <mode>', 'only the servers for this mode').choices(['read', 'write']))
  .option('--shard <i/n>', 'only one of n shares of the servers', readShard)
  .option('--workers <n>', 'runs at once, two at most', workers, Math.min(availableParallelism(), 2))
  .option('--serve <name>', 'start one server and leave it running')
  .option('--port <n>', 'the port of that server', port, 0)
  .action(async (options: Options) => {
    process.exitCode = await run(options);
  });
await program.parseAsync();

/** @returns the exit code: 1 when a run is not as it must be, 2 for wrong usage */
async function run({ only, list, mode, shard, workers, serve, port }: Options): Promise<number> {
  if (serve !== undefined) return serveOne(serve, port);
  const matching = CATALOGUE.filter(
    (server) =>
      (mode === undefined || server.mode === mode) && only.some((glob) => matchesGlob(server.name, glob)),
  );
  const chosen = shard === undefined ? matching : ofShard(matching, shard);
  if (chosen.length === 0) {
    process.stderr.write(`none of the ${CATALOGUE.length} servers is selected\n`);
    return 2;
  }
  if (list === true) {
    for (const { name, title } of chosen) process.stdout.write(`${name.padEnd(44)}  ${title}\n`);
    return 0;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const folder = mkdtempSync(join(tmpdir(), 'site-conformance-hostile-'));
  process.once('exit', () => {
    endAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const controls = await runControls(new Set(chosen.map((server) => server.mode)), folder);
  if (controls.some(({ misses }) => misses.length > 0)) {
    process.stderr.write('a healthy site does not pass: nothing can be said about hostile ones\n');
    return 1;
  }
  const slowest = Math.max(...controls.map(({ ran }) => ran.seconds));
  const calling = { command: COMMAND, usual: slowest, folder };
  const outcomes = await inParallel(chosen, workers, (server) => runAndShow(server, calling));
  process.stdout.write(`\n${renderTable(outcomes)}\n`);
  return outcomes.some(({ misses }) => misses.length > 0) ? 1 : 0;
}

/** A healthy site in the same harness: what it misses is a fault of the harness. */
async function runControls(
  modes: ReadonlySet<HostileServer['mode']>,
  folder: string,
): Promise<ServerOutcome[]> {
  const calling = { command: COMMAND, usual: FIRST_GUESS, folder };
  return inParallel(
    CONTROLS.filter(({ mode }) => modes.has(mode)),
    1,
    (server) => runAndShow(server, calling),
  );
}

async function runAndShow(server: HostileServer, calling: Calling): Promise<ServerOutcome> {
  const outcome = await runServer(server, calling);
  process.stdout.write(`${renderOutcome(outcome)}\n`);
  return outcome;
}

async function serveOne(name: string, port: number): Promise<number> {
  const server = [...CONTROLS, ...CATALOGUE].find((one) => one.name === name);
  if (server === undefined) {
    process.stderr.write(`no server is called ${name}; --list shows the names\n`);
    return 2;
  }
  const open = await openServer(server, port);
  process.stdout.write(`${server.title}\n${open.url}  user ${USER}, password ${PASSWORD}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await open.close();
  return 0;
}

function workers(text: string): number {
  if (!/^[12]$/.test(text)) throw new InvalidArgumentError('Expected 1 or 2.');
  return Number(text);
}

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Expected a port.');
  return Number(text);
}
