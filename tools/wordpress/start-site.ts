import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../client/target-error.ts';
import { messageOf } from '../../engine/text.ts';
import { listen } from '../../sites/listen.ts';
import { UsageError } from '../../specs/validators.ts';
import { type CoreVersion, coreSources, prepareSite, type WantedSite } from './prepare-site.ts';
import { phpEnvironment, runTool, type SiteContext } from './run-tool.ts';

/** A site that is running until it is disposed of. */
interface RunningSite extends AsyncDisposable {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly folder: string;
}

/** Prepares a site in a new temporary folder and starts it on loopback. A failure leaves nothing behind. */
export async function startSite(context: SiteContext, wanted: WantedSite): Promise<RunningSite> {
  await checkRequirements(wanted.version);
  const port = await freePort(wanted.port);
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), 'site-conformance-wordpress-'));
  let server: ChildProcess | undefined;
  const remove = async (): Promise<void> => {
    if (server !== undefined) await endGroup(server);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const prepared = await prepareSite(context, wanted, folder, url);
    context.report(`starting the server on ${url}`);
    server = await spawnServer(folder, port);
    await untilUp(server, url, context.signal, folder);
    return { ...prepared, url, folder, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

const packageOfModule: Record<string, string> = {
  pdo_sqlite: 'php-sqlite3',
  mbstring: 'php-mbstring',
  dom: 'php-xml',
  SimpleXML: 'php-xml',
  curl: 'php-curl',
  gd: 'php-gd',
  zip: 'php-zip',
};

/** Throws UsageError with what to install, unless PHP, its extensions and the tools of the version exist. */
async function checkRequirements(version: CoreVersion): Promise<void> {
  const source = coreSources[version];
  const loaded = (await runTool('php', ['-m'])).split('\n').map((line) => line.trim().toLowerCase());
  const needed = Object.keys(packageOfModule).filter((name) => source.endsWith('.zip') || name !== 'zip');
  const extensions = needed.filter((name) => !loaded.includes(name.toLowerCase()));
  if (extensions.length > 0) {
    const packages = new Set(extensions.map((name) => packageOfModule[name]));
    throw new UsageError(
      `PHP lacks the extensions ${extensions.join(', ')}; install them (Debian: ${[...packages].join(' ')})`,
    );
  }
  const tools = source === 'debian' ? ['tar', 'apt-get', 'dpkg-deb'] : ['tar'];
  for (const tool of tools) await runTool(tool, ['--version']);
}

/** Ends a server with its workers, and kills what is left after three seconds. */
async function endGroup(server: ChildProcess): Promise<void> {
  const isEnded = server.exitCode !== null || server.signalCode !== null;
  const ended = isEnded ? undefined : once(server, 'exit');
  signalGroup(server, 'SIGTERM');
  await Promise.race([ended, sleep(3000, undefined, { ref: false })]);
  signalGroup(server, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    // It may have ended meanwhile.
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** A free port on loopback: `wanted`, or any. @throws UsageError if another server would answer there */
export async function freePort(wanted = 0): Promise<number> {
  const { url, close } = await listen(createServer(), wanted).catch((error: unknown) => {
    throw new UsageError(`port ${wanted}: ${messageOf(error)}`);
  });
  await close();
  return Number(new URL(url).port);
}

const LONGEST_START_MS = 30_000;
const LOG = 'server.log';

/** Serves a site with PHP's own server and four workers, in a process group of their own. */
async function spawnServer(folder: string, port: number): Promise<ChildProcess> {
  const log = await open(join(folder, LOG), 'a');
  // PHP warnings in a body would make its JSON invalid; public sites log them too.
  const quiet = ['-d', 'display_errors=0', '-d', 'log_errors=1'];
  const child = spawn('php', [...quiet, '-S', `127.0.0.1:${port}`, '-t', join(folder, 'site')], {
    cwd: folder,
    env: { ...phpEnvironment(folder), PHP_CLI_SERVER_WORKERS: '4' },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(child, 'spawn').finally(() => log.close());
  return child;
}

/** Waits until the index answers. @throws Error with the end of the log if the server ends, or is silent for long */
async function untilUp(child: ChildProcess, url: string, signal: AbortSignal, folder: string): Promise<void> {
  const deadline = Date.now() + LONGEST_START_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    if (await indexAnswers(url, signal)) return;
    await sleep(100, undefined, { signal });
  }
  const tail = (await readFile(join(folder, LOG), 'utf8')).trim().split('\n').slice(-5).join('\n');
  throw new Error(`the server at ${url} did not come up: ${tail}`);
}

async function indexAnswers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/index.php?rest_route=/`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]),
    });
    const index: unknown = await response.json();
    return response.ok && typeof index === 'object' && index !== null && 'routes' in index;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}
