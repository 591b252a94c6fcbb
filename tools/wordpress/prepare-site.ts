import { createHash, randomBytes } from 'node:crypto';
import { cpSync, createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type CoreVersion, coreSources } from './check-requirements.ts';
import { installPostType, type WantedSite } from './parse-command.ts';
import { phpEnvironment, runTool } from './run-tool.ts';
import { type SiteContext, UserError } from './site-context.ts';

interface PreparedSite {
  site: string;
  user: string;
  password: string;
  version: string;
}

const user = 'conformance';

// Allows application passwords over http, and disables background work and requests of the site.
const constants = `define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
`;

/**
 * Installs WordPress in `folder`, with content unless it is `fresh`, to be served at `url` (without a trailing slash).
 */
export async function prepareSite(
  context: SiteContext,
  { version, postType, plugin, theme, fresh }: WantedSite,
  folder: string,
  url: string,
): Promise<PreparedSite> {
  const parts = await unpackArchive(context);
  const core = await coreFolder(context, version, parts.core);
  const site = join(folder, 'site');
  const installed = await readVersion(core);
  if (version !== 'debian' && installed !== version) {
    throw new UserError(`WordPress ${version} is not to be had here: its source has ${installed}`);
  }
  context.report(`installing WordPress ${installed}`);
  cpSync(core, site, { recursive: true });
  await installDriver(parts.driver, site);
  if (postType) await installPostType(site, postType);
  if (plugin !== undefined) await installPlugin(site, plugin);
  if (theme !== undefined) await installTheme(parts.core, site, theme);

  const { signal } = context;
  const env = phpEnvironment(folder);
  const wp = (args: readonly string[], input = ''): Promise<string> =>
    runTool('php', [parts.wpCli, '--allow-root', `--path=${site}`, ...args], {
      cwd: folder,
      env,
      input,
      signal,
    });
  const unused = ['--dbname=wordpress', '--dbuser=unused', '--dbpass=unused'];
  await wp(['config', 'create', ...unused, '--skip-check', '--extra-php'], constants);
  const admin = [`--admin_user=${user}`, '--admin_email=conformance@example.org', '--prompt=admin_password'];
  const secret = `${randomBytes(18).toString('hex')}\n`;
  await wp(['core', 'install', `--url=${url}`, '--title=Conformance', '--skip-email', ...admin], secret);
  if (theme !== undefined) await wp(['theme', 'activate', theme]);
  if (!fresh) {
    context.report('creating content');
    await wp(['eval-file', join(import.meta.dirname, 'content.php'), user]);
  }
  if (postType && !fresh) {
    await wp(['eval-file', join(import.meta.dirname, 'post-type-content.php'), user, postType.name]);
  }
  const creation = ['user', 'application-password', 'create', user, 'site-conformance', '--porcelain'];
  const password = await wp(creation);
  return { site, user, password: password.trim(), version: installed };
}

function coreFolder(context: SiteContext, version: CoreVersion, newest: string): string | Promise<string> {
  const source = coreSources[version];
  if (source === 'studio') return newest;
  return source === 'debian' ? fetchDebianCore(context) : unpackOldCore(context, source);
}

async function installPlugin(site: string, plugin: string): Promise<void> {
  const folder = join(site, 'wp-content', 'mu-plugins');
  await mkdir(folder, { recursive: true });
  await copyFile(plugin, join(folder, basename(plugin)));
}

/** Installs a theme of the newest version, whose folder is `core`, in place of the one with that name. */
async function installTheme(core: string, site: string, theme: string): Promise<void> {
  const [source = '', target = ''] = [core, site].map((root) => join(root, 'wp-content', 'themes', theme));
  if (!existsSync(source)) throw new UserError(`there is no theme ${theme}`);
  await rm(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true });
}

async function readVersion(core: string): Promise<string> {
  const source = await readFile(join(core, 'wp-includes', 'version.php'), 'utf8');
  const version = /^\s*\$wp_version = '([^']+)';/m.exec(source)?.[1];
  if (version === undefined) throw new Error(`${core} holds no WordPress`);
  return version;
}

async function installDriver(source: string, site: string): Promise<void> {
  // Not among the plugins, because a test that removes an inactive plugin would remove the database driver.
  const driver = join(site, 'wp-content', 'mu-plugins', 'sqlite-database-integration');
  await mkdir(driver, { recursive: true });
  cpSync(source, driver, { recursive: true });
  const parent = await readFile(join(site, 'wp-includes', 'class-wpdb.php'), 'utf8');
  if (!parent.includes(PROPERTY)) await adaptDriver(driver);
  const dropIn = renderDropIn(await readFile(join(driver, 'db.copy'), 'utf8'), driver);
  await writeFile(join(site, 'wp-content', 'db.php'), dropIn);
}

