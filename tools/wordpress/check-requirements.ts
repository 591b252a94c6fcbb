import { runTool } from './run-tool.ts';
import { UserError } from './site-context.ts';

/** The WordPress versions that can be fetched: 7.1.1 from the npm package, 6.1 as packaged by Debian. */
export const coreVersions = ['7.1.1', 'debian'] as const;

export type CoreVersion = (typeof coreVersions)[number];

/** True for a name that `--version` accepts. */
export function isCoreVersion(name: string): name is CoreVersion {
  return coreVersions.some((version) => version === name);
}

const packageOfModule: Record<string, string> = {
  pdo_sqlite: 'php-sqlite3',
  mbstring: 'php-mbstring',
  dom: 'php-xml',
  SimpleXML: 'php-xml',
  curl: 'php-curl',
  gd: 'php-gd',
};

/**
 * What `php -m` lacks for a WordPress on SQLite with images: the names of the extensions and of the Debian packages
 * that bring them, both without duplicates.
 */
export function missingExtensions(listing: string): { extensions: string[]; packages: string[] } {
  const loaded = new Set(listing.split('\n').map((line) => line.trim().toLowerCase()));
  const extensions = Object.keys(packageOfModule).filter((name) => !loaded.has(name.toLowerCase()));
  const packages = [...new Set(extensions.map((name) => packageOfModule[name] ?? name))];
  return { extensions, packages };
}

/** Throws UserError, naming what to install, unless PHP, its extensions and the tools of the version are there. */
export async function checkRequirements(version: CoreVersion): Promise<void> {
  const { extensions, packages } = missingExtensions(await runTool('php', ['-m']));
  if (extensions.length > 0) {
    throw new UserError(
      `PHP lacks the extensions ${extensions.join(', ')}; install them (Debian: ${packages.join(' ')})`,
    );
  }
  // Not every ps knows --version.
  await runTool('ps', ['-o', 'pid=']);
  const tools = version === 'debian' ? ['tar', 'apt-get', 'dpkg-deb'] : ['tar'];
  for (const tool of tools) await runTool(tool, ['--version']);
}
