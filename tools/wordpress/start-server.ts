import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { phpEnvironment } from './php-environment.ts';
import type { SiteContext } from './site-context.ts';

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
