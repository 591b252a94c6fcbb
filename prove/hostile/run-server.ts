import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileServer } from '../../sites/hostile/hostile-server.ts';
import { openServer } from '../../sites/hostile/open-server.ts';
import { PASSWORD, USER } from '../../sites/hostile/stage.ts';
import { readFiles } from './evidence.ts';
import { judge } from './judge.ts';
import type { Miss } from './miss.ts';
import { type Ran, runWatched } from './run-watched.ts';
import { spellings } from './spellings.ts';

/** A run against one server, judged. */
export interface ServerOutcome {
  readonly server: HostileServer;
  readonly misses: readonly Miss[];
  readonly ran: Pick<Ran, 'code' | 'seconds' | 'bytes'>;
  readonly requests: number;
}

/** How the command line is called, and what it may take. */
export interface Calling {
  /** Node's arguments in front of those of the run. */
  readonly command: readonly string[];
  /** Seconds that a run against a healthy site takes on this machine at this time. */
  readonly usual: number;
  /** Where runs put what they write; it is empty again afterwards. */
  readonly folder: string;
}

const SHORTEST_TIMEOUT = 2;
/** The most that a run may hold, whatever a site sends. */
const MOST_BYTES = 1_000_000_000;
const SECRETS = spellings(USER, PASSWORD);
/** A budget that a run never needs unless something holds it up, in times of what a healthy site takes. */
const BUDGET_RATIO = 3;
/** Seconds to start and to write reports, on a machine that is quick. */
const LEAST_OVERHEAD = 6;
/** Seconds after the bound in time, before force is used. */
const GRACE = 5;

/**
 * Runs the command line against a server of the catalogue, as a user does, and judges it from outside.
 * @throws Error when the server itself cannot be started
 */
export async function runServer(
  server: HostileServer,
  { command, usual, folder: parent }: Calling,
): Promise<ServerOutcome> {
  const folder = mkdtempSync(join(parent, 'run-'));
  const open = await openServer(server);
  try {
    const out = join(folder, 'out');
    const before = await open.census();
    const budget = Math.ceil((server.hurried ? 1 : BUDGET_RATIO) * usual);
    // A machine that is busy must not make a healthy answer late.
    const timeout = Math.max(SHORTEST_TIMEOUT, Math.ceil(usual / 4));
    // What is written must be removed, and that takes as long as writing it.
    const seconds = (budget + timeout) * (server.mode === 'write' ? 2 : 1) + Math.max(LEAST_OVERHEAD, usual);
    const ran = await runWatched({
      file: process.execPath,
      args: [
        ...command,
        ...argumentsFor(server, open.url, out),
        ...['--timeout', String(timeout), '--budget', String(budget)],
      ],
      env: { ...process.env, SITE_CONFORMANCE_PASSWORD: PASSWORD, NO_COLOR: '1', TMPDIR: folder },
      limit: seconds + GRACE,
    });
    const evidence = {
      ran,
      seen: open.seen,
      strayed: open.strayed,
      before,
      after: await open.census(),
      files: readFiles(out),
    };
    const misses = judge(server, evidence, { seconds, bytes: MOST_BYTES, secrets: SECRETS });
    return { server, misses, ran, requests: open.seen.length };
  } finally {
    await open.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function argumentsFor({ mode, anonymous, only, further }: HostileServer, url: string, out: string): string[] {
  return [
    ...['run', '--target', url, '--deployment', 'core', '--mode', mode, '--out', out],
    ...(anonymous ? [] : ['--user', USER]),
    ...further,
    ...(only.length > 0 ? ['--only', ...only] : []),
  ];
}
