import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SiteContext, UserError } from './site-context.ts';

/**
 * A port of the loopback interface that nothing listens on at this moment: `wanted`, or any by default. Throws
 * UserError when the wanted one is taken or not allowed, because another server would answer in the site's place.
 */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(`port ${wanted}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}

const kept = ['PATH', 'LANG', 'TMPDIR', 'PHPRC', 'PHP_INI_SCAN_DIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * The environment for PHP programs of a site in `folder` (an absolute path): what PHP needs to run and nothing of
 * the caller's, so that neither secrets nor proxies nor a private WP-CLI configuration reach the site.
 */
export function phpEnvironment(folder: string): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    HOME: folder,
    WP_CLI_CONFIG_PATH: '/dev/null',
    WP_CLI_DISABLE_AUTO_CHECK_UPDATE: '1',
  };
  for (const name of kept) {
    if (process.env[name] !== undefined) environment[name] = process.env[name];
  }
  return environment;
}

interface ServerOptions {
  /** Temporary folder of the site; the log is written there. */
  folder: string;
  /** The folder to serve. */
  site: string;
  port: number;
  /** Called with the process group as soon as there is one, so that it can be ended whatever happens next. */
  started: (processGroup: number) => void;
}

const patience = 30_000;

/**
 * Serves a site with PHP's own server and four workers, in a process group of its own that outlives this process.
 * Returns when the index answers. Throws Error, with the end of the log, when the server ends or stays silent for
 * 30 seconds.
 */
export async function startServer({ signal }: SiteContext, options: ServerOptions): Promise<void> {
  const { folder, site, port, started } = options;
  const logFile = join(folder, 'server.log');
  const log = await open(logFile, 'a');
  // Warnings of PHP in a body would make it invalid JSON; a public site logs them too.
  const quiet = ['-d', 'display_errors=0', '-d', 'log_errors=1'];
  const child = spawn('php', [...quiet, '-S', `127.0.0.1:${port}`, '-t', site], {
    cwd: folder,
    env: { ...phpEnvironment(folder), PHP_CLI_SERVER_WORKERS: '4' },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(child, 'spawn').finally(() => log.close());
  child.unref();
  if (child.pid !== undefined) started(child.pid);

  const deadline = Date.now() + patience;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    if (await indexAnswers(`http://127.0.0.1:${port}`, signal)) return;
    await sleep(100, undefined, { signal });
  }
  const tail = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-5).join('\n');
  throw new Error(`the server on port ${port} did not come up: ${tail}`);
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
