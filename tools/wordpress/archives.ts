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

/** An archive of the npm registry, named by the package it belongs to. */
interface Archive {
  package: string;
  version: string;
  /** What `npm pack` calls the file. */
  file: string;
  megabytes: number;
  /** `dist.integrity` of that version in the npm registry. */
  sha512: string;
}

const STUDIO: Archive = {
  package: 'wp-studio',
  version: '1.22.0',
  file: 'wp-studio-1.22.0.tgz',
  megabytes: 67,
  sha512: 'boMtahkhgWDKKyNTBA1uTK5ghnAmxXhDY6KeQCO9FmcI3/o+YOSq8JwYW5ZYnxHCxH14Jf/mD6CJTBvTWl2Ytw==',
};

const OLD_BUILDS: Archive = {
  package: '@wp-playground/wordpress-builds',
  version: '0.9.19',
  file: 'wp-playground-wordpress-builds-0.9.19.tgz',
  megabytes: 158,
  sha512: 'dlqvh/MJDpE5W68vgPPKUjpip6zMuBh59L3D18ZX+pdwurC4q4ydrTww/3sTMV69BBcoH6kF93YtAtujNC5Mpw==',
};

/**
 * The path of an archive, from the cache or fetched into it by `npm pack`, without its dependencies. Throws UserError when it is not
 * the one that is expected, Error when it cannot be fetched.
 */
async function fetchArchive({ cache, report, signal }: SiteContext, wanted: Archive): Promise<string> {
  const archive = join(cache, wanted.file);
  if (!existsSync(archive)) {
    await mkdir(cache, { recursive: true });
    const draft = await mkdtemp(`${archive}.part-`);
    try {
      const spec = `${wanted.package}@${wanted.version}`;
      report(`fetching ${spec} (${wanted.megabytes} MB)`);
      await runTool('npm', ['pack', spec, '--loglevel=error', '--pack-destination', draft], {
        cwd: draft,
        signal,
      });
      await rename(join(draft, wanted.file), archive);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash, { signal });
  if (hash.digest('base64') !== wanted.sha512) {
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
    const archive = await fetchArchive(context, STUDIO);
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

const EXTRACT =
  '$zip = new ZipArchive; exit($zip->open($argv[1]) === true && $zip->extractTo($argv[2]) ? 0 : 1);';

/**
 * Unpacks an older WordPress, the file `zip` in the archive of old builds, into the cache, once. Returns the path of the core folder. Throws as fetchArchive.
 */
export async function unpackOldCore(context: SiteContext, zip: string): Promise<string> {
  const { cache, report, signal } = context;
  return buildOnce(join(cache, 'wordpress', zip.replace('.zip', '')), async (draft) => {
    const archive = await fetchArchive(context, OLD_BUILDS);
    report(`unpacking ${zip}`);
    const member = `package/src/wordpress/${zip}`;
    await runTool('tar', ['-xzf', archive, '-C', draft, '--strip-components=3', member], { signal });
    await runTool('php', ['-r', EXTRACT, join(draft, zip), draft], { signal });
    // Such a build is configured, and brings a database of its own.
    for (const extra of [zip, 'wp-config.php', 'wp-content/database', 'wp-content/db.php']) {
      await rm(join(draft, extra), { recursive: true, force: true });
    }
  });
}

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
