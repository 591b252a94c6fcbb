import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { UserError } from './site-context.ts';

interface ToolOptions {
  cwd?: string;
  /** Text for its standard input; empty by default. */
  input?: string;
  /** Its whole environment; ours by default. */
  env?: NodeJS.ProcessEnv;
  /** Ends the program when aborted. */
  signal?: AbortSignal;
}

const packageOf: Record<string, string> = {
  php: 'PHP (Debian: php-cli)',
  npm: 'Node.js with npm',
  tar: 'tar',
  ps: 'ps (Debian: procps)',
  'apt-get': "apt, or use a version that is not Debian's",
  'dpkg-deb': "dpkg, or use a version that is not Debian's",
};

/**
 * Runs an external program and returns its standard output. Throws UserError if the program is not installed, and Error
 * with the end of its output if it fails or is aborted.
 */
export async function runTool(
  program: string,
  args: readonly string[],
  options: ToolOptions = {},
): Promise<string> {
  options.signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    signal: options.signal,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A program that ends without reading its input breaks the pipe; its exit code is more useful.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    const [code, [stdout, stderr]] = await Promise.all([ended, outputs]);
    if (code === 0) return stdout;
    throw new Error(
      `${program} ${args.join(' ')} failed (${code}): ${(stderr || stdout).trim().split('\n').slice(-5).join('\n')}`,
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new UserError(`${program} was not found; install ${packageOf[program] ?? program}`);
    }
    throw error;
  }
}

const kept = ['PATH', 'LANG', 'TMPDIR', 'PHPRC', 'PHP_INI_SCAN_DIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];

/**
 * The environment for PHP programs of a site in `folder` (an absolute path): what PHP needs and nothing of the caller,
 * so that no secrets, proxies or private WP-CLI configuration reach the site.
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
