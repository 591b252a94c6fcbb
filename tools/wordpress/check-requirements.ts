import { UsageError } from '../../specs/validators.ts';
import { runTool } from './run-tool.ts';

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

const packageOfModule: Record<string, string> = {
  pdo_sqlite: 'php-sqlite3',
  mbstring: 'php-mbstring',
  dom: 'php-xml',
  SimpleXML: 'php-xml',
  curl: 'php-curl',
  gd: 'php-gd',
  zip: 'php-zip',
};

/** Throws UsageError with what to install, unless PHP, its extensions and the tools of the version exist. */
export async function checkRequirements(version: CoreVersion): Promise<void> {
  const source = coreSources[version];
  const loaded = (await runTool('php', ['-m'])).split('\n').map((line) => line.trim().toLowerCase());
  const needed = Object.keys(packageOfModule).filter((name) => source.endsWith('.zip') || name !== 'zip');
  const extensions = needed.filter((name) => !loaded.includes(name.toLowerCase()));
  if (extensions.length > 0) {
    const packages = new Set(extensions.map((name) => packageOfModule[name]));
    throw new UsageError(
      `PHP lacks the extensions ${extensions.join(', ')}; install them (Debian: ${[...packages].join(' ')})`,
    );
  }
  const tools = source === 'debian' ? ['tar', 'apt-get', 'dpkg-deb'] : ['tar'];
  for (const tool of tools) await runTool(tool, ['--version']);
}
