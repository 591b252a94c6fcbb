import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command, InvalidArgumentError } from 'commander';
import type { Shard } from '../compare/fleet/document.ts';
import { selectorOf } from '../engine/glob.ts';
import { CATALOGUE, CONTROLS } from '../sites/hostile/catalogue.ts';
import { PASSWORD, USER } from '../sites/hostile/exchange.ts';
import { LIARS, LIED_TO } from '../sites/hostile/families/writing.ts';
import { openServer, readPosts, type Standing } from '../sites/hostile/open-server.ts';
import { type HostileServer, runs } from '../sites/hostile/server.ts';
import { EXPECTATIONS, missesOf, spellings } from './hostile/expectations.ts';
import { COMMAND, endAll, type Ran, runWatched } from './hostile/run-watched.ts';
import { ofShard, readShare } from './share.ts';

function renderOutcome({ server, misses, ran, requests }: ServerOutcome): string {
  const head = [
    misses.length === 0 ? 'held  ' : 'MISSED',
    server.name.padEnd(44),
    `exit ${ran.code ?? '-'}`,
    `${ran.seconds.toFixed(1)} s`.padStart(7),
    `${Math.round(ran.bytes / 1_000_000)} MB`.padStart(8),
    `${requests} requests`.padStart(14),
  ].join('  ');
  return [head, ...misses.map(({ expectation, why }) => `        ${expectation}: ${printable(why)}`)].join(
    '\n',
  );
}

function renderTable(outcomes: readonly ServerOutcome[]): string {
  const rows = EXPECTATIONS.map((expectation) => {
    const missed = outcomes.filter(({ misses }) => misses.some((miss) => miss.expectation === expectation));
    return [
      expectation.padEnd(16),
      String(missed.length).padStart(4),
      missed.map(({ server }) => server.name).join(' '),
    ];
  });
  const missed = outcomes.filter(({ misses }) => misses.length > 0).length;
  const bytes = Math.max(0, ...outcomes.map(({ ran }) => ran.bytes));
  return [
    ...rows.map((row) => row.join('  ').trimEnd()),
    `${outcomes.length} servers, ${missed} missed, ${Math.round(bytes / 1_000_000)} MB at most`,
  ].join('\n');
}

/** Reasons may hold text of a hostile server. */
function printable(text: string): string {
  return text
    .replaceAll(/[^ -~]/g, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)
    .replaceAll('##', '# #');
}

interface ServerOutcome {
  readonly server: HostileServer;
  readonly misses: ReturnType<typeof missesOf>;
  readonly ran: Pick<Ran, 'code' | 'seconds' | 'bytes'>;
  readonly requests: number;
}

interface Calling {
  /** Seconds that a run against a healthy site takes on this machine now. */
  readonly usual: number;
  /** Where runs write; it must be empty afterwards. */
  readonly folder: string;
}

const SHORTEST_TIMEOUT = 2;
/** The maximum memory of a run, whatever a site sends. */
const MOST_BYTES = 1_000_000_000;
const STANDING = standingSite();
const { user: LOGIN, password: SECRET } = STANDING ?? { user: USER, password: PASSWORD };
const SECRETS = spellings(LOGIN, SECRET);
/** A budget that only a delayed run needs, relative to the time of a healthy site. */
const BUDGET_RATIO = 3;
/** Seconds that a run has to remove its records, whatever its budget. */
const REMOVAL = 30;
/** Seconds to start and to write reports, on a fast machine. */
const LEAST_OVERHEAD = 6;
/** Seconds after the time limit, before the run is killed. */
const GRACE = 5;

