import { randomBytes } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fetchDebianCore, unpackArchive, unpackOldCore } from './archives.ts';
import { type CoreVersion, coreSources } from './check-requirements.ts';
import type { WantedSite } from './parse-command.ts';
import { installPostType } from './post-type.ts';
import { runTool } from './run-tool.ts';
import { type SiteContext, UserError } from './site-context.ts';
import { phpEnvironment } from './start-server.ts';

interface PreparedSite {
  /** The folder to serve. */
  site: string;
  user: string;
  /** Application password of the user. */
  password: string;
  /** Version of WordPress, such as `7.1.1`. */
  version: string;
}

const user = 'conformance';

// Application passwords over http; no background work and no requests of the site's own while it is tested.
const constants = `define( 'WP_ENVIRONMENT_TYPE', 'local' );
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
`;

/**
 * Installs WordPress in `folder`, with content unless it is to be `fresh`, to be served at `url` (without a trailing slash). Throws
 * UserError when a program is missing, Error when a step fails.
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
  const password = await wp([
    'user',
    'application-password',
    'create',
    user,
    'site-conformance',
    '--porcelain',
  ]);
  return { site, user, password: password.trim(), version: installed };
}

/** The folder with the files of a version; `newest` is that of the one which comes with the driver. */
function coreFolder(context: SiteContext, version: CoreVersion, newest: string): string | Promise<string> {
  const source = coreSources[version];
  if (source === 'studio') return newest;
  return source === 'debian' ? fetchDebianCore(context) : unpackOldCore(context, source);
}

/** Mounts a PHP file as a plugin that is always active. */
async function installPlugin(site: string, plugin: string): Promise<void> {
  const folder = join(site, 'wp-content', 'mu-plugins');
  await mkdir(folder, { recursive: true });
  await copyFile(plugin, join(folder, basename(plugin)));
}

/** Puts a theme of the newest version, whose folder `core` is, in place of the one of that name in a site. */
async function installTheme(core: string, site: string, theme: string): Promise<void> {
  const [source = '', target = ''] = [core, site].map((root) => join(root, 'wp-content', 'themes', theme));
  if (!existsSync(source)) throw new UserError(`there is no theme ${theme}`);
  await rm(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true });
}

/** The version that a core folder says it is, such as `7.1.1`. Throws Error when it says none. */
async function readVersion(core: string): Promise<string> {
  const source = await readFile(join(core, 'wp-includes', 'version.php'), 'utf8');
  const version = /^\s*\$wp_version = '([^']+)';/m.exec(source)?.[1];
  if (version === undefined) throw new Error(`${core} holds no WordPress`);
  return version;
}

async function installDriver(source: string, site: string): Promise<void> {
  // Not among the plugins: a test that removes an inactive plugin would take the database driver away.
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
 * Makes the SQLite driver in `folder` run with a WordPress before 6.2, which it does not support (its readme asks
 * for 6.4): the driver reads through its parent a property that older parents do not have, and PHP ends there
 * because the driver's own is private. Public, it is found. Throws Error when the driver has no such line.
 */
export async function adaptDriver(folder: string): Promise<void> {
  const file = join(folder, 'wp-includes', 'sqlite', 'class-wp-sqlite-db.php');
  const source = await readFile(file, 'utf8');
  if (!source.includes(declaration)) throw new Error(`the SQLite driver no longer has "${declaration}"`);
  await writeFile(file, source.replace(declaration, declaration.replace('private', 'public')));
}

const plugin = 'sqlite-database-integration/load.php';

/**
 * Turns the driver's `db.copy` into the text of `wp-content/db.php`: `driver` is the absolute path of the driver's
 * folder. Throws Error when a placeholder is not there, because then the driver is not the one that is expected.
 */
export function renderDropIn(template: string, driver: string): string {
  // Both stand between single quotes in PHP.
  const quoted = driver.replace(/[\\']/g, '\\$&');
  return fill(fill(template, '{SQLITE_IMPLEMENTATION_FOLDER_PATH}', quoted), '{SQLITE_PLUGIN}', plugin);
}

function fill(text: string, placeholder: string, value: string): string {
  if (!text.includes(placeholder)) throw new Error(`db.copy of the SQLite driver has no ${placeholder}`);
  return text.replaceAll(placeholder, () => value);
}
