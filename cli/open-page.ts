import { spawn } from 'node:child_process';
import { UsageError } from './errors.ts';

/** The program of each platform that opens a file with whatever its user has for it; the file is its last argument. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const USUAL: readonly [string, ...string[]] = ['xdg-open'];

/** An opener that has not ended by then has become the browser, which goes on without us. */
const LONGEST_MS = 5000;

/**
 * Opens a page as a double click would, without a shell.
 * @param path where the page is
 * @param longest milliseconds after which an opener that has not ended counts as the browser
 * @throws UsageError where there is no opener, or it cannot open the page
 */
export async function openPage(
  path: string,
  platform: NodeJS.Platform = process.platform,
  longest: number = LONGEST_MS,
): Promise<void> {
  const [program, ...args] = OPENERS[platform] ?? USUAL;
  const opener = spawn(program, [...args, path], { stdio: 'ignore', detached: true });
  const why = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(resolve, longest, undefined);
    const end = (reason?: string): void => {
      clearTimeout(timer);
      resolve(reason);
    };
    opener.once('error', () => end(`there is no ${program} on this machine`));
    opener.once('exit', (code) => end(code === 0 ? undefined : `${program} ended with code ${code}`));
  });
  opener.unref();
  if (why !== undefined) throw new UsageError(`--open: ${why}; the page is ${path}`);
}