/** Runs the command line against a server, as a user would, and evaluates it from outside. */
async function runServer(server: HostileServer, { usual, folder: parent }: Calling): Promise<ServerOutcome> {
  const folder = mkdtempSync(join(parent, 'run-'));
  const open = await openServer(server, STANDING);
  try {
    const out = join(folder, 'out');
    const budget = Math.ceil((server.hurried ? 1 : BUDGET_RATIO) * usual);
    // On a busy machine, a healthy answer must not time out.
    const timeout = Math.max(SHORTEST_TIMEOUT, Math.ceil(usual / 4));
    const removal = server.mode === 'write' ? Math.max(REMOVAL, timeout) : 0;
    const seconds = budget + timeout + removal + Math.max(LEAST_OVERHEAD, usual);
    const ran = await runWatched({
      file: process.execPath,
      args: [
        ...COMMAND,
        ...argumentsFor(server, open.url, out),
        ...['--timeout', String(timeout), '--budget', String(budget)],
      ],
      env: { ...process.env, SITE_CONFORMANCE_PASSWORD: SECRET, NO_COLOR: '1', TMPDIR: folder },
      limit: seconds + GRACE,
    });
    const evidence = {
      ran,
      seen: open.seen,
      misdirected: open.misdirected,
      before: open.before,
      after: await open.census(),
      files: readFiles(out),
    };
    const misses = missesOf(server, evidence, { seconds, bytes: MOST_BYTES, secrets: SECRETS });
    return { server, misses, ran, requests: open.seen.length };
  } finally {
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readFiles(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(path.slice(folder.length + 1), readFileSync(path));
  }
  return files;
}

function argumentsFor({ mode, anonymous, only, further }: HostileServer, url: string, out: string): string[] {
  return [
    ...['run', '--target', url, '--deployment', 'core', '--mode', mode, '--out', out],
    ...(anonymous ? [] : ['--user', LOGIN]),
    ...(STANDING === undefined ? [] : ['--vocabulary', 'wordpress']),
    ...further,
    ...(only.length > 0 ? ['--only', ...only] : []),
  ];
}

/** The real WordPress of `npm run wordpress -- exec`, with its table of posts; undefined without it. */
function standingSite(): Standing | undefined {
  const { WORDPRESS_URL: url, WORDPRESS_DATABASE: file, SITE_CONFORMANCE_USER: user } = process.env;
  const { SITE_CONFORMANCE_PASSWORD: password } = process.env;
  if (url === undefined || file === undefined || user === undefined || password === undefined)
    return undefined;
  return { url, user, password, census: async () => readPosts(file) };
}

/** The servers to choose from: the catalogue, or liars in front of a real site, of which more may be evaluated. */
const SERVERS =
  STANDING === undefined
    ? CATALOGUE
    : LIARS.map((one) => ({
        ...one,
        expected: { ...runs.anyhow.expected, codes: [...runs.anyhow.expected.codes, 4] },
      }));

interface Options {
  only: string[];
  list?: boolean;
  shard?: Shard;
  workers: number;
}

/** Seconds of a run, until a control has been measured. */
const FIRST_GUESS = 30;

const program = new Command('npm run hostile --')
  .description(
    'Runs the suite against each hostile server of the catalogue, or against what lies in front of the site of WORDPRESS_URL, and evaluates it from outside.',
  )
  .option('--only <glob...>', 'only the servers whose names match', ['**'])
  .option('--list', 'list the servers, and run nothing')
  .option('--shard <i/n>', 'only one of n shares of the servers', readShare)
  .option('--workers <n>', 'runs at once, two at most', workers, Math.min(availableParallelism(), 2))
  .action(async (options: Options) => {
    process.exitCode = await run(options);
  });
await program.parseAsync();

/** @returns the exit code: 1 if a run does not meet its expectations, 2 for wrong usage */
async function run({ only, list, shard, workers }: Options): Promise<number> {
  const matching = SERVERS.filter((server) => only.some((glob) => selectorOf(glob)(server.name)));
  const chosen = shard === undefined ? matching : ofShard(matching, shard);
  if (chosen.length === 0) {
    process.stderr.write(`none of the ${SERVERS.length} servers is selected\n`);
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
  const calling = { usual: slowest, folder };
  // Sequential on a real site, because a run's records would appear in the census of another.
  const outcomes = await Readable.from(chosen)
    .map((server: HostileServer) => runAndShow(server, calling), {
      concurrency: STANDING === undefined ? workers : 1,
    })
    .toArray();
  process.stdout.write(`\n${renderTable(outcomes)}\n`);
  return outcomes.some(({ misses }) => misses.length > 0) ? 1 : 0;
}

/** Runs a healthy site in the same harness. An unmet expectation is a fault of the harness. */
async function runControls(
  modes: ReadonlySet<HostileServer['mode']>,
  folder: string,
): Promise<ServerOutcome[]> {
  const calling = { usual: FIRST_GUESS, folder };
  // On a real site some failures are known.
  const real = STANDING && { only: LIED_TO, expected: runs.evaluated.expected };
  const controls = CONTROLS.filter(({ mode }) => modes.has(mode));
  return await Array.fromAsync(controls, (control) => runAndShow({ ...control, ...real }, calling));
}

async function runAndShow(server: HostileServer, calling: Calling): Promise<ServerOutcome> {
  const outcome = await runServer(server, calling);
  process.stdout.write(`${renderOutcome(outcome)}\n`);
  return outcome;
}

function workers(text: string): number {
  if (!/^[12]$/.test(text)) throw new InvalidArgumentError('Expected 1 or 2.');
  return Number(text);
}