const PROPERTY = '$allow_unsafe_unquoted_parameters';
const declaration = `private ${PROPERTY}`;

/**
 * Makes the SQLite driver work with WordPress before 6.2: through its parent, it reads a property that older parents
 * lack, and PHP fails because its own is private.
 */
async function adaptDriver(folder: string): Promise<void> {
  const file = join(folder, 'wp-includes', 'sqlite', 'class-wp-sqlite-db.php');
  const source = await readFile(file, 'utf8');
  if (!source.includes(declaration)) throw new Error(`the SQLite driver no longer has "${declaration}"`);
  await writeFile(file, source.replace(declaration, declaration.replace('private', 'public')));
}

const plugin = 'sqlite-database-integration/load.php';

/** Makes `wp-content/db.php` from the driver's `db.copy`. @throws Error for another driver */
function renderDropIn(template: string, driver: string): string {
  // Both are inside single quotes in PHP.
  const quoted = driver.replace(/[\\']/g, '\\$&');
  return fill(fill(template, '{SQLITE_IMPLEMENTATION_FOLDER_PATH}', quoted), '{SQLITE_PLUGIN}', plugin);
}

function fill(text: string, placeholder: string, value: string): string {
  if (!text.includes(placeholder)) throw new Error(`db.copy of the SQLite driver has no ${placeholder}`);
  return text.replaceAll(placeholder, () => value);
}

/**
 * Fills a folder unless it exists. It is renamed when complete, so an interruption leaves nothing half done, and one
 * of two concurrent runs wins.
 */
async function buildOnce(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
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

/** An archive of the npm registry, named by its package. */
interface Archive {
  package: string;
  version: string;
  /** The file name from `npm pack`. */
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

/** The path of an archive, from the cache or downloaded. @throws UserError for an unexpected one */
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

interface Parts {
  core: string;
  driver: string;
  wpCli: string;
}

const root = 'package/dist/cli/wp-files';

/** Unpacks WordPress, the SQLite driver and WP-CLI into the cache, once. */
async function unpackArchive(context: SiteContext): Promise<Parts> {
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

// The theme and the audio library are separate packages. Without the library an audio upload fails.
const packages = ['wordpress', 'wordpress-theme-twentytwentythree', 'php-getid3'];

const EXTRACT =
  '$zip = new ZipArchive; exit($zip->open($argv[1]) === true && $zip->extractTo($argv[2]) ? 0 : 1);';

/** Unpacks an older WordPress into the cache, once. @returns the core folder */
async function unpackOldCore(context: SiteContext, zip: string): Promise<string> {
  const { cache, report, signal } = context;
  return buildOnce(join(cache, 'wordpress', zip.replace('.zip', '')), async (draft) => {
    const archive = await fetchArchive(context, OLD_BUILDS);
    report(`unpacking ${zip}`);
    const member = `package/src/wordpress/${zip}`;
    await runTool('tar', ['-xzf', archive, '-C', draft, '--strip-components=3', member], { signal });
    await runTool('php', ['-r', EXTRACT, join(draft, zip), draft], { signal });
    // Such a build has a configuration and a database of its own.
    for (const extra of [zip, 'wp-config.php', 'wp-content/database', 'wp-content/db.php']) {
      await rm(join(draft, extra), { recursive: true, force: true });
    }
  });
}

/** Downloads Debian's WordPress without installing it, and unpacks it into the cache, once. @returns the core folder */
async function fetchDebianCore({ cache, report, signal }: SiteContext): Promise<string> {
  const folder = await buildOnce(join(cache, 'wordpress', 'debian'), async (draft) => {
    report(`fetching the Debian packages ${packages.join(', ')}`);
    await runTool('apt-get', ['download', ...packages], { cwd: draft, signal });
    const root = join(draft, 'root');
    await mkdir(root);
    for (const file of await readdir(draft)) {
      if (file.endsWith('.deb')) await runTool('dpkg-deb', ['-x', join(draft, file), root], { signal });
    }
    // Links lead to files of other packages. They are followed if those exist, and left out
    // otherwise (scripts for browsers).
    cpSync(join(root, 'usr', 'share', 'wordpress'), join(draft, 'core'), {
      recursive: true,
      dereference: true,
      filter: (path) => existsSync(path) && basename(path) !== 'wp-config.php',
    });
    await rm(root, { recursive: true });
  });
  return join(folder, 'core');
}
