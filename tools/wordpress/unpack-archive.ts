import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { fetchArchive } from './fetch-archive.ts';
import { runTool } from './run-tool.ts';
import type { SiteContext } from './site-context.ts';

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
