import { cpSync, existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { runTool } from './run-tool.ts';
import type { SiteContext } from './site-context.ts';

// The theme and the audio library are packages of their own; without the library an audio upload ends fatally.
const packages = ['wordpress', 'wordpress-theme-twentytwentythree', 'php-getid3'];

/**
 * Fetches Debian's WordPress with apt-get, without installing it, and unpacks it into the cache, once. Returns the
 * path of the core folder. Throws Error when apt-get cannot fetch it (its package lists may be missing).
 */
export async function fetchDebianCore({ cache, report, signal }: SiteContext): Promise<string> {
  const folder = await buildOnce(join(cache, 'wordpress', 'debian'), async (draft) => {
    report(`fetching the Debian packages ${packages.join(', ')}`);
    await runTool('apt-get', ['download', ...packages], { cwd: draft, signal });
    const root = join(draft, 'root');
    await mkdir(root);
    for (const file of await readdir(draft)) {
      if (file.endsWith('.deb')) await runTool('dpkg-deb', ['-x', join(draft, file), root], { signal });
    }
    // Links lead to other packages' files: followed where they are there, left out where not (scripts for browsers).
    cpSync(join(root, 'usr', 'share', 'wordpress'), join(draft, 'core'), {
      recursive: true,
      dereference: true,
      filter: (path) => existsSync(path) && basename(path) !== 'wp-config.php',
    });
    await rm(root, { recursive: true });
  });
  return join(folder, 'core');
}
