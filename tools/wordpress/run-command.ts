import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isObject } from '../../client/json.ts';
import { UsageError } from '../../specs/validators.ts';

const grace = 15_000;

/**
 * Runs a command against a running site, which its environment describes; `{url}` and `{user}` in its arguments are
 * replaced. An abort (its reason is the name of a signal) is passed on, and 15 seconds later the command is killed.
 * @returns its exit code, or 128 and the number of the signal @throws UsageError if there is no such command
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  site: Readonly<Record<'url' | 'user' | 'password' | 'folder', string>>,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const { url, user, password } = site;
  const access = {
    WORDPRESS_URL: url,
    WORDPRESS_DATABASE: join(site.folder, 'site', 'wp-content', 'database', '.ht.sqlite'),
    SITE_CONFORMANCE_USER: user,
    SITE_CONFORMANCE_PASSWORD: password,
  };
  const filled = args.map((arg) => arg.replaceAll('{url}', url).replaceAll('{user}', user));
  const child = spawn(command, filled, {
    stdio: 'inherit',
    env: { ...process.env, ...access },
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new UsageError(`${command} cannot be run: ${error.message}`)));
    child.once('exit', (code, name) => resolve(code ?? 128 + constants.signals[name ?? 'SIGTERM']));
  });
  const pass = async (): Promise<void> => {
    // A terminal sends its interrupt to the command itself, and many programs read a second one as "stop at once".
    if (signal.reason !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal.reason);
    await sleep(grace, undefined, { ref: false });
    child.kill('SIGKILL');
  };
  signal.addEventListener('abort', pass, { once: true });
  return ended.finally(() => signal.removeEventListener('abort', pass));
}

/** The site that `exec` has started for a program. @param program its command, for the message if there is none */
export function startedSite(program: string): { url: string; user: string; content: string } {
  const {
    WORDPRESS_URL: url = '',
    SITE_CONFORMANCE_USER: user = '',
    WORDPRESS_DATABASE: database = '',
  } = process.env;
  if (url === '') throw new Error(`start it with: npm run wordpress -- exec ${program}`);
  return { url, user, content: join(dirname(database), '..') };
}

/** The options for checking the core of a WordPress as a user. */
export function asked(url: string, user: string): string[] {
  return ['--target', url, '--user', user, '--deployment', 'core', '--vocabulary', 'wordpress'];
}

/** Runs the suite. Failures and a missing conclusion are valid results. @returns the exit code: 0, 1 or 3 */
export async function runSuite(...args: readonly string[]): Promise<number> {
  const program = join(import.meta.dirname, '../../cli/site-conformance.js');
  try {
    await promisify(execFile)(process.execPath, [program, ...args]);
    return 0;
  } catch (error) {
    if (!isObject(error) || (error.code !== 1 && error.code !== 3)) throw error;
    return error.code;
  }
}
