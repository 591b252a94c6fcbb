import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isObject } from '../../client/json.ts';
import { UsageError } from '../../specs/validators.ts';

/** The context of every step of preparing a site. */
export interface SiteContext {
  cache: string;
  report: (line: string) => void;
  signal: AbortSignal;
}

interface ToolOptions {
  cwd?: string;
  /** Text for its standard input; empty by default. */
  input?: string;
  /** Its whole environment; ours by default. */
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

const packageOf: Record<string, string> = {
  php: 'PHP (Debian: php-cli)',
  npm: 'Node.js with npm',
  tar: 'tar',
  'apt-get': "apt, or use a version that is not Debian's",
  'dpkg-deb': "dpkg, or use a version that is not Debian's",
};

/** Runs an external program. @returns its output @throws UsageError if it is not installed, Error if it fails */
export async function runTool(
  program: string,
  args: readonly string[],
  { input = '', ...options }: ToolOptions = {},
): Promise<string> {
  options.signal?.throwIfAborted();
  try {
    const running = promisify(execFile)(program, args, { ...options, maxBuffer: Number.POSITIVE_INFINITY });
    // A program that ends without reading its input breaks the pipe; its exit code is more useful.
    running.child.stdin?.on('error', () => {});
    running.child.stdin?.end(input);
    return (await running).stdout;
  } catch (error) {
    if (!isObject(error)) throw error;
    const { code, stdout, stderr } = error;
    if (code === 'ENOENT') {
      throw new UsageError(`${program} was not found; install ${packageOf[program] ?? program}`);
    }
    if (typeof code !== 'number') throw error;
    const said = String(stderr || stdout)
      .trim()
      .split('\n')
      .slice(-5);
    throw new Error(`${program} ${args.join(' ')} failed (${code}): ${said.join('\n')}`);
  }
}

const kept = ['PATH', 'LANG', 'TMPDIR', 'PHPRC', 'PHP_INI_SCAN_DIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/** The environment for PHP programs of a site: nothing of the caller, such as secrets or proxies. */
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
